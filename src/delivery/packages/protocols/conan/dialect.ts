/** How Conan signs in: it trades a password for a token, and sends that as Bearer. */
import { basicCredentials } from '../../../../code/git_http/tokens.ts'
import { isAnonymous } from '../../../../platform/access/actor.ts'
import type { Context, Deps } from '../../../../platform/kernel/context.ts'
import { unauthenticated } from '../../../../platform/kernel/errors.ts'
import { actorOfSigned, holderOf, subjectOf } from '../../../signed_tokens/holders.ts'
import { readToken, signToken } from '../../../signed_tokens/sign.ts'
import { packageDialect, publishingScopes, readingScopes } from '../../dialect.ts'

const PURPOSE = 'conan-token'

/** In seconds: a day, as long as an upload may take. The credential may end sooner, and its tokens with it. */
const LIFETIME = 86_400

export const conan = packageDialect('conan', {
  challenges: true,
  signed: async (token: string, deps: Deps) => actorOfSigned(readToken(deps.secrets, token, PURPOSE, deps.now()), deps),
})

export const reading = { dialect: conan, scopes: readingScopes, jobToken: true } as const
export const writing = { dialect: conan, scopes: publishingScopes, jobToken: true } as const

/** A token for the caller. @throws Refusal 401 for callers without a credential that a token can name */
export function tokenFor({ actor, deps, now, url, request }: Context): string {
  const holder = isAnonymous(actor) ? undefined : holderOf(actor, basicCredentials(request.headers.authorization)?.password)
  if (!holder) throw unauthenticated()
  const signing = { purpose: PURPOSE, issuer: url, subject: subjectOf(actor), audience: 'conan', now, lifetime: LIFETIME }
  return signToken(deps.secrets, { holder }, signing)
}
