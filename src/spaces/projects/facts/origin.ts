/** The user and project behind an event, looked up once for all its background work. */
import { actingAs } from '../../../platform/access/credentials/credentials.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { visibleProject } from '../queries.ts'
import type { ProjectWithRole } from '../scope.ts'

/** The origin of an event; each answer is looked up on first use. */
export interface Origin {
  /**
   * The context for commands on behalf of the user, without a transaction; undefined if there is no user, or the account is deleted or not
   * active.
   */
  context(): Promise<(Context & { readonly userId: number }) | undefined>
  /** The project as that user sees it; undefined if they do not (any more). */
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
