/**
 * A list of passwords that are known from breaches, as a file of this machine: SHA-1 in hex, one a line, in order, each perhaps with a colon and a count
 * behind it. It may have tens of gigabytes: it is searched by halves, and never read as a whole.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** Hex digits of a SHA-1. */
const DIGITS = 40

/** Longest line, with its count and end. */
const LINE = 128

/** Is the password in the list of this file? @throws Error where the file cannot be read, or is no such list */
export async function isBreached(file: string, password: string): Promise<boolean> {
  const wanted = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase()
  const list = await open(file, 'r')
  try {
    let [from, to] = [0, (await list.stat()).size]
    // The first line that begins at or after `from` and before `to` is looked at; both halves begin with a line.
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      const line = await lineFrom(list, middle, from)
      if (line === undefined || line.at >= to) {
        to = middle
        continue
      }
      if (line.digest === wanted) return true
      if (line.digest < wanted) from = line.end
      else to = middle
    }
    return false
  } finally {
    await list.close()
  }
}

/** The first line that begins at `at` or later; `start` is known to be the beginning of one. Undefined at the end of the file. */
async function lineFrom(list: FileHandle, at: number, start: number) {
  // From one byte before: the end of the line before says that one begins here.
  const offset = at === start ? at : at - 1
  const { buffer, bytesRead } = await list.read(Buffer.alloc(2 * LINE), 0, 2 * LINE, offset)
  const text = buffer.toString('latin1', 0, bytesRead)
  const begin = at === start ? 0 : text.indexOf('\n') + 1
  if (begin === 0 && at !== start) {
    if (bytesRead < 2 * LINE) return undefined
    throw new Error('the list of breached passwords has a line that is too long')
  }
  const digest = text.slice(begin, begin + DIGITS).toUpperCase()
  if (digest === '') return undefined
  if (!/^[0-9A-F]{40}$/.test(digest)) throw new Error('the list of breached passwords has a line that is no SHA-1')
  const lineEnd = text.indexOf('\n', begin)
  return { at: offset + begin, digest, end: lineEnd < 0 ? offset + bytesRead : offset + lineEnd + 1 }
}
