/**
 * The tokens of the registry: signed, short-lived, and not stored. Each names the credential that it was made for, which is looked up on
 * every use, so revoking that revokes the token; and it grants no more than the actions that it names.
 */
import { randomUUID } from 'node:crypto'
import type { RegistryAccess } from '../../../platform/access/actor.ts'
import type { CredentialName } from '../../../platform/access/current_actor.ts'
import type { Secrets } from '../../../platform/kernel/secrets.ts'

/** The service that clients name when they ask for a token. */
export const SERVICE = 'container_registry'

/** The service of the dependency proxy, as clients of 14.0 name it: its tokens are for no single image. */
export const PROXY_SERVICE = 'dependency_proxy'

/** What a token was made for: a credential of a user by its name; the token of a job or a deploy token by its digest. */
export type TokenHolder = CredentialName | { readonly kind: 'job_token' | 'deploy_token'; readonly digest: string }

/** The content of a token. */
export interface RegistryGrant {
  /** Undefined for anonymous callers. */
  readonly holder: TokenHolder | undefined
  readonly access: readonly RegistryAccess[]
}

const PURPOSE = 'registry-token'

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const HEADER = encoded({ typ: 'JWT', alg: 'HS256' })

/** A token for this grant. @param lifetime in seconds */
export function signRegistryToken(
  secrets: Secrets,
  grant: RegistryGrant,
  { issuer, subject, now, lifetime }: { readonly issuer: string; readonly subject: string; readonly now: Date; readonly lifetime: number },
): string {
  const issued = Math.floor(now.getTime() / 1000)
  const payload = encoded({
    iss: issuer,
    sub: subject,
    aud: SERVICE,
    iat: issued,
    nbf: issued - 5,
    exp: issued + lifetime,
    jti: randomUUID(),
    ...grant,
  })
  return `${HEADER}.${payload}.${secrets.sign(`${HEADER}.${payload}`, PURPOSE)}`
}

/** The grant of a token; undefined for an invalid or expired one, and for any other text. */
export function readRegistryToken(secrets: Secrets, token: string, now: Date): RegistryGrant | undefined {
  const [header, payload, signature, ...rest] = token.split('.')
  if (header !== HEADER || payload === undefined || signature === undefined || rest.length > 0) return undefined
  if (!secrets.verify(`${header}.${payload}`, PURPOSE, signature)) return undefined
  // The payload was written by `signRegistryToken`: its fields are valid.
  const { exp, holder, access } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as RegistryGrant & { exp: number }
  return exp * 1000 > now.getTime() ? { holder, access } : undefined
}

/** Does the text have the form of such a token? */
export const looksLikeRegistryToken = (text: string): boolean => text.startsWith(`${HEADER}.`)
