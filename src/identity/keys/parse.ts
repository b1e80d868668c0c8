/**
 * Parses pasted public SSH keys, `type base64 comment`, and validates them against RFC 4253, 5656 and 8709 and OpenSSH's format for
 * security keys. Pure.
 */
import { createHash } from 'node:crypto'
import { withoutEnding } from '../../platform/patterns/ends.ts'
import { Malformed, Reader } from './wire.ts'

/** A well-formed public key. */
export interface ParsedKey {
  /** On one line, without superfluous spaces. */
  readonly text: string
  /** MD5 in pairs of hex digits with colons. */
  readonly fingerprint: string
  /** SHA-256 in base64 without padding; the API puts `SHA256:` before it. */
  readonly fingerprintSha256: string
  readonly type: KeyType
  /** The size of the key: of RSA and DSA that of the modulus. */
  readonly bits: number
}

/** The types of keys, as the settings of the instance name them. */
export type KeyType = 'rsa' | 'dsa' | 'ecdsa' | 'ed25519' | 'ecdsa_sk' | 'ed25519_sk'

/** The validators of the fields after the type; every field is a length and that many bytes. */
type Fields = readonly ((field: Buffer) => boolean)[]

/** A positive number in its shortest form, of at least so many bits. */
const number =
  (bits = 1) =>
  (field: Buffer) => {
    const first = field[0]
    if (first === undefined || first > 0x7f || (first === 0 && (field[1] ?? 0) <= 0x7f)) return false
    return bitsOf(field) >= bits
  }
const text = (value: string) => (field: Buffer) => field.equals(Buffer.from(value))
const bytes = (length: number) => (field: Buffer) => field.length === length
/** An uncompressed point: 4 and two coordinates. */
const point = (length: number) => (field: Buffer) => field.length === length * 2 + 1 && field[0] === 4
const some = (field: Buffer) => field.length > 0

const formats: Readonly<Record<string, Fields>> = {
  'ssh-rsa': [number(), number(1024)],
  'ssh-dss': [number(1024), number(), number(), number()],
  'ssh-ed25519': [bytes(32)],
  'ecdsa-sha2-nistp256': [text('nistp256'), point(32)],
  'ecdsa-sha2-nistp384': [text('nistp384'), point(48)],
  'ecdsa-sha2-nistp521': [text('nistp521'), point(66)],
  'sk-ssh-ed25519@openssh.com': [bytes(32), some],
  'sk-ecdsa-sha2-nistp256@openssh.com': [text('nistp256'), point(32), some],
}

const types: Readonly<Record<string, KeyType>> = {
  'ssh-rsa': 'rsa',
  'ssh-dss': 'dsa',
  'ssh-ed25519': 'ed25519',
  'ecdsa-sha2-nistp256': 'ecdsa',
  'ecdsa-sha2-nistp384': 'ecdsa',
  'ecdsa-sha2-nistp521': 'ecdsa',
  'sk-ssh-ed25519@openssh.com': 'ed25519_sk',
  'sk-ecdsa-sha2-nistp256@openssh.com': 'ecdsa_sk',
}

/** The number of bits of a positive number. */
const bitsOf = (field: Buffer): number => {
  const digits = field[0] === 0 ? field.subarray(1) : field
  return digits.length * 8 - Math.clz32(digits[0] as number) + 24
}

function sizeOf(type: string, fields: readonly Buffer[]): number {
  if (type === 'ssh-rsa') return bitsOf(fields[1] as Buffer)
  if (type === 'ssh-dss') return bitsOf(fields[0] as Buffer)
  return Number(/nistp(\d+)/.exec(type)?.[1] ?? 256)
}

/** How many fields a key of this type has; undefined for a type that is not known. */
export const fieldCount = (type: string): number | undefined => (Object.hasOwn(formats, type) ? formats[type]?.length : undefined)

/** What the bytes of a public key have. */
export interface KeyParts {
  readonly type: string
  /** Those after the type, each as the format has it. */
  readonly fields: readonly Buffer[]
}

/** The parts of a public key; undefined for bytes that are none. */
export function partsOfKey(blob: Buffer): KeyParts | undefined {
  const [name, ...fields] = split(blob)
  const type = name?.toString('latin1') ?? ''
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined
  const isWhole = fields.length === format?.length && format.every((check, index) => check(fields[index] as Buffer))
  return isWhole ? { type, fields } : undefined
}

/** SHA-256 of a public key in base64 without padding. */
export const fingerprintOf = (blob: Buffer): string => withoutEnding(createHash('sha256').update(blob).digest('base64'), /=/)

/** Parses a public key; undefined if it is none. */
export function parseKey(pasted: string): ParsedKey | undefined {
  const [type = '', body = '', ...comment] = pasted.trim().split(/[ \t]+/)
  const blob = decodeBase64(body)
  const parts = blob && partsOfKey(blob)
  if (!parts || parts.type !== type || /[\r\n]/.test(pasted.trim())) return undefined
  const md5 = createHash('md5').update(blob).digest('hex')
  return {
    text: [type, body, ...comment].join(' '),
    fingerprint: (md5.match(/../g) as string[]).join(':'),
    fingerprintSha256: fingerprintOf(blob),
    type: types[type] as KeyType,
    bits: sizeOf(type, parts.fields),
  }
}

/** Strict: Node's decoder accepts any text. */
function decodeBase64(body: string): Buffer | undefined {
  return body.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(body) ? Buffer.from(body, 'base64') : undefined
}

/** The fields of a blob; none if they do not fill it exactly. */
function split(blob: Buffer): Buffer[] {
  const reader = new Reader(blob)
  const fields: Buffer[] = []
  try {
    while (!reader.isAtEnd) fields.push(reader.bytes())
    return fields
  } catch (error) {
    if (error instanceof Malformed) return []
    throw error
  }
}

/** What is wrong with a text that is no key, after the label of its field. */
export const NO_SSH_KEY = 'is no public key of SSH: it is one line, such as ssh-ed25519 AAAA… name'
