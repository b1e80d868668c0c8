/**
 * Reads the output of `git diff-tree --raw --patch` as it arrives, keeping no more than the limits allow.
 *
 * Without `-z`, odd names are quoted, so no name holds a line end; and every line of a patch's contents begins with a
 * space, `+`, `-`, `\` or `@`. A line that begins with `diff --git ` is therefore always the start of the next file.
 */
import { decodeText } from '../process/text.ts'
import type { Diff, DiffEntry } from './diff-entry.ts'
import type { DiffLimits } from './limits.ts'
import { parseRawLine, type RawEntry } from './raw-entries.ts'

const fileStart = Buffer.from('diff --git ')
const indexStart = Buffer.from('index ')
const newline = 0x0a
const colon = 0x3a

export class DiffReader {
  readonly #limits: DiffLimits
  readonly #files: RawEntry[] = []
  readonly #entries: DiffEntry[] = []
  #rest: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  /** Of the file being read, from `---` or `Binary` on. */
  #pieces: Buffer[] = []
  #fileLines = 0
  #fileBytes = 0
  /** Lines of it that follow each other in the piece of output that is being looked at, and are not among the pieces yet. */
  #run: { readonly start: number; end: number } | undefined
  #bytes = 0
  #lineCount = 0
  #inFile = false
  #inBody = false
  #tooLarge = false
  #secondHalf = false
  /** The file that the next patch belongs to. */
  #next = 0
  readonly #mayLack: boolean
  /** The contents that the patch being read names. */
  #ids: readonly [string, string] | undefined

  /** @param mayLack git writes no patch for some files: those in which nothing but white space differs */
  constructor(limits: DiffLimits, mayLack = false) {
    this.#limits = limits
    this.#mayLack = mayLack
  }

  /** Whether all that the limits allow has been read: the rest need not be produced. */
  get full(): boolean {
    return this.#exhausted || (this.#next > 0 && this.#entries.length >= this.#limits.files)
  }

  get #exhausted(): boolean {
    return this.#bytes >= this.#limits.bytes || this.#lineCount >= this.#limits.lines
  }

  push(chunk: Buffer): void {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    for (let end = data.indexOf(newline); end >= 0 && !this.full; end = data.indexOf(newline, at)) {
      this.#line(data, at, end + 1)
      at = end + 1
    }
    this.#endRun(data)
    this.#rest = data.subarray(at)
    // A line longer than a file may be is not kept while it grows: it can only be too large.
    if (this.#inBody && this.#rest.length > this.#limits.fileBytes) {
      this.#tooLarge = true
      this.#rest = this.#rest.subarray(0, this.#limits.fileBytes)
    }
  }

  finish(): Diff {
    if (this.#mayLack && this.#inFile) this.#passOver()
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

  /** Of a patch there are many lines, so no object is made for each. */
  #line(data: Buffer, start: number, end: number) {
    if (data[start] === colon && !this.#inFile) this.#files.push(parseRawLine(data.subarray(start, end)))
    else if (data[start] === fileStart[0] && data.subarray(start, start + fileStart.length).equals(fileStart)) this.#open(data)
    else if (this.#inBody) this.#keep(data, start, end)
    else if (this.#mayLack && this.#inFile && data.subarray(start, start + indexStart.length).equals(indexStart))
      this.#passOver(idsOf(data.toString('latin1', start + indexStart.length, end - 1)))
    else if (this.#inFile && startsBody(data.subarray(start, end))) {
      this.#inBody = true
      this.#keep(data, start, end)
    }
  }

  /** Passes over the files that have no patch, to the one whose contents these are; without ids, to one whose contents are the same. */
  #passOver(ids?: readonly [string, string]) {
    if (this.#secondHalf || this.#ids) return
    this.#ids = ids ?? ['', '']
    const isMeant = ({ ids: [before, after], typeChanged }: RawEntry) =>
      ids === undefined ? before === after : before === ids[0] && (after === ids[1] || typeChanged)
    const meant = this.#files.findIndex((file, index) => index >= this.#next && isMeant(file))
    while (this.#next < Math.min(meant, this.#limits.files)) this.#entries.push(entryOf(this.#files[this.#next++]!, '', {}))
    // Beyond the limit: what follows is of no file that is shown.
    if (this.#next >= this.#limits.files) this.#inFile = false
  }

  #open(data: Buffer) {
    this.#endRun(data)
    if (this.#mayLack && this.#inFile) this.#passOver()
    // A file that becomes a link (or the other way round) is one entry with two patches: they stay together.
    if (this.#inFile && this.#files[this.#next]?.typeChanged && !this.#tooLarge && !this.#secondHalf) {
      this.#secondHalf = true
      this.#inBody = false
      return
    }
    if (this.#inFile) this.#close()
    this.#inFile = !this.full
    this.#ids = undefined
  }

  #keep(data: Buffer, start: number, end: number) {
    this.#fileBytes += end - start
    if (this.#fileBytes > this.#limits.fileBytes) {
      this.#tooLarge = true
      this.#pieces = []
      this.#fileLines = 0
      this.#run = undefined
    }
    if (this.#tooLarge) return
    this.#fileLines += 1
    if (this.#run?.end === start) {
      this.#run.end = end
      return
    }
    this.#endRun(data)
    this.#run = { start, end }
  }

  /** Copies the lines that follow each other, so that what git has sent is not kept with them. */
  #endRun(data: Buffer) {
    if (this.#run) this.#pieces.push(Buffer.from(data.subarray(this.#run.start, this.#run.end)))
    this.#run = undefined
  }

  #close() {
    const file = this.#files[this.#next]!
    this.#next += 1
    const body = this.#tooLarge ? Buffer.alloc(0) : Buffer.concat(this.#pieces)
    this.#entries.push(entryOf(file, decodeText(body), { too_large: this.#tooLarge }))
    this.#bytes += body.length
    this.#lineCount += this.#fileLines
    this.#pieces = []
    this.#fileLines = 0
    this.#fileBytes = 0
    this.#inFile = false
    this.#inBody = false
    this.#tooLarge = false
    this.#secondHalf = false
  }
}

/** `<id>..<id> 100644` as both ids. */
function idsOf(text: string): readonly [string, string] {
  const [before = '', after = ''] = text.split(' ', 1)[0]!.split('..')
  return [before, after]
}

function startsBody(line: Buffer): boolean {
  const start = line.toString('latin1', 0, 13)
  return start.startsWith('--- ') || start.startsWith('Binary files ') || start.startsWith('@@ ')
}

function entryOf({ file }: RawEntry, diff: string, cut: { too_large?: boolean; collapsed?: boolean }): DiffEntry {
  return { ...file, diff, too_large: cut.too_large ?? false, collapsed: cut.collapsed ?? false }
}
