/**
 * Codes that an app makes from a shared secret and the time (RFC 6238). A secret that is being set up is kept nowhere: the page has it encrypted, bound
 * to its account, and hands it back with the first code.
 */
import { Secret as OtpSecret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { Secret } from '../../platform/secret.ts'

/** Seconds for which a code is shown. */
const PERIOD = 30

/** Steps before and after the present one whose codes count: clocks differ. */
const WINDOW = 1

/** Bytes of a secret: as long as the digest that the codes are made by. */
const BYTES = 20

/** Minutes in which a set-up must be finished. */
const SETUP_MINUTES = 60

/** The purpose of the encryption in the database. */
const STORED_PURPOSE = 'totp_factors.secret'

/** The purpose while it is set up: no other account can use it. */
const setupPurpose = (userId: number): string => `totp set-up of user ${userId}`

const generatorOf = (secret: Secret, label = '', issuer = 'Ingot'): TOTP =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: PERIOD, secret: OtpSecret.fromBase32(secret.reveal()) })

/** Encrypts a secret for the database. */
export const sealTotp = ({ secrets }: Pick<Deps, 'secrets'>, secret: Secret): string => secrets.encrypt(secret, STORED_PURPOSE)

/**
 * The time step whose code this is, at `now` or right beside it; undefined where it is none.
 * @param sealed the secret as the database has it, or as it is
 */
export function stepOfCode({ secrets }: Pick<Deps, 'secrets'>, sealed: string | Secret, code: string, now: Date): number | undefined {
  const secret = typeof sealed === 'string' ? secrets.decrypt(sealed, STORED_PURPOSE) : sealed
  const delta = generatorOf(secret).validate({ token: code, timestamp: now.getTime(), window: WINDOW })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD) + delta
}

/** What the page of the set-up shows. */
export interface TotpSetup {
  /** The encrypted secret, for the form to hand back. */
  readonly sealed: string
  /** The secret for those who type it into their app: in groups of four. */
  readonly typed: string
  /** The address that apps read, and a picture of it for their camera, as a data URL. */
  readonly address: string
  readonly picture: string
}

type SetupContext = Pick<Context, 'deps' | 'now' | 'url'>

/** A new secret for an account. */
export function beginTotp(ctx: SetupContext, user: { readonly id: number; readonly username: string }): TotpSetup {
  const secret = new Secret(new OtpSecret({ size: BYTES }).base32)
  const until = ctx.now.getTime() + SETUP_MINUTES * 60_000
  const sealed = ctx.deps.secrets.encrypt(`${until} ${secret.reveal()}`, setupPurpose(user.id))
  return shownSetup(ctx, user, sealed, secret)
}

/** The set-up that the page handed back, to be shown again; undefined where it is of another account, or too old. */
export function continuedTotp(ctx: SetupContext, user: { readonly id: number; readonly username: string }, sealed: string) {
  const secret = setupSecret(ctx, user.id, sealed)
  return secret && shownSetup(ctx, user, sealed, secret)
}

function shownSetup({ url }: SetupContext, { username }: { readonly username: string }, sealed: string, secret: Secret): TotpSetup {
  const text = secret.reveal()
  const address = generatorOf(secret, username, `Ingot ${new URL(url).host}`).toString()
  const picture = `data:image/svg+xml,${encodeURIComponent(renderSVG(address, { ecc: 'M', border: 2 }))}`
  return { sealed, typed: (text.match(/.{1,4}/g) ?? []).join(' '), address, picture }
}

/** The secret of a set-up; undefined where it is of another account, altered, or too old. */
export function setupSecret({ deps, now }: Pick<Context, 'deps' | 'now'>, userId: number, sealed: string): Secret | undefined {
  const opened = openSetup(deps, userId, sealed)
  const [until, secret] = opened?.reveal().split(' ') ?? []
  return secret !== undefined && Number(until) > now.getTime() ? new Secret(secret) : undefined
}

function openSetup({ secrets }: Pick<Deps, 'secrets'>, userId: number, sealed: string): Secret | undefined {
  try {
    return secrets.decrypt(sealed, setupPurpose(userId))
  } catch {
    // The form is the client's: what no key of the instance reads is no set-up.
    return undefined
  }
}
