/** Names of entries (RFC 4514) in one form, so that what two programs wrote differently is the same text. */

/** Characters that mean something in a name (RFC 4514 section 2.4). */
const SPECIAL = /[",+;<>\\=]/g

/**
 * The name in lower case, without spaces around its parts, and with each character escaped in one way. Directories compare names like this,
 * but for attributes that tell capitals from small letters, which nobody is named by.
 */
export const normalizedDn = (dn: string): string =>
  split(dn, ',')
    .map(rdn => split(rdn, '+').map(normalizedPair).sort().join('+'))
    .join(',')

function normalizedPair(pair: string): string {
  const at = pair.indexOf('=')
  if (at < 0) return pair.trim().toLowerCase()
  const [type, value] = [pair.slice(0, at).trim(), pair.slice(at + 1)]
  return `${type}=${escaped(unescaped(value))}`.toLowerCase()
}

/** The parts between these characters, but for escaped ones. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === separator) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

/** The value itself: two hex digits are a byte of UTF-8, any other escaped character is itself. Spaces around it do not count. */
function unescaped(value: string): string {
  const bytes: Buffer[] = []
  for (const [, hex, character, plain] of value.matchAll(/\\([0-9a-f]{2})|\\(.)|([^\\]+)/gisu))
    bytes.push(hex === undefined ? Buffer.from(character ?? plain ?? '') : Buffer.from(hex, 'hex'))
  return Buffer.concat(bytes).toString('utf8').trim().replace(/ +/g, ' ')
}

const escaped = (value: string): string =>
  value
    .replace(SPECIAL, character => `\\${character}`)
    .replace(/^#/, '\\#')
    .replaceAll('\0', '\\00')
