/** Who may use git's services on a project; over HTTP and SSH alike. */
import { allows } from '../access/abilities.ts'
import { type Actor, hasScope, isAnonymous } from '../access/actor.ts'
import type { TokenScope } from '../access/token_scopes.ts'
import type { Db } from '../db/connection.ts'
import { insufficientScope, notFound, Refusal, unauthenticated } from '../kernel/errors.ts'
import { type ProjectWithRole, projectSubject } from '../projects/scope.ts'
import { mayPushSomewhere } from '../protected_branches/collaboration.ts'

/** The scopes besides `api` that let a token fetch, and push. */
export const fetchScopes: readonly TokenScope[] = ['read_repository', 'write_repository']
export const pushScopes: readonly TokenScope[] = ['write_repository']

/**
 * Refuses what the client is about to do: its person sees the refusal of its first request best.
 * @throws Refusal with the line to show; 404 where the actor may not read the code
 */
export async function refuseService(
  ctx: { readonly db: Db; readonly actor: Actor },
  project: ProjectWithRole,
  service: 'git-upload-pack' | 'git-receive-pack' | 'git-upload-archive',
): Promise<void> {
  const { actor } = ctx
  const isPush = service === 'git-receive-pack'
  const scopes: readonly TokenScope[] = ['api', ...(isPush ? pushScopes : fetchScopes)]
  if (!hasScope(actor, scopes)) throw insufficientScope(scopes.join(' '))
  const subject = projectSubject(project)
  const reading = allows(actor, 'read_code', subject)
  if (reading === 'hidden') throw notFound('Project')
  if (reading === 'no')
    throw isAnonymous(actor)
      ? unauthenticated()
      : new Refusal('forbidden', { message: 'You are not allowed to read the code of this project.' })
  // Contract: a job's token fetches and never pushes (public behaviour at 14.0).
  if (isPush && actor.credential?.kind === 'job_token')
    throw new Refusal('forbidden', { message: 'The token of a job opens repositories for reading only.' })
  if (!isPush || (await mayPushSomewhere(ctx, project))) return
  if (isAnonymous(actor)) throw unauthenticated()
  const line = project.archived
    ? 'The project is archived: nothing can be pushed to it.'
    : 'You are not allowed to push code to this project.'
  throw new Refusal('forbidden', { message: line })
}
