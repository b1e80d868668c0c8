/** The text form of OpenPGP data (RFC 4880, section 6). Pure. */

/** What a block of text has inside. */
export type ArmourKind = 'PUBLIC KEY BLOCK' | 'SIGNATURE'

/** A block of text with these bytes and their checksum. */
export function armoured(kind: ArmourKind, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return [`-----BEGIN PGP ${kind}-----`, '', ...lines, `=${crc24(bytes).toString('base64')}`, `-----END PGP ${kind}-----`, ''].join('\n')
}

/** The bytes of a block of text, from its first line to its last; undefined if they are not base64 or the checksum is wrong. */
export function undoArmour(block: string): Buffer | undefined {
  const lines = block.split(/\r?\n/).map(line => line.trim())
  // Headers such as `Comment: …` end with an empty line.
  const empty = lines.indexOf('')
  const content = lines.slice(empty + 1, -1).filter(line => line !== '')
  const checksum = content.at(-1)?.startsWith('=') ? content.pop() : undefined
  const body = content.join('')
  if (empty < 0 || body.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return undefined
  const data = Buffer.from(body, 'base64')
  return checksum === undefined || checksum === `=${crc24(data).toString('base64')}` ? data : undefined
}

/** The checksum of armoured data (section 6.1). */
export function crc24(data: Buffer): Buffer {
  let crc = 0xb704ce
  for (const byte of data) {
    crc ^= byte << 16
    for (let bit = 0; bit < 8; bit++) {
      crc <<= 1
      if (crc & 0x1000000) crc ^= 0x1864cfb
    }
  }
  return Buffer.from([(crc >> 16) & 0xff, (crc >> 8) & 0xff, crc & 0xff])
}
