/**
 * Parses pasted public OpenPGP keys (RFC 4880, sections 4.2, 5.5.2, 6 and 12.2): the armour is decoded and checked, and the packets are
 * read as far as the fingerprint needs. No signature is verified here. Pure.
 */
import { createHash } from 'node:crypto'
import { crc24 } from '../../platform/openpgp/armour.ts'

/** A well-formed public key. */
export interface ParsedGpgKey {
  /** The armoured block, without the surrounding text. */
  readonly text: string
  /** Of the primary key: 40 hex digits, lower case. */
  readonly fingerprint: string
  /** Whose the key says that it is, in its order: names with addresses, which nothing proves. */
  readonly userIds: readonly string[]
}

const block = /-----BEGIN PGP PUBLIC KEY BLOCK-----[\s\S]*?-----END PGP PUBLIC KEY BLOCK-----/g

const tags = { publicKey: 6, userId: 13 } as const

interface Packet {
  readonly tag: number
  readonly body: Buffer
}

/** Parses a public key of version 4 with a user id; undefined if it is none, or several. */
export function parseGpgKey(pasted: string): ParsedGpgKey | undefined {
  const [text, ...others] = pasted.match(block) ?? []
  if (text === undefined || others.length > 0) return undefined
  const data = undoArmour(text)
  const packets = data && splitPackets(data)
  const [primary] = packets ?? []
  if (primary?.tag !== tags.publicKey || primary.body[0] !== 4 || primary.body.length < 10) return undefined
  const userIds = packets?.filter(({ tag }) => tag === tags.userId).map(packet => packet.body.toString()) ?? []
  if (userIds.length === 0 || packets?.some(packet => packet !== primary && packet.tag === tags.publicKey)) return undefined
  const { body } = primary
  const head = Buffer.from([0x99, body.length >> 8, body.length & 0xff])
  return { text, fingerprint: createHash('sha1').update(head).update(body).digest('hex'), userIds }
}

/** The bytes of an armoured block; undefined if they are not base64 or the checksum is wrong. */
function undoArmour(text: string): Buffer | undefined {
  const lines = text.split(/\r?\n/).map(line => line.trim())
  // Headers such as `Comment: …` end with an empty line.
  const empty = lines.indexOf('')
  const content = lines.slice(empty + 1, -1).filter(line => line !== '')
  const checksum = content.at(-1)?.startsWith('=') ? content.pop() : undefined
  const body = content.join('')
  if (empty < 0 || body.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return undefined
  const data = Buffer.from(body, 'base64')
  return checksum === undefined || checksum === `=${crc24(data).toString('base64')}` ? data : undefined
}

/** The packets, in the old and the new format; undefined if they do not fill the data exactly. */
function splitPackets(data: Buffer): Packet[] | undefined {
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
  const length = !isNew
    ? field.readUIntBE(0, lengthBytes)
    : lengthBytes === 1
      ? (field[0] as number)
      : lengthBytes === 2
        ? (((field[0] as number) - 192) << 8) + (field[1] as number) + 192
        : field.readUInt32BE(1)
  return { tag, start, end: start + length }
}

/** The number of bytes of a length that begins with this one. Partial lengths are not allowed in keys. */
function newLengthBytes(first: number | undefined): number | undefined {
  if (first === undefined) return undefined
  if (first < 192) return 1
  if (first < 224) return 2
  return first === 255 ? 5 : undefined
}
