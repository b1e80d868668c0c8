/** Access to git's services on a side repository, over HTTP and SSH. */
import { allows } from '../../platform/access/abilities.ts'
import { hasScope, isAnonymous } from '../../platform/access/actor.ts'
import type { TokenScope } from '../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { insufficientScope, notFound, Refusal, unauthenticated } from '../../platform/kernel/errors.ts'
import { assertSignedOnForGit } from '../../spaces/groups/sign_on.ts'
import { actorAsNow, fetchScopes, pushScopes } from '../git_http/access.ts'
import { type Caller, type SideRepository, sideKindOf } from './side_repository.ts'

/**
 * The side repository of a path, if the caller may fetch from it.
 * @param path without leading slashes and without `.git`
 * @throws Refusal 404
 */
export async function findSide(caller: Caller & Pick<Context, 'now' | 'url'>, path: string): Promise<SideRepository> {
  const kind = sideKindOf(path)
  if (!kind) throw notFound('Repository')
  return assertMayFetch(caller, await kind.find(caller, path))
}

async function assertMayFetch(caller: Caller & Pick<Context, 'now' | 'url'>, side: SideRepository): Promise<SideRepository> {
  if (allows(caller.actor, side.fetch, side.subject) !== 'yes') throw notFound(side.noun)
  const { subject, project, key } = side
  const place = project ? { projectId: project.id } : key.folder === '@groups' ? { groupId: key.id } : undefined
  if (place && 'role' in subject) await assertSignedOnForGit(caller, { role: subject.role, in: place })
  return side
}

type SideService = 'git-upload-pack' | 'git-receive-pack' | 'git-upload-archive'

/**
 * Refuses a service that the caller may not use. That the caller may fetch is known (`findSide`).
 * @throws Refusal with the line to show
 */
export function requireSideService({ actor }: Pick<Caller, 'actor'>, side: SideRepository, service: SideService): void {
  const isPush = service === 'git-receive-pack'
  const scopes: readonly TokenScope[] = ['api', ...(isPush ? pushScopes : fetchScopes)]
  if (!hasScope(actor, scopes)) throw insufficientScope(scopes.join(' '))
  if (!isPush) return
  if (isAnonymous(actor)) throw unauthenticated()
  if (actor.credential?.kind === 'job_token')
    throw new Refusal('forbidden', { message: 'The token of a job opens repositories for reading only.' })
  // What is pushed has a user as its author.
  if (actor.user && allows(actor, side.push, side.subject) === 'yes') return
  throw new Refusal('forbidden', { message: side.pushRefusal ?? `You are not allowed to push to this ${side.noun.toLowerCase()}.` })
}

/**
 * Loads the caller and repository of a push again, since a client may delay the commands of a push for any time.
 * @throws Refusal with the line to show, if the caller may no longer push
 */
export async function currentSidePusher(
  { deps, actor: before, url }: Pick<Context, 'deps' | 'actor' | 'url'>,
  begun: SideRepository,
): Promise<SideRepository> {
  return sideAsNow({ deps, actor: await actorAsNow(deps, before), url }, begun, 'git-receive-pack')
}

/**
 * The repository that a command began with, as the caller may use it now, whatever has its path.
 * @throws Refusal with the line to show, if the caller may no longer use the service
 */
export async function sideAsNow(
  { deps, actor, url }: Pick<Context, 'deps' | 'actor' | 'url'>,
  begun: SideRepository,
  service: SideService,
): Promise<SideRepository> {
  const caller = { db: deps.database.db, actor, tier: deps.config.tier, now: deps.now(), url }
  const side = await assertMayFetch(caller, await begun.asNow(caller))
  requireSideService({ actor }, side, service)
  return side
}
