/** The tokens of the registry: each grants no more than the actions that it names. */
import type { Actor, RegistryAccess } from '../../../platform/access/actor.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import type { Secrets } from '../../../platform/kernel/secrets.ts'
import { actorOfSigned } from '../../signed_tokens/holders.ts'
import { type Held, readToken, type Signing, signToken } from '../../signed_tokens/sign.ts'

/** The service that clients name when they ask for a token. */
export const SERVICE = 'container_registry'

/** The service of the dependency proxy, as clients of 14.0 name it: its tokens are for no single image. */
export const PROXY_SERVICE = 'dependency_proxy'

const PURPOSE = 'registry-token'

/** The content of a token. */
interface RegistryGrant extends Held {
  readonly access: readonly RegistryAccess[]
}

/** A token for this grant. */
export const signRegistryToken = (
  secrets: Secrets,
  grant: RegistryGrant,
  signing: Pick<Signing, 'issuer' | 'subject' | 'now' | 'lifetime'>,
): string => signToken(secrets, grant, { ...signing, purpose: PURPOSE, audience: SERVICE })

/** The caller who sends a token, with what it grants. @throws Refusal 401 for a token that is none, or whose credential has ended */
export async function actorOfRegistryToken(token: string, deps: Deps): Promise<Actor> {
  const grant = readToken<RegistryGrant>(deps.secrets, token, PURPOSE, deps.now())
  const actor = await actorOfSigned(grant, deps)
  return { ...actor, registry: grant?.access ?? [] }
}
