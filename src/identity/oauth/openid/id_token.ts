/** The id token: who signed in, for one application (OpenID Connect Core 1.0 section 2). */
import { randomUUID } from 'node:crypto'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Secret } from '../../../platform/secret.ts'
import { tokenSigner } from '../../signing_keys/commands.ts'
import { idTokenClaims, subjectById } from './claims.ts'

/** Seconds for which an id token is valid: an application reads it when it gets it. */
const LIFETIME = 120

export interface IdTokenInput {
  /** The client id of the application. */
  readonly audience: string
  readonly userId: number
  readonly scopes: readonly string[]
  readonly nonce: string | null
  readonly authTime: string | Date | null
}

const seconds = (instant: string | Date): number => Math.floor(new Date(instant).getTime() / 1000)

/** The id token of a user for an application; undefined without the scope `openid`. */
export async function idTokenOf(ctx: Context, { audience, userId, scopes, nonce, authTime }: IdTokenInput): Promise<Secret | undefined> {
  const subject = scopes.includes('openid') ? await subjectById(ctx.db, userId) : undefined
  if (!subject) return undefined
  const issued = seconds(ctx.now)
  const sign = await tokenSigner(ctx)
  return sign({
    iss: ctx.url,
    sub: String(userId),
    aud: audience,
    exp: issued + LIFETIME,
    iat: issued,
    jti: randomUUID(),
    ...(nonce === null ? {} : { nonce }),
    ...(authTime === null ? {} : { auth_time: seconds(authTime) }),
    ...idTokenClaims(subject, scopes),
  })
}
