import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

/**
 * Decodes bytes of unknown encoding for JSON. Contents in a repository declare no encoding: UTF-8 if they are valid as such, otherwise
 * Latin-1, which maps every byte to a character and loses nothing.
 */
export function decodeText(bytes: Buffer, declared?: string): string {
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) {
    const decoder = decoderOf(declared)
    if (decoder !== undefined) return decoder.decode(bytes)
  }
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1')
}

/** A decoder for an encoding name; undefined for an unknown one. */
export function decoderOf(encoding: string): TextDecoder | undefined {
  try {
    return new TextDecoder(encoding)
  } catch {
    // An unknown encoding is a fact about the commit, not a failure: the bytes are then judged by themselves.
    return undefined
  }
}
