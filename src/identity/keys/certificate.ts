/**
 * Certificates of users, as `ssh-keygen -s` makes them: a public key with who may use it, for how long and how, signed by an authority (OpenSSH,
 * PROTOCOL.certkeys). Pure. What is not understood is refused: a certificate may have limits that this program does not know.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { fieldCount, fingerprintOf, type KeyParts, type ParsedKey, parseKey, partsOfKey } from './parse.ts'
import { fieldOf, Malformed, Reader } from './wire.ts'

/** A certificate of a user, whose signature was verified. */
export interface UserCertificate {
  /** The certified key. */
  readonly key: ParsedKey
  /** The same, by which its signatures are verified. */
  readonly verifier: SshPublicKey
  /** The key of the authority that signed it, as SHA-256 in base64 without padding. */
  readonly authority: string
  readonly serial: bigint
  readonly keyId: string
  readonly principals: readonly string[]
  /** Seconds since 1970: from when, and until when. */
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly critical: ReadonlyMap<string, string>
}

const SUFFIX = '-cert-v01@openssh.com'

/** Is it the name of a certificate's algorithm? */
export const isCertificateType = (algorithm: string): boolean => algorithm.endsWith(SUFFIX)

/** The kind of a certificate for users; that of hosts is 2. */
const USER = 1

/** Names with values, each name once: a value is a text, or nothing. */
function optionsIn(bytes: Buffer): Map<string, string> {
  const reader = new Reader(bytes)
  const options = new Map<string, string>()
  while (!reader.isAtEnd) {
    const name = reader.text()
    const value = new Reader(reader.bytes())
    if (options.has(name)) throw new Malformed()
    options.set(name, value.isAtEnd ? '' : value.text())
    if (!value.isAtEnd) throw new Malformed()
  }
  return options
}

function textsIn(bytes: Buffer): string[] {
  const reader = new Reader(bytes)
  const texts: string[] = []
  while (!reader.isAtEnd) texts.push(reader.text())
  return texts
}

/**
 * Reads a certificate, and verifies the signature of its authority; undefined for one that is malformed, of a host, or not signed by the key that it
 * names. Whether that key is trusted is the caller's question.
 */
export function readCertificate(blob: Buffer): UserCertificate | undefined {
  try {
    return certificateIn(blob)
  } catch (error) {
    if (error instanceof Malformed) return undefined
    throw error
  }
}

function certificateIn(blob: Buffer): UserCertificate | undefined {
  const reader = new Reader(blob)
  const name = reader.text()
  const type = isCertificateType(name) ? name.slice(0, -SUFFIX.length) : ''
  const count = fieldCount(type)
  if (count === undefined) return undefined
  // The nonce.
  reader.bytes()
  const fields = Array.from({ length: count }, () => reader.bytes())
  const serial = reader.long()
  const kind = reader.number()
  const keyId = reader.text()
  const principals = textsIn(reader.bytes())
  const [validAfter, validBefore] = [reader.long(), reader.long()]
  const critical = optionsIn(reader.bytes())
  // Extensions permit what this server does not have (terminals, forwarding); those that are not known are ignored, as the format says.
  reader.bytes()
  // Reserved.
  reader.bytes()
  const signer = reader.bytes()
  const signed = blob.subarray(0, reader.at)
  const signature = reader.bytes()
  if (!reader.isAtEnd || kind !== USER) return undefined
  const authority = publicKeyIn(signer)
  if (!authority || !isSignedBy(authority, signed, signature)) return undefined
  const bytes = Buffer.concat([fieldOf(Buffer.from(type)), ...fields.map(fieldOf)])
  const [key, verifier] = [parseKey(`${type} ${bytes.toString('base64')}`), publicKeyIn(bytes)]
  if (!key || !verifier) return undefined
  return {
    key,
    verifier,
    authority: fingerprintOf(signer),
    serial,
    keyId,
    principals,
    validAfter,
    validBefore,
    critical,
  }
}

/** A public key, and how its signatures are verified. */
export interface SshPublicKey {
  readonly type: string
  readonly key: KeyObject
}

const curves: Readonly<Record<string, readonly [curve: string, bytes: number, hash: string]>> = {
  'ecdsa-sha2-nistp256': ['P-256', 32, 'sha256'],
  'ecdsa-sha2-nistp384': ['P-384', 48, 'sha384'],
  'ecdsa-sha2-nistp521': ['P-521', 66, 'sha512'],
}

/** Are certificates taken that a key of this type signs? */
export const isOfAuthorities = ({ type }: ParsedKey): boolean => type === 'ed25519' || type === 'rsa' || type === 'ecdsa'

/** The public key in these bytes; undefined for one of a type that is not taken, or that is malformed. */
export function publicKeyIn(blob: Buffer): SshPublicKey | undefined {
  const parts = partsOfKey(blob)
  const jwk = parts && jwkOf(parts)
  if (!jwk) return undefined
  try {
    return { type: parts.type, key: createPublicKey({ key: jwk, format: 'jwk' }) }
  } catch {
    // No point of the curve.
    return undefined
  }
}

const url = (bytes: Buffer): string => bytes.toString('base64url')

function jwkOf({ type, fields }: KeyParts) {
  const [first, second] = fields as [Buffer, Buffer]
  if (type === 'ssh-ed25519') return { kty: 'OKP', crv: 'Ed25519', x: url(first) }
  if (type === 'ssh-rsa') return { kty: 'RSA', e: url(unsigned(first)), n: url(unsigned(second)) }
  const [crv, length] = (Object.hasOwn(curves, type) && curves[type]) || []
  if (crv === undefined || length === undefined) return undefined
  return { kty: 'EC', crv, x: url(second.subarray(1, length + 1)), y: url(second.subarray(length + 1)) }
}

/** Without the zero before a number that would else be negative. */
const unsigned = (number: Buffer): Buffer => (number[0] === 0 ? number.subarray(1) : number)

const rsaHashes: Readonly<Record<string, string>> = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }

/** Is it the signature of this key? `signature` says its algorithm; SHA-1 is not taken. */
export function isSignedBy({ type, key }: SshPublicKey, signed: Buffer, signature: Buffer): boolean {
  try {
    const reader = new Reader(signature)
    const algorithm = reader.text()
    const bytes = reader.bytes()
    if (!reader.isAtEnd) return false
    if (type === 'ssh-ed25519') return algorithm === type && verify(null, signed, key, bytes)
    if (type === 'ssh-rsa') {
      const hash = Object.hasOwn(rsaHashes, algorithm) ? rsaHashes[algorithm] : undefined
      return hash !== undefined && isLargeEnough(key) && verify(hash, signed, key, bytes)
    }
    const [, length, hash] = (Object.hasOwn(curves, type) && curves[type]) || []
    if (algorithm !== type || length === undefined || hash === undefined) return false
    const numbers = new Reader(bytes)
    const [r, s] = [unsigned(numbers.bytes()), unsigned(numbers.bytes())]
    if (!numbers.isAtEnd || r.length > length || s.length > length) return false
    const padded = [r, s].map(number => Buffer.concat([Buffer.alloc(length - number.length), number]))
    return verify(hash, signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat(padded))
  } catch {
    return false
  }
}

const isLargeEnough = (key: KeyObject): boolean => (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
