/**
 * Verifies detached signatures of OpenPGP. Keys and signatures are what users send, so a thread reads them, within limits: what takes longer, is damaged, or
 * uses what is not safe any more (SHA-1, MD5, DSA, short RSA keys) is not valid.
 */
import { KeptThread } from '../threads/kept_thread.ts'
import { WorkTooLarge } from '../threads/threaded_work.ts'

/** What the thread is asked. */
export interface AskedSignature {
  /** The public key, armoured. */
  readonly key: string
  /** The signature, armoured. */
  readonly signature: string
  /** What was signed. */
  readonly payload: Uint8Array
  /** Now, in milliseconds since 1970. */
  readonly now: number
}

/** Whose the key is by a signature of its own. */
export interface CertifiedUserId {
  readonly name: string
  /** In small letters; empty where it has none. */
  readonly email: string
}

/** What the thread finds. */
export interface SignatureVerdict {
  /** Is it one signature of these bytes by the key, or by a subkey that both bound to each other, made while the key was in force? */
  readonly isValid: boolean
  /** Those that the key has signed and not revoked, the first ones of very many. */
  readonly userIds: readonly CertifiedUserId[]
}

/** Bytes of a signature, and of what was signed: more is not looked at. */
export const signatureLimits = { signature: 32 * 1024, payload: 1024 * 1024 } as const

/** Milliseconds for one signature; an ordinary one takes about ten. */
const TIME = 2_000

const thread = new KeptThread<AskedSignature, SignatureVerdict>(new URL('./verify_thread.ts', import.meta.url), { memory: 96 })

/**
 * What there is to say of a signature; undefined where it takes more time or memory than it may.
 * @throws Refusal 429 or 503 where too many wait for the thread
 */
export async function verifySignature(asked: AskedSignature): Promise<SignatureVerdict | undefined> {
  try {
    return await thread.run(asked, TIME)
  } catch (error) {
    if (error instanceof WorkTooLarge) return undefined
    throw error
  }
}
