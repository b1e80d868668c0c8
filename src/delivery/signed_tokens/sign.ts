/**
 * Short-lived signed tokens for clients that trade a credential for one: they are not stored, and each names the credential that it was made for,
 * which is looked up on every use, so revoking that revokes the token.
 */
import { randomUUID } from 'node:crypto'
import type { CredentialName } from '../../platform/access/current_actor.ts'
import type { Secrets } from '../../platform/kernel/secrets.ts'

/** What a token was made for: a credential of a user by its name; the token of a job or a deploy token by its digest. */
export type TokenHolder = CredentialName | { readonly kind: 'job_token' | 'deploy_token'; readonly digest: string }

/** The content of every token, besides what its service adds. */
export interface Held {
  /** Undefined for anonymous callers. */
  readonly holder: TokenHolder | undefined
}

/** How a token is signed. */
export interface Signing {
  /** What the signature is for: a token for one purpose is none for another. */
  readonly purpose: string
  readonly issuer: string
  readonly subject: string
  readonly audience: string
  readonly now: Date
  /** In seconds. */
  readonly lifetime: number
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const HEADER = encoded({ typ: 'JWT', alg: 'HS256' })

/** A token with this content (RFC 7519). */
export function signToken(secrets: Secrets, content: Held, { purpose, issuer, subject, audience, now, lifetime }: Signing): string {
  const issued = Math.floor(now.getTime() / 1000)
  const payload = encoded({
    iss: issuer,
    sub: subject,
    aud: audience,
    iat: issued,
    nbf: issued - 5,
    exp: issued + lifetime,
    jti: randomUUID(),
    ...content,
  })
  return `${HEADER}.${payload}.${secrets.sign(`${HEADER}.${payload}`, purpose)}`
}

/** The content of a token of this purpose; undefined for an invalid or expired one, and for any other text. */
export function readToken<Content extends Held>(secrets: Secrets, token: string, purpose: string, now: Date): Content | undefined {
  const [header, payload, signature, ...rest] = token.split('.')
  if (header !== HEADER || payload === undefined || signature === undefined || rest.length > 0) return undefined
  if (!secrets.verify(`${header}.${payload}`, purpose, signature)) return undefined
  // The payload was written by `signToken`: its fields are valid.
  const content = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Content & { exp: number }
  return content.exp * 1000 > now.getTime() ? content : undefined
}

/** Does the text have the form of such a token? */
export const looksSigned = (text: string): boolean => text.startsWith(`${HEADER}.`)
