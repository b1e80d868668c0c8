/** Who did something, and in which project: found once for all that follows on it in the background. */
import { actingAs } from '../../platform/access/credentials.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { visibleProject } from './queries.ts'
import type { ProjectWithRole } from './scope.ts'

/** Where something comes from; each answer is looked for when it is first asked for. */
export interface Origin {
  /** What commands need to act as whoever did it, without a transaction; undefined where nobody did, or their account is gone or not active. */
  context(): Promise<(Context & { readonly userId: number }) | undefined>
  /** The project as they see it; undefined where they do not (any more). */
  project(): Promise<ProjectWithRole | undefined>
}

export function originOf(
  deps: Deps,
  { actor_id, project_id }: { readonly actor_id: number | null; readonly project_id: number | null },
): Origin {
  const { db } = deps.database
  const context = once(async () => {
    const actor = await actingAs(db, actor_id)
    return actor && { ...systemContext(deps, db, actor), userId: actor.user.id }
  })
  const project = once(async () => {
    const ctx = project_id === null ? undefined : await context()
    return ctx && (await visibleProject(db, ctx.actor, String(project_id)))
  })
  return { context, project }
}

function once<T>(find: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined
  return () => {
    found ??= find()
    return found
  }
}
