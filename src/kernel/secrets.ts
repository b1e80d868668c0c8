/**
 * Secrets at rest: tokens and session ids are kept as digests, passwords with scrypt, and what must be read back
 * (variables, hook tokens) encrypted with the instance's key.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  scrypt as scryptCallback,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'

const scrypt = promisify(scryptCallback) as (
  password: string,
  salt: Buffer,
  length: number,
  options: { N: number; r: number; p: number; maxmem: number },
) => Promise<Buffer>

/** The digest under which a token is found: SHA-256, for tokens have enough entropy of their own. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * A new token of exactly 20 characters of `[A-Za-z0-9_-]`: the length that every client takes for a classic token (clients.md 0.6).
 */
export function newToken(): string {
  return randomBytes(15).toString('base64url')
}

/** A longer random value, hex, for sessions, codes and OAuth tokens: 64 characters. */
export const newLongToken = (): string => randomBytes(32).toString('hex')

/** scrypt's cost: about 40 ms and 16 MB a password on the machines Ingot is made for. */
const cost = { N: 16_384, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

/** A salted digest of a password, with its cost, for keeping. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await scrypt(password.normalize('NFKC'), salt, 32, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

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

  /** @param key 32 random bytes, kept in the data directory or given by the environment. */
  constructor(key: Buffer) {
    if (key.length !== 32) throw new Error('the instance key must have 32 bytes')
    this.#key = key
  }

  /** Encrypts a text for the database (AES-256-GCM); `purpose` binds it to its column. */
  encrypt(text: string, purpose: string): string {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#derive(purpose), iv)
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return ['v1', iv.toString('base64url'), cipher.getAuthTag().toString('base64url'), data.toString('base64url')].join('.')
  }

  /** The text again; throws when the value was altered or belongs to another purpose. */
  decrypt(stored: string, purpose: string): string {
    const [version, iv, tag, data] = stored.split('.')
    if (version !== 'v1' || !iv || !tag || data === undefined) throw new Error('unknown ciphertext')
    const decipher = createDecipheriv('aes-256-gcm', this.#derive(purpose), Buffer.from(iv, 'base64url'))
    decipher.setAuthTag(Buffer.from(tag, 'base64url'))
    return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()]).toString('utf8')
  }

  /** A signature of `text` for one purpose (CSRF tokens). */
  sign(text: string, purpose: string): string {
    return createHmac('sha256', this.#derive(purpose)).update(text).digest('base64url')
  }

  /** Is `signature` the one that `sign` gives? In constant time. */
  verify(text: string, purpose: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(text, purpose))
    const actual = Buffer.from(signature)
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  }

  #derive(purpose: string): Buffer {
    return createHmac('sha256', this.#key).update(purpose).digest()
  }
}
