/**
 * Reads the output of `git diff-tree --raw --patch` as it arrives, keeping no more than the limits allow.
 *
 * Without `-z`, odd names are quoted, so no name holds a line end; and every line of a patch's contents begins with a
 * space, `+`, `-`, `\` or `@`. A line that begins with `diff --git ` is therefore always the start of the next file.
 */
import { decodeText } from '../text.ts'
import type { Diff, DiffEntry } from './diff-entry.ts'
import type { DiffLimits } from './limits.ts'
import { parseRawLine, type RawEntry } from './raw-entries.ts'

const fileStart = Buffer.from('diff --git ')
const newline = 0x0a
const colon = 0x3a

export class DiffReader {
  readonly #limits: DiffLimits
  readonly #files: RawEntry[] = []
  readonly #entries: DiffEntry[] = []
  #rest: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  /** Lines of the file being read from `---` or `Binary` on. */
  #lines: Buffer[] = []
  #fileBytes = 0
  #bytes = 0
  #lineCount = 0
  #inFile = false
  #inBody = false
  #tooLarge = false
  #secondHalf = false
  /** The file that the next patch belongs to. */
  #next = 0

  constructor(limits: DiffLimits) {
    this.#limits = limits
  }

  /** Whether all that the limits allow has been read: the rest need not be produced. */
  get full(): boolean {
    return this.#exhausted || (this.#next > 0 && this.#entries.length >= this.#limits.files)
  }

  get #exhausted(): boolean {
    return this.#bytes >= this.#limits.bytes || this.#lineCount >= this.#limits.lines
  }

  push(chunk: Buffer): void {
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (let end = data.indexOf(newline); end >= 0 && !this.full; end = data.indexOf(newline)) {
      this.#line(data.subarray(0, end + 1))
      data = data.subarray(end + 1)
    }
    // A line longer than a file may be is not kept while it grows: it can only be too large.
    if (this.#inBody && data.length > this.#limits.fileBytes) {
      this.#tooLarge = true
      data = data.subarray(0, this.#limits.fileBytes)
    }
    this.#rest = data
  }

  finish(): Diff {
    if (this.#inFile) this.#close()
    // Patches that were not read: the limit came first, or git had nothing to say beyond the entry.
    for (const file of this.#files.slice(this.#entries.length, this.#limits.files)) {
      this.#entries.push(entryOf(file, '', { collapsed: this.#exhausted }))
    }
    const exceeded = this.#exceeded()
    return { entries: this.#entries, files: this.#files.length, overflow: exceeded !== undefined, exceeded }
  }

  #exceeded(): keyof DiffLimits | undefined {
    if (this.#files.length > this.#limits.files) return 'files'
    if (this.#entries.some(entry => entry.collapsed)) return this.#lineCount >= this.#limits.lines ? 'lines' : 'bytes'
    return this.#entries.some(entry => entry.too_large) ? 'fileBytes' : undefined
  }

  #line(line: Buffer) {
    if (line[0] === colon && !this.#inFile) this.#files.push(parseRawLine(line))
    else if (line.subarray(0, fileStart.length).equals(fileStart)) this.#open()
    else if (this.#inBody) this.#keep(line)
    else if (this.#inFile && startsBody(line)) {
      this.#inBody = true
      this.#keep(line)
    }
  }

  #open() {
    // A file that becomes a link (or the other way round) is one entry with two patches: they stay together.
    if (this.#inFile && this.#files[this.#next]?.typeChanged && !this.#tooLarge && !this.#secondHalf) {
      this.#secondHalf = true
      this.#inBody = false
      return
    }
    if (this.#inFile) this.#close()
    this.#inFile = !this.full
  }

  #keep(line: Buffer) {
    this.#fileBytes += line.length
    if (this.#fileBytes > this.#limits.fileBytes) {
      this.#tooLarge = true
      this.#lines = []
    }
    if (!this.#tooLarge) this.#lines.push(Buffer.from(line))
  }

  #close() {
    const file = this.#files[this.#next]!
    this.#next += 1
    const body = this.#tooLarge ? Buffer.alloc(0) : Buffer.concat(this.#lines)
    this.#entries.push(entryOf(file, decodeText(body), { too_large: this.#tooLarge }))
    this.#bytes += body.length
    this.#lineCount += this.#lines.length
    this.#lines = []
    this.#fileBytes = 0
    this.#inFile = false
    this.#inBody = false
    this.#tooLarge = false
    this.#secondHalf = false
  }
}

function startsBody(line: Buffer): boolean {
  const start = line.toString('latin1', 0, 13)
  return start.startsWith('--- ') || start.startsWith('Binary files ') || start.startsWith('@@ ')
}

function entryOf({ file }: RawEntry, diff: string, cut: { too_large?: boolean; collapsed?: boolean }): DiffEntry {
  return { ...file, diff, too_large: cut.too_large ?? false, collapsed: cut.collapsed ?? false }
}
