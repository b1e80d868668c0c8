/** Whom a signed token stands for now. */
import { actorOfGitCredential } from '../../code/git_http/holders.ts'
import { actorOfDigest, type DigestedToken } from '../../code/git_http/tokens.ts'
import { type Actor, anonymous } from '../../platform/access/actor.ts'
import { credentialNameOf } from '../../platform/access/current_actor.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { forbidden, unauthenticated } from '../../platform/kernel/errors.ts'
import { whyActorInactive } from '../../platform/kernel/request/authenticate.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import type { Held, TokenHolder } from './sign.ts'

/**
 * What names the credential of a caller in a token.
 * @param secret the password that the caller sent
 */
export function holderOf(actor: Actor, secret: string | undefined): TokenHolder | undefined {
  const { credential } = actor
  const isDigested = credential?.kind === 'job_token' || credential?.kind === 'deploy_token'
  return isDigested && secret !== undefined ? { kind: credential.kind, digest: digestOf(secret) } : credentialNameOf(actor)
}

/** The caller who sends a token with this content. @throws Refusal 401 for no content, or where the credential has ended; 403 for an inactive account */
export async function actorOfSigned(content: Held | undefined, deps: Deps): Promise<Actor> {
  if (!content) throw unauthenticated()
  const actor = content.holder === undefined ? anonymous : await actorOfHolder(content.holder, deps)
  if (!actor) throw unauthenticated()
  const reason = whyActorInactive(actor)
  if (reason !== undefined) throw forbidden(reason)
  return actor
}

const actorOfHolder = (holder: TokenHolder, deps: Deps): Promise<Actor | undefined> =>
  'digest' in holder ? actorOfDigest(holder satisfies DigestedToken, deps) : actorOfGitCredential(holder, deps)

/** What the caller is called in a token: the name of the user, or of the deploy token. */
export const subjectOf = ({ user, credential }: Actor): string =>
  user?.username ?? (credential?.kind === 'deploy_token' ? `deploy-token-${credential.id}` : '')
