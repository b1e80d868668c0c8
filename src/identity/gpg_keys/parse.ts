/**
 * Parses pasted public OpenPGP keys (RFC 4880, sections 5.5.2 and 6): the armour is decoded and checked, and the packets are read as far as fingerprints
 * and key IDs need. No signature is verified here. Pure.
 */
import { undoArmour } from '../../platform/openpgp/armour.ts'
import { fingerprintOfKey, keyIdOf, splitPackets, tags } from '../../platform/openpgp/packets.ts'

/** A well-formed public key. */
export interface ParsedGpgKey {
  /** The armoured block, without the surrounding text. */
  readonly text: string
  /** Of the primary key: 40 hex digits, lower case. */
  readonly fingerprint: string
  /** Of the primary key and its subkeys of version 4: 16 hex digits each, lower case. Nothing proves that a subkey is of the key. */
  readonly keyIds: readonly string[]
  /** Whose the key says that it is, in its order: names with addresses, which nothing proves. */
  readonly userIds: readonly string[]
}

const BEGIN = '-----BEGIN PGP PUBLIC KEY BLOCK-----'
const END = '-----END PGP PUBLIC KEY BLOCK-----'

/** The armoured blocks of a text. A pattern would look for the end once for each beginning. */
function blocksIn(text: string): string[] {
  const blocks: string[] = []
  let begin = text.indexOf(BEGIN)
  while (begin >= 0) {
    const end = text.indexOf(END, begin + BEGIN.length)
    if (end < 0) break
    blocks.push(text.slice(begin, end + END.length))
    begin = text.indexOf(BEGIN, end + END.length)
  }
  return blocks
}

const VERSION = 4

/** Parses a public key of version 4 with a user id; undefined if it is none, or several. */
export function parseGpgKey(pasted: string): ParsedGpgKey | undefined {
  const [text, ...others] = blocksIn(pasted)
  if (text === undefined || others.length > 0) return undefined
  const data = undoArmour(text)
  const packets = data && splitPackets(data)
  const [primary, ...rest] = packets ?? []
  if (primary?.tag !== tags.publicKey || primary.body[0] !== VERSION || primary.body.length < 10) return undefined
  const userIds = rest.filter(({ tag }) => tag === tags.userId).map(({ body }) => body.toString())
  if (userIds.length === 0 || rest.some(({ tag }) => tag === tags.publicKey)) return undefined
  const fingerprint = fingerprintOfKey(primary.body)
  const subkeys = rest.filter(({ tag, body }) => tag === tags.publicSubkey && body[0] === VERSION)
  const keyIds = [fingerprint, ...subkeys.map(({ body }) => fingerprintOfKey(body))].map(keyIdOf)
  return { text, fingerprint, keyIds: [...new Set(keyIds)], userIds }
}

/** What is wrong with a text that is no key, after the label of its field. */
export const NO_GPG_KEY = 'is no public key of OpenPGP: it begins with -----BEGIN PGP PUBLIC KEY BLOCK-----'
