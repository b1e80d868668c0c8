/** Access to git's services on a project, over HTTP and SSH. */
import { allows } from '../../platform/access/abilities.ts'
import { type Actor, hasScope, isAnonymous } from '../../platform/access/actor.ts'
import { type NamedProject, whyKeyStopped } from '../../platform/access/credentials/deploy_keys.ts'
import type { TokenScope } from '../../platform/access/credentials/token_scopes.ts'
import { credentialNameOf } from '../../platform/access/current_actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { insufficientScope, notFound, Refusal, unauthenticated } from '../../platform/kernel/errors.ts'
import { whyActorInactive } from '../../platform/kernel/request/authenticate.ts'
import { findProject, type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { mayPushSomewhere } from '../protected_branches/collaboration.ts'
import { actorOfGitCredential } from './holders.ts'

/** The token scopes besides `api` that permit fetching, and pushing. */
export const fetchScopes: readonly TokenScope[] = ['read_repository', 'write_repository']
export const pushScopes: readonly TokenScope[] = ['write_repository']

/**
 * Loads the caller and project of a push again, since a client may delay the commands of a push for any time.
 * @throws Refusal with the line to show, if the caller may no longer push
 */
export async function currentPusher(
  { deps, actor: before }: Pick<Context, 'deps' | 'actor'>,
  projectId: number,
): Promise<{ readonly actor: Actor; readonly project: ProjectWithRole }> {
  const { db } = deps.database
  const actor = await actorAsNow(deps, before)
  await assertKeyIsActive(db, actor, { id: projectId })
  const project = await findProject(db, actor, String(projectId))
  await requireService({ db, actor }, project, 'git-receive-pack')
  return { actor, project }
}

/**
 * The caller of a push as the account and credential are now.
 * @throws Refusal with the line to show
 */
export async function actorAsNow(deps: Deps, before: Actor): Promise<Actor> {
  const name = credentialNameOf(before)
  const actor = name && (await actorOfGitCredential(name, deps))
  if (!actor) throw new Refusal('unauthenticated', { message: 'Your credentials are not valid any more.' })
  const reason = whyActorInactive(actor)
  if (reason !== undefined) throw new Refusal('forbidden', { message: reason })
  return actor
}

/**
 * Refuses a deploy key that is stopped in a project, before the project is looked up, which would not find it.
 * @throws Refusal with the line to show
 */
export async function assertKeyIsActive(db: Db, actor: Actor, project: NamedProject): Promise<void> {
  const reason = await whyKeyStopped(db, actor, project)
  if (reason !== undefined) throw new Refusal('forbidden', { message: reason })
}

/**
 * Refuses a service that the caller may not use, already in the first request, whose error git shows best.
 * @throws Refusal with the line to show; 404 if the actor may not read the code
 */
export async function requireService(
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
  // Contract: job tokens can fetch but never push (public behaviour at 14.0).
  if (isPush && actor.credential?.kind === 'job_token')
    throw new Refusal('forbidden', { message: 'The token of a job opens repositories for reading only.' })
  if (!isPush || (await mayPushSomewhere(ctx, project))) return
  if (isAnonymous(actor)) throw unauthenticated()
  const line = project.archived
    ? 'The project is archived: nothing can be pushed to it.'
    : 'You are not allowed to push code to this project.'
  throw new Refusal('forbidden', { message: line })
}
