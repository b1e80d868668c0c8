/**
 * The packets of OpenPGP data (RFC 4880, sections 4.2, 5.2.3 and 12.2), read as far as it takes to know which key they are of. Nothing is verified here
 * (verify.ts does that). Pure.
 */
import { createHash } from 'node:crypto'
import { undoArmour } from './armour.ts'

/** The numbers of packets that are read. */
export const tags = { signature: 2, publicKey: 6, userId: 13, publicSubkey: 14 } as const

export interface Packet {
  readonly tag: number
  readonly body: Buffer
}

/** The packets, in the old and the new format; undefined if they do not fill the data exactly. */
export function splitPackets(data: Buffer): Packet[] | undefined {
  const packets: Packet[] = []
  let at = 0
  while (at < data.length) {
    const head = headerAt(data, at)
    if (!head || head.end > data.length) return undefined
    packets.push({ tag: head.tag, body: data.subarray(head.start, head.end) })
    at = head.end
  }
  return packets
}

function headerAt(data: Buffer, at: number): { tag: number; start: number; end: number } | undefined {
  const first = data[at] as number
  if ((first & 0x80) === 0) return undefined
  const isNew = (first & 0x40) !== 0
  const tag = isNew ? first & 0x3f : (first >> 2) & 0x0f
  const lengthBytes = isNew ? newLengthBytes(data[at + 1]) : [1, 2, 4, undefined][first & 3]
  const start = at + 1 + (lengthBytes ?? 0)
  if (lengthBytes === undefined || start > data.length) return undefined
  const field = data.subarray(at + 1, start)
  const length = isNew ? newLength(field) : field.readUIntBE(0, lengthBytes)
  return { tag, start, end: start + length }
}

/** The number of bytes of a length that begins with this one. Partial lengths are not allowed in keys and signatures. */
function newLengthBytes(first: number | undefined): number | undefined {
  if (first === undefined) return undefined
  if (first < 192) return 1
  if (first < 224) return 2
  return first === 255 ? 5 : undefined
}

/** A length in one, two or five bytes. */
function newLength(field: Buffer): number {
  const first = field[0] as number
  if (field.length === 1) return first
  return field.length === 2 ? ((first - 192) << 8) + (field[1] as number) + 192 : field.readUInt32BE(1)
}

/** The fingerprint of a key of version 4, or of a subkey, by the body of its packet: 40 hex digits, lower case. */
export function fingerprintOfKey(body: Buffer): string {
  const head = Buffer.from([0x99, body.length >> 8, body.length & 0xff])
  return createHash('sha1').update(head).update(body).digest('hex')
}

/** The ID of a key of version 4: the last 16 digits of its fingerprint. */
export const keyIdOf = (fingerprint: string): string => fingerprint.slice(-16)

/** What a block of signatures says of itself. */
export interface SignatureFacts {
  /** How many signatures are in it. */
  readonly count: number
  /** The ID of the key that made the first one, as it says: 16 hex digits, lower case; undefined where it does not say. */
  readonly keyId: string | undefined
}

const block = /^-----BEGIN PGP SIGNATURE-----\r?\n[\s\S]*?\n-----END PGP SIGNATURE-----\s*$/

/** Reads an armoured block of detached signatures; undefined if it is none. */
export function readSignature(text: string): SignatureFacts | undefined {
  const data = block.test(text) ? undoArmour(text.trimEnd()) : undefined
  const packets = data && splitPackets(data)
  const [first] = packets ?? []
  if (!packets || !first || packets.some(({ tag }) => tag !== tags.signature)) return undefined
  return { count: packets.length, keyId: issuerOf(first.body) }
}

const subpackets = { issuer: 16, issuerFingerprint: 33 } as const
const VERSION = 4

/** The ID of the key that a signature of version 4 says it is of. */
function issuerOf(body: Buffer): string | undefined {
  if (body[0] !== VERSION || body.length < 6) return undefined
  const hashed = areaAt(body, 4)
  const unhashed = hashed && areaAt(body, hashed.end)
  const found = [hashed, unhashed].flatMap(area => (area ? [...subpacketsIn(area.bytes)] : []))
  // The fingerprint of a key of this version has its version before it.
  const fingerprint = found.find(({ type, value }) => type === subpackets.issuerFingerprint && value[0] === VERSION && value.length === 21)
  const id = found.find(({ type, value }) => type === subpackets.issuer && value.length === 8)
  return fingerprint ? keyIdOf(fingerprint.value.toString('hex')) : id?.value.toString('hex')
}

function areaAt(body: Buffer, at: number): { readonly bytes: Buffer; readonly end: number } | undefined {
  if (at + 2 > body.length) return undefined
  const start = at + 2
  const end = start + body.readUInt16BE(at)
  return end > body.length ? undefined : { bytes: body.subarray(start, end), end }
}

function* subpacketsIn(area: Buffer): Generator<{ readonly type: number; readonly value: Buffer }> {
  for (let at = 0; at < area.length; ) {
    const first = area[at] as number
    const lengthBytes = first < 192 ? 1 : first < 255 ? 2 : 5
    const start = at + lengthBytes
    if (start >= area.length) return
    const end = start + newLength(area.subarray(at, start))
    if (end > area.length || end === start) return
    // The highest bit says that who does not know the type must not take the signature.
    yield { type: (area[start] as number) & 0x7f, value: area.subarray(start + 1, end) }
    at = end
  }
}
