/** Whom a token of the registry stands for now. */

import { actorOfDigest, type DigestedToken } from '../../../code/git_http/tokens.ts'
import { type Actor, anonymous } from '../../../platform/access/actor.ts'
import { credentialNameOf } from '../../../platform/access/current_actor.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { forbidden, unauthenticated } from '../../../platform/kernel/errors.ts'
import { actorOfCredential, whyActorInactive } from '../../../platform/kernel/request/authenticate.ts'
import { digestOf } from '../../../platform/kernel/secrets.ts'
import { readRegistryToken, type TokenHolder } from './tokens.ts'

/**
 * What names the credential of a caller in a token.
 * @param secret the password that the caller sent
 */
export function holderOf(actor: Actor, secret: string | undefined): TokenHolder | undefined {
  const { credential } = actor
  const isDigested = credential?.kind === 'job_token' || credential?.kind === 'deploy_token'
  return isDigested && secret !== undefined ? { kind: credential.kind, digest: digestOf(secret) } : credentialNameOf(actor)
}

/** The caller who sends a token, with what it grants. @throws Refusal 401 for a token that is none, or whose credential has ended */
export async function actorOfRegistryToken(token: string, deps: Deps): Promise<Actor> {
  const grant = readRegistryToken(deps.secrets, token, deps.now())
  if (!grant) throw unauthenticated()
  const actor = grant.holder === undefined ? anonymous : await actorOfHolder(grant.holder, deps)
  if (!actor) throw unauthenticated()
  const reason = whyActorInactive(actor)
  if (reason !== undefined) throw forbidden(reason)
  return { ...actor, registry: grant.access }
}

const actorOfHolder = (holder: TokenHolder, deps: Deps): Promise<Actor | undefined> =>
  'digest' in holder ? actorOfDigest(holder satisfies DigestedToken, deps) : actorOfCredential(holder, deps)
