/** The dialect of Git LFS: git's authentication or a short-lived token, and refusals as JSON in the form of its protocol. */
import Type from 'typebox'
import { isAnonymous } from '../../platform/access/actor.ts'
import { type Dialect, statusIn } from '../../platform/kernel/declaration/dialect.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { forbidden, type Refusal, sentenceOf, unauthenticated } from '../../platform/kernel/errors.ts'
import { whyActorInactive } from '../../platform/kernel/request/authenticate.ts'
import { assertKeyIsActive } from '../git_http/access.ts'
import { git } from '../git_http/dialect.ts'
import { actorOfGitCredential } from '../git_http/holders.ts'
import { basicCredentials } from '../git_http/tokens.ts'
import { Lock } from './locks/entity.ts'
import { looksLikeLfsToken, readLfsToken } from './tokens.ts'

const mediaType = 'application/vnd.git-lfs+json'

export const lfs: Dialect = {
  ...git,
  name: 'lfs',
  mediaType,
  bodyLimit: 10 * 1024 * 1024,
  accessFirst: true,
  // The protocol uses 422 for invalid parameters.
  statuses: { bad_request: 422 },
  refusalBody: Type.Object({ message: text('What is wrong, for a person'), lock: optional(Lock) }),
  async authenticate(request, deps) {
    const { password } = basicCredentials(request.headers.authorization) ?? {}
    if (password === undefined || !looksLikeLfsToken(password)) return git.authenticate(request, deps)
    const grant = readLfsToken(deps.secrets, password, deps.now())
    if (!grant) throw unauthenticated()
    const { holder, ...limits } = grant
    // The token grants no more than the credential that it was made for grants now.
    const actor = await actorOfGitCredential(holder, deps)
    if (!actor) throw unauthenticated()
    const reason = whyActorInactive(actor)
    if (reason !== undefined) throw forbidden(reason)
    await assertKeyIsActive(deps.database.db, actor, { id: limits.projectId })
    return { ...actor, lfs: limits }
  },
  refuse(refusal, request) {
    // Contract: anonymous callers are asked for credentials, also for a project that may not exist, as by git.
    const asked = refusal.kind === 'not_found' && isAnonymous(request.actor) ? unauthenticated() : refusal
    const challenge: Record<string, string> =
      asked.kind === 'unauthenticated' ? { 'lfs-authenticate': 'Basic realm="Ingot"', 'www-authenticate': 'Basic realm="Ingot"' } : {}
    return {
      status: statusIn(lfs, asked.kind),
      mediaType,
      body: asked.kind === 'not_modified' ? undefined : JSON.stringify({ ...extra(asked), message: sentenceOf(asked) }),
      headers: { ...asked.headers, ...challenge },
    }
  },
  fail: (requestId, status) => ({
    status,
    mediaType,
    body: JSON.stringify({ message: 'The server failed', request_id: requestId }),
    headers: {},
  }),
}

/** Additional fields of a refusal: the conflicting lock. */
const extra = ({ body }: Refusal): object => (typeof body === 'object' && body !== null && 'lock' in body ? { lock: body.lock } : {})
