import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

/**
 * Bytes of unknown encoding as text that JSON can carry. Contents in a repository have no declared encoding: UTF-8 if
 * they are valid as such, otherwise Latin-1, which gives every byte a character and loses nothing.
 */
export function decodeText(bytes: Buffer, declared?: string): string {
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) {
    const decoder = decoderOf(declared)
    if (decoder !== undefined) return decoder.decode(bytes)
  }
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1')
}

/** A decoder for an encoding by the name that somebody gave it; undefined for one that nobody knows. */
export function decoderOf(encoding: string): TextDecoder | undefined {
  try {
    return new TextDecoder(encoding)
  } catch {
    // An encoding nobody knows is a fact about the commit, not a failure: the bytes are then judged by themselves.
    return undefined
  }
}
