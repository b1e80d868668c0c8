/** The encoding of an XML document. */
import { TextDecoder } from 'node:util'
import { decoderOf } from '../../platform/git/index.ts'

/** Maximum length of a document's declaration, in bytes. */
const DECLARATION = 256

/** The decoder of a document: by its byte order mark, or by its declaration; UTF-8 otherwise. */
export function decoderFor(start: Buffer): TextDecoder {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le')
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be')
  const [, name = 'utf-8'] = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/.exec(start.toString('latin1', 0, DECLARATION)) ?? []
  // The declaration was readable, so the encoding has one byte for each letter.
  return (/^utf-?16/i.test(name) ? undefined : decoderOf(name)) ?? new TextDecoder()
}
