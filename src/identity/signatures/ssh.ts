/**
 * Signatures of files by SSH keys, as `ssh-keygen -Y sign` and git make them (OpenSSH, PROTOCOL.sshsig, and PROTOCOL.u2f for security keys). Pure. What is
 * not understood is not valid: certificates, hashes other than SHA-256 and SHA-512, RSA with SHA-1.
 */
import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { isSignedBy, publicKeyIn } from '../keys/certificate.ts'
import { fingerprintOf, partsOfKey } from '../keys/parse.ts'
import { fieldOf, Malformed, Reader } from '../keys/wire.ts'

/** What a signature says of itself. */
export interface SshSignature {
  /** The bytes of the public key that is to have signed. */
  readonly publicKey: Buffer
  /** SHA-256 of it in base64 without padding. */
  readonly fingerprint: string
  readonly namespace: string
  readonly hash: string
  /** Algorithm and bytes. */
  readonly signature: Buffer
  readonly reserved: Buffer
}

const MAGIC = Buffer.from('SSHSIG')
const VERSION = 1

const block = /^-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\r\n]+)\n-----END SSH SIGNATURE-----\s*$/

/** Reads the text of a signature; undefined if it is none. */
export function readSshSignature(text: string): SshSignature | undefined {
  const body = block.exec(text)?.[1]
  return body === undefined ? undefined : unlessMalformed(() => signatureIn(Buffer.from(body, 'base64')))
}

function signatureIn(bytes: Buffer): SshSignature | undefined {
  const reader = new Reader(bytes)
  if (!reader.take(MAGIC.length).equals(MAGIC) || reader.number() !== VERSION) return undefined
  const publicKey = reader.bytes()
  const namespace = reader.text()
  const reserved = reader.bytes()
  const hash = reader.text()
  const signature = reader.bytes()
  return reader.isAtEnd ? { publicKey, fingerprint: fingerprintOf(publicKey), namespace, reserved, hash, signature } : undefined
}

const hashes: readonly string[] = ['sha256', 'sha512']

/** Is it the signature of this payload, in this namespace, by the key that it names? Whose that key is, is the caller's question. */
export function isSignatureOf(signature: SshSignature, payload: Buffer, namespace: string): boolean {
  if (signature.namespace !== namespace || !hashes.includes(signature.hash)) return false
  const signed = Buffer.concat([
    MAGIC,
    ...[Buffer.from(namespace), signature.reserved, Buffer.from(signature.hash), digest(signature.hash, payload)].map(fieldOf),
  ])
  const key = publicKeyIn(signature.publicKey)
  return key ? isSignedBy(key, signed, signature.signature) : isSignedBySecurityKey(signature.publicKey, signed, signature.signature)
}

const digest = (hash: string, bytes: Buffer): Buffer => createHash(hash).update(bytes).digest()

/** The bit by which a security key says that a person touched it. */
const TOUCHED = 0x01

/** The signature of a security key is of a digest of what was signed, with what the key says of itself. */
function isSignedBySecurityKey(publicKey: Buffer, signed: Buffer, signature: Buffer): boolean {
  const parts = partsOfKey(publicKey)
  const verifier = parts && securityKeyOf(parts.type, parts.fields)
  if (!parts || !verifier) return false
  const isSigned = unlessMalformed(() => {
    const reader = new Reader(signature)
    const algorithm = reader.text()
    const bytes = reader.bytes()
    const state = reader.take(5)
    const application = parts.fields.at(-1) as Buffer
    if (!reader.isAtEnd || algorithm !== parts.type || ((state[0] as number) & TOUCHED) === 0) return false
    return verifier(Buffer.concat([digest('sha256', application), state, digest('sha256', signed)]), bytes)
  })
  return isSigned ?? false
}

type Verifier = (signed: Buffer, signature: Buffer) => boolean

function securityKeyOf(type: string, fields: readonly Buffer[]): Verifier | undefined {
  if (type === 'sk-ssh-ed25519@openssh.com') {
    const key = keyOf({ kty: 'OKP', crv: 'Ed25519', x: (fields[0] as Buffer).toString('base64url') })
    return key && ((signed, signature) => verify(null, signed, key, signature))
  }
  if (type !== 'sk-ecdsa-sha2-nistp256@openssh.com') return undefined
  // The same key and form of signatures as those of a key without hardware.
  const plain = 'ecdsa-sha2-nistp256'
  const key = publicKeyIn(Buffer.concat([Buffer.from(plain), ...fields.slice(0, 2)].map(fieldOf)))
  return key && ((signed, signature) => isSignedBy(key, signed, Buffer.concat([Buffer.from(plain), signature].map(fieldOf))))
}

function keyOf(jwk: JsonWebKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    // No point of the curve.
    return undefined
  }
}

function unlessMalformed<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}
