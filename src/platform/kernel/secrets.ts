/**
 * Secrets at rest: tokens and session ids are kept as digests, passwords with scrypt, and what must be read back
 * (variables, hook tokens) encrypted with the instance's key.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  type DecipherGCM,
  randomBytes,
  scrypt as scryptCallback,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { Secret } from '../secret.ts'

const scrypt = promisify(scryptCallback) as (
  password: string,
  salt: Buffer,
  length: number,
  options: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>

/** The digest under which a token is found: SHA-256, for tokens have enough entropy of their own. */
export const digestOf = (token: string | Secret): string => createHash('sha256').update(Secret.of(token).reveal()).digest('base64url')

/**
 * A new token of exactly 20 characters of `[A-Za-z0-9_-]`: the length that every client takes for a classic token (clients.md 0.6).
 * It never begins with `-`: a command line takes such a value for an option (`curl -H`, `glab --token`, python's argparse).
 */
export function newToken(prefix = ''): Secret {
  const random = randomBytes(15).toString('base64url')
  return random.startsWith('-') ? newToken(prefix) : new Secret(prefix + random)
}

/** A longer random value, hex, for sessions, codes and OAuth tokens: 64 characters. */
export const newLongToken = (): Secret => new Secret(randomBytes(32).toString('hex'))

/** scrypt's cost: about 40 ms and 16 MB a password on the machines Ingot is made for. */
const cost = { N: 16_384, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

/** A salted digest of a password, with its cost, for keeping. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await scrypt(password.normalize('NFKC'), salt, 32, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Was the digest made with the cost of today? Otherwise it is made again when the password is given the next time. */
export const hasPresentCost = (digest: string): boolean => digest.startsWith(`scrypt$${cost.N}$${cost.r}$${cost.p}$`)

/** Does `password` belong to this digest? Takes as long for a wrong password as for a right one. */
export async function verifyPassword(password: string, digest: string): Promise<boolean> {
  const [kind, N, r, p, salt, key] = digest.split('$')
  if (kind !== 'scrypt' || !salt || !key) throw new Error('unknown password digest')
  const expected = Buffer.from(key, 'base64url')
  const actual = await scrypt(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), expected.length, {
    N: Number(N),
    r: Number(r),
    p: Number(p),
    maxmem: cost.maxmem,
  })
  return timingSafeEqual(actual, expected)
}

/** Encryption and signatures with the instance's key. */
export class Secrets {
  readonly #key: Buffer
  readonly #former: readonly Buffer[]

  /**
   * @param key 32 random bytes, kept in the data directory or given by the environment.
   * @param former keys that were used before: what they encrypted and signed can still be read
   */
  constructor(key: Buffer, former: readonly Buffer[] = []) {
    if ([key, ...former].some(({ length }) => length !== 32)) throw new Error('the instance key must have 32 bytes')
    this.#key = key
    this.#former = former
  }

  /** Encrypts a text for the database (AES-256-GCM); `purpose` binds it to its column. */
  encrypt(value: string | Secret, purpose: string): string {
    const text = Secret.of(value).reveal()
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', derive(this.#key, purpose), iv)
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return ['v1', iv.toString('base64url'), cipher.getAuthTag().toString('base64url'), data.toString('base64url')].join('.')
  }

  /** What was encrypted; throws when the value was altered or belongs to another purpose. */
  decrypt(stored: string, purpose: string): Secret {
    return new Secret(this.#read(stored, purpose).text)
  }

  /** The text encrypted with the key of today; undefined where it is already. Throws as `decrypt` does. */
  renew(stored: string, purpose: string): string | undefined {
    const { text, key } = this.#read(stored, purpose)
    return key === this.#key ? undefined : this.encrypt(text, purpose)
  }

  #read(stored: string, purpose: string): { readonly text: string; readonly key: Buffer } {
    const [version, iv, tag, data] = stored.split('.')
    if (version !== 'v1' || !iv || !tag || data === undefined) throw new Error('unknown ciphertext')
    for (const key of [this.#key, ...this.#former]) {
      const decipher = createDecipheriv('aes-256-gcm', derive(key, purpose), Buffer.from(iv, 'base64url'))
      decipher.setAuthTag(Buffer.from(tag, 'base64url'))
      const start = decipher.update(Buffer.from(data, 'base64url'))
      const end = finished(decipher)
      if (end) return { text: Buffer.concat([start, end]).toString('utf8'), key }
    }
    throw new Error('no key of the instance reads this ciphertext')
  }

  /** A signature of `text` for one purpose (CSRF tokens). */
  sign(text: string, purpose: string): string {
    return signatureBy(this.#key, text, purpose)
  }

  /** Is `signature` the one that `sign` gives? In constant time. */
  verify(text: string, purpose: string, signature: string): boolean {
    const actual = Buffer.from(signature)
    return [this.#key, ...this.#former].some(key => {
      const expected = Buffer.from(signatureBy(key, text, purpose))
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    })
  }

  /** A signature of 21 characters of `[0-9a-z]`, 104 bits: for addresses of mail, which are short and may come back in any case of letters. */
  signShort(text: string, purpose: string): string {
    return shortened(this.sign(text, purpose))
  }

  /** Is `signature` the one that `signShort` gives? In constant time. */
  verifyShort(text: string, purpose: string, signature: string): boolean {
    const actual = Buffer.from(signature)
    return [this.#key, ...this.#former].some(key => {
      const expected = Buffer.from(shortened(signatureBy(key, text, purpose)))
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    })
  }
}

/** The first 104 bits of a signature, in base 36. */
const shortened = (signature: string): string =>
  BigInt(`0x${Buffer.from(signature, 'base64url').subarray(0, 13).toString('hex')}`)
    .toString(36)
    .padStart(21, '0')

/** Keys of purposes by the key that they come from: making one takes longer than reading what it has encrypted. */
const derived = new WeakMap<Buffer, Map<string, Buffer>>()

/** Purposes whose keys are kept. There are fewer; a purpose that is made of something else must not fill the memory. */
const MOST_DERIVED = 200

/** The key of one purpose. */
function derive(key: Buffer, purpose: string): Buffer {
  const byPurpose = derived.get(key) ?? new Map<string, Buffer>()
  derived.set(key, byPurpose)
  const made = byPurpose.get(purpose) ?? createHmac('sha256', key).update(purpose).digest()
  if (byPurpose.size < MOST_DERIVED) byPurpose.set(purpose, made)
  return made
}

const signatureBy = (key: Buffer, text: string, purpose: string): string =>
  createHmac('sha256', derive(key, purpose)).update(text).digest('base64url')

/** The rest of what is decrypted; undefined where the tag says that it is not what was encrypted with this key. */
function finished(decipher: DecipherGCM): Buffer | undefined {
  try {
    return decipher.final()
  } catch {
    return undefined
  }
}
