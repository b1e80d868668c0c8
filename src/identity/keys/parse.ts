/**
 * Parses pasted public SSH keys, `type base64 comment`, and validates them against RFC 4253, 5656 and 8709 and OpenSSH's format for
 * security keys. Pure.
 */
import { createHash } from 'node:crypto'

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

/** Parses a public key; undefined if it is none. */
export function parseKey(pasted: string): ParsedKey | undefined {
  const [type = '', body = '', ...comment] = pasted.trim().split(/[ \t]+/)
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined
  const blob = decodeBase64(body)
  if (!format || !blob || /[\r\n]/.test(pasted.trim())) return undefined
  const fields = split(blob)
  const [name, ...rest] = fields ?? []
  if (name?.toString('latin1') !== type || rest.length !== format.length) return undefined
  if (!format.every((check, index) => check(rest[index] as Buffer))) return undefined
  const md5 = createHash('md5').update(blob).digest('hex')
  return {
    text: [type, body, ...comment].join(' '),
    fingerprint: (md5.match(/../g) as string[]).join(':'),
    fingerprintSha256: createHash('sha256').update(blob).digest('base64').replace(/=+$/, ''),
    type: types[type] as KeyType,
    bits: sizeOf(type, rest),
  }
}

/** Strict: Node's decoder accepts any text. */
function decodeBase64(body: string): Buffer | undefined {
  return body.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(body) ? Buffer.from(body, 'base64') : undefined
}

/** The length-prefixed fields of a blob; undefined if they do not fill it exactly. */
function split(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = []
  let at = 0
  while (at < blob.length) {
    if (at + 4 > blob.length) return undefined
    const end = at + 4 + blob.readUInt32BE(at)
    if (end > blob.length) return undefined
    fields.push(blob.subarray(at + 4, end))
    at = end
  }
  return fields
}
