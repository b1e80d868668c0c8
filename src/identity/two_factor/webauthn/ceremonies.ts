/** What is asked of authenticators, and whether their answers hold: for this instance's address, by a challenge of it, once. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { parseJson } from '../../../platform/bounded_json.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { UserRow } from '../../users/queries.ts'
import { isChallenge, newChallenge, useChallenge } from './challenges.ts'
import { type CredentialRow, credentialById, credentialsOf } from './queries.ts'

/** Loaded when it is first needed: with all that it reads certificates by, it takes a tenth of the time of a start. */
const library = () => import('@simplewebauthn/server')
const forms = () => import('@simplewebauthn/server/helpers')

/** EdDSA, ES256 and RS256, as COSE numbers them. */
const ALGORITHMS = [-8, -7, -257]

type Facts = Pick<Context, 'deps' | 'now' | 'url' | 'log'>

/** The site that authenticators bind their keys to: that of the instance's address. */
const site = ({ url }: Pick<Context, 'url'>) => ({ origin: new URL(url).origin, rpId: new URL(url).hostname })

const described = ({ credential_id, transports }: CredentialRow) => ({ id: credential_id, transports })

/** The name of a credential in base64url, of at most 1023 bytes (WebAuthn level 2 section 4). */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/

/** How browsers reach an authenticator (WebAuthn level 2 section 5.8.4, and level 3). */
const TRANSPORTS: ReadonlySet<unknown> = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** What a browser says of the ways to an authenticator is not signed: only what is known is kept, each once. */
const knownTransports = (said: unknown): string[] => (Array.isArray(said) ? [...new Set(said)].filter(one => TRANSPORTS.has(one)) : [])

const registering = (userId: number, isPasskey: boolean): string => `${isPasskey ? 'passkey' : 'security key'} of user ${userId}`

/** What the browser asks an authenticator to make. */
export async function registrationOptions(ctx: Facts & Pick<Context, 'db'>, user: UserRow, isPasskey: boolean) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Ingot',
    rpID: site(ctx).rpId,
    userName: user.username,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(String(user.id)),
    challenge: newChallenge(ctx, registering(user.id, isPasskey)),
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: (await credentialsOf(ctx.db, user.id)).map(described),
    authenticatorSelection: isPasskey
      ? { residentKey: 'required', userVerification: 'required' }
      : { residentKey: 'discouraged', userVerification: 'discouraged' },
  })
}

/** The key that an authenticator has made; undefined where the answer does not hold, or was given before. */
export async function registered(ctx: Facts & Pick<Context, 'db'>, user: UserRow, isPasskey: boolean, response: string) {
  const answer = parsed(response) as RegistrationResponseJSON | undefined
  if (!answer) return undefined
  const { origin, rpId } = site(ctx)
  const challenges: string[] = []
  const { verifyRegistrationResponse } = await library()
  const verify = async () =>
    verifyRegistrationResponse({
      response: await withoutStatement(answer),
      expectedChallenge: noting(ctx, registering(user.id, isPasskey), challenges),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: isPasskey,
      supportedAlgorithmIDs: ALGORITHMS,
    })
  const result = await verify().catch(error => noted(ctx, error))
  if (!result?.verified) return undefined
  const { id, publicKey, counter, transports } = result.registrationInfo.credential
  if (!CREDENTIAL_ID.test(id) || !(await useOnce(ctx.db, challenges, ctx.now))) return undefined
  return { credential_id: id, public_key: Buffer.from(publicKey), counter, transports: knownTransports(transports) }
}

/**
 * The answer without what the authenticator says of its maker. That is not asked for and nothing follows from it, but the library would check its
 * certificates: for those of known makers it asks their servers for lists of revoked ones, wherever outbound requests may go.
 */
async function withoutStatement(answer: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await forms()
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(answer.response.attestationObject)).get('authData')
  const bare = new Map<string, string | Uint8Array<ArrayBuffer> | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ])
  return { ...answer, response: { ...answer.response, attestationObject: isoBase64URL.fromBuffer(isoCBOR.encode(bare)) } }
}

/**
 * What the browser asks an authenticator to sign.
 * @param credentials those that may answer; none: any passkey of this site
 * @param isVerified whether the authenticator must verify its user
 */
export async function assertionOptions(
  ctx: Facts,
  subject: string,
  credentials?: readonly CredentialRow[],
  isVerified = credentials === undefined,
) {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: site(ctx).rpId,
    challenge: newChallenge(ctx, subject),
    userVerification: isVerified ? 'required' : 'discouraged',
    ...(credentials && { allowCredentials: credentials.map(described) }),
  })
}

/** What an answer must be besides right. */
export interface AssertionOptions {
  readonly subject: string
  /** The authenticator has verified its user, and the key is a passkey. */
  readonly isPasskey: boolean
}

/** The credential whose authenticator has signed; undefined where the answer does not hold. Not used up yet. */
export async function asserted(ctx: Facts & Pick<Context, 'db'>, response: string, { subject, isPasskey }: AssertionOptions) {
  const answer = parsed(response) as AuthenticationResponseJSON | undefined
  const id: unknown = answer?.id
  const row = typeof id === 'string' && CREDENTIAL_ID.test(id) ? await credentialById(ctx.db, id) : undefined
  if (!answer || !row || (isPasskey && !row.passkey)) return undefined
  const { origin, rpId } = site(ctx)
  const challenges: string[] = []
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: noting(ctx, subject, challenges),
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: { id: row.credential_id, publicKey: new Uint8Array(row.public_key), counter: row.counter },
    requireUserVerification: isPasskey,
  }).catch(error => noted(ctx, error))
  if (!result?.verified) return undefined
  return { userId: row.user_id, id: row.id, counter: result.authenticationInfo.newCounter, challenges }
}

export type Assertion = NonNullable<Awaited<ReturnType<typeof asserted>>>

/** Uses an answer up; false where it was used before, or the counter has gone on since. `db`: a transaction. */
export async function useAssertion({ db, now }: Pick<Context, 'db' | 'now'>, { id, counter, challenges }: Assertion): Promise<boolean> {
  const row = await db.selectFrom('webauthn_credentials').select('counter').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row || (counter <= row.counter && (counter > 0 || row.counter > 0))) return false
  if (!(await useOnce(db, challenges, now))) return false
  await db.updateTable('webauthn_credentials').set({ counter, last_used_at: now }).where('id', '=', id).execute()
  return true
}

/** Checks a challenge and keeps which one it was. */
const noting = (ctx: Facts, subject: string, challenges: string[]) => (challenge: string) => {
  challenges.push(challenge)
  return isChallenge(ctx, subject, challenge)
}

async function useOnce(db: Db, challenges: readonly string[], now: Date): Promise<boolean> {
  for (const challenge of challenges) if (!(await useChallenge(db, challenge, now))) return false
  return challenges.length > 0
}

/** Whatever is wrong with an answer is the client's; the log says what. */
function noted({ log }: Facts, error: unknown): undefined {
  log.info({ err: error }, 'the answer of an authenticator does not hold')
  return undefined
}

/** The JSON of an answer; undefined for any other text. */
function parsed(response: string): object | undefined {
  try {
    const value = parseJson(response)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
