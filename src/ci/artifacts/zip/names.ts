/** Names of files in zips: UTF-8 if a flag says so, otherwise code page 437 (APPNOTE appendix D). */
import { crc32 } from 'node:zlib'
import { extraField, nameAt, nameLength, recordAt } from './directory.ts'

const IS_UTF8 = 0x800
/** Info-ZIP's field with the name in UTF-8. */
const UNICODE_PATH = 0x7075

/** The characters of code page 437 from 0x80 on. */
const upper =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** Bytes of code page 437 as text. */
const fromCodePage437 = (bytes: Buffer): string =>
  [...bytes].map(byte => (byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80])).join('')

/**
 * Does a record of the directory have this name? The UTF-8 bytes of the name always match: many programs write them without the flag
 * that says so.
 */
export function isNamed(name: string): (bytes: Buffer, at: number) => boolean {
  const wanted = Buffer.from(name)
  const isPlain = wanted.length === name.length
  return (bytes, at) => {
    const start = nameAt(at)
    const end = start + nameLength(bytes, at)
    if (end - start === wanted.length && wanted.compare(bytes, start, end) === 0) return true
    if (isPlain) return false
    const record = recordAt(bytes, at)
    return (record.flags & IS_UTF8) === 0 && (unicodePath(record)?.equals(wanted) || fromCodePage437(record.name) === name)
  }
}

/** The UTF-8 name in the extra field; undefined if the plain name has been changed since. */
function unicodePath({ name, extra }: { readonly name: Buffer; readonly extra: Buffer }): Buffer | undefined {
  const field = extraField(extra, UNICODE_PATH)
  if (!field || field.length < 5 || field.readUInt8(0) !== 1 || field.readUInt32LE(1) !== crc32(name)) return undefined
  return field.subarray(5)
}
