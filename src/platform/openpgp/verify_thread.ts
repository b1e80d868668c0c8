/** Runs in a thread: reads a key and a signature, and verifies (verify.ts). The library is loaded here alone. */
import { createMessage, enums, type PartialConfig, type PublicKey, readKey, readSignature, verify } from 'openpgp'
import type { AskedSignature, CertifiedUserId, SignatureVerdict } from './verify.ts'

const config: PartialConfig = {
  // A key whose own signatures were made again (another expiry, another preference) has signed before with the same right.
  allowInsecureVerificationWithReformattedKeys: true,
}

/** Milliseconds that the clock of a signer may be ahead. */
const CLOCKS = 24 * 60 * 60 * 1000

const MOST_USER_IDS = 50

/** The keys that were read last, by their text: a list of commits has few signers. */
const keys = new Map<string, PublicKey>()
const KEYS = 20

export default async function check({ key, signature, payload, now }: AskedSignature): Promise<SignatureVerdict> {
  const date = new Date(now + CLOCKS)
  const read = await keyOf(key)
  if (!read) return { isValid: false, userIds: [] }
  return { isValid: await isSignedBy(read, signature, payload, date), userIds: await certified(read, date) }
}

async function keyOf(text: string): Promise<PublicKey | undefined> {
  const known = keys.get(text)
  if (known) return known
  try {
    const key = await readKey({ armoredKey: text, config })
    keys.set(text, key)
    if (keys.size > KEYS) keys.delete(keys.keys().next().value as string)
    return key
  } catch {
    return undefined
  }
}

async function isSignedBy(key: PublicKey, armored: string, payload: Uint8Array, date: Date): Promise<boolean> {
  try {
    const signature = await readSignature({ armoredSignature: armored, config })
    const [only, ...others] = signature.packets
    // A signature of text leaves open how its lines end; git signs bytes.
    if (!only || others.length > 0 || only.signatureType !== enums.signature.binary) return false
    const message = await createMessage({ binary: payload })
    const { signatures } = await verify({ message, signature, verificationKeys: key, date, config })
    return signatures.length === 1 && (await signatures[0]?.verified) === true
  } catch {
    // Whatever is wrong with what was sent: it says nothing.
    return false
  }
}

async function certified(key: PublicKey, date: Date): Promise<CertifiedUserId[]> {
  const found: CertifiedUserId[] = []
  for (const user of key.users) {
    if (!user.userID || found.length === MOST_USER_IDS) continue
    const { name, email } = user.userID
    const isCertified = await user.verify(date).catch(() => false)
    if (isCertified) found.push({ name, email: email.toLowerCase() })
  }
  return found
}
