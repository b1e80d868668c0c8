/** Suggestions: lines of files replaced by others, as one commit. */
import { isUtf8 } from 'node:buffer'
import { GitError } from '../errors.ts'
import type { CommitText } from '../objects/commit-object.ts'
import { readBlob } from '../objects/objects.ts'
import type { ObjectId } from '../objects/oid.ts'
import { decodeText } from '../process/text.ts'
import type { Repository } from '../storage/repository.ts'
import { entryAt } from '../trees/trees.ts'
import { commitActions } from './actions.ts'
import { NothingToChange } from './merges.ts'

/** New text for the lines `from` to `to` (both included, the first is 1). */
export interface Replacement {
  readonly from: number
  readonly to: number
  /** Empty to delete the lines. A line end at its end may be missing. */
  readonly text: string
  /** What the lines must still say, line ends aside; absent: anything. */
  readonly expected?: string | undefined
}

/**
 * Why lines were not replaced: the file is gone; it has no such lines; they say something else by now; two replacements want the
 * same line; the file's encoding lacks a character.
 */
export type ReplacementRefusal = 'file_missing' | 'line_missing' | 'changed' | 'overlap' | 'encoding'

/** Replacements that cannot be made: nothing was written. */
export class ReplacementRefused extends GitError {
  readonly reason: ReplacementRefusal
  readonly path: string

  constructor(reason: ReplacementRefusal, path: string) {
    super(reason === 'changed' ? 'conflict' : 'invalid', `The lines of ${path} cannot be replaced: ${reason}`)
    this.reason = reason
    this.path = path
  }
}

/** The largest file whose lines are looked at. In bytes. */
const LARGEST_FILE = 10 * 1024 * 1024

/** Lines of a file, both included, the first is 1. */
export interface LineSpan {
  readonly from: number
  readonly to: number
}

/** The text of some lines of a file with their line ends; undefined for lines that it does not have. */
export type LineReader = (span: LineSpan) => string | undefined

/**
 * A reader of lines of a file, which is read and searched for their ends once, however many spans are asked for; undefined where there is no such
 * file. `too_large` for files above 10 MB. Starts no process for a file of up to 1 MB.
 * @param spans the lines that will be read
 */
export async function lineReader(
  repository: Repository,
  commit: ObjectId,
  path: string,
  spans: readonly LineSpan[],
): Promise<LineReader | undefined> {
  const content = await contentOf(repository, commit, path)
  if (content === undefined) return undefined
  const ends = endsIn(
    content,
    spans.flatMap(({ from, to }) => [from - 1, to]),
  )
  const decode = isUtf8(content) ? decodeText : (bytes: Buffer) => bytes.toString('latin1')
  return ({ from, to }) => {
    const [start, end] = [ends.get(from - 1), ends.get(to)]
    return start === undefined || end === undefined || to < from ? undefined : decode(content.subarray(start, end))
  }
}

/**
 * The text of some lines of a file, with their line ends; undefined where there is no such file, or not that many lines. `too_large` for
 * files above 10 MB. Starts no process for a file of up to 1 MB.
 */
export async function readLines(repository: Repository, commit: ObjectId, path: string, span: LineSpan): Promise<string | undefined> {
  return (await lineReader(repository, commit, path, [span]))?.(span)
}

/** Where the lines with these numbers end, behind their line ends; line 0 ends where the file begins. Nothing for lines that it does not have. */
function endsIn(content: Buffer, numbers: readonly number[]): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  const wanted = [...new Set(numbers)].filter(number => number >= 0).sort((a, b) => a - b)
  let [line, at] = [0, 0]
  for (const number of wanted) {
    // Byte by byte: a search for each line end takes ten times as long where lines are short.
    while (line < number && at < content.length) {
      // The last line may have no end.
      if (content[at] === LINE_FEED || at === content.length - 1) line += 1
      at += 1
    }
    if (line < number) break
    ends.set(number, at)
  }
  return ends
}

const LINE_FEED = 0x0a

/**
 * Writes the commit that makes the replacements in files of `parent`, its parent, and returns its id. Lines are counted as `parent`
 * has them, in whatever order they are given. No reference moves. One process, and one for each file above 1 MB.
 * @throws ReplacementRefused
 * @throws NothingToChange the lines say that already
 */
export async function commitReplacements(
  repository: Repository,
  commit: CommitText & {
    readonly parent: ObjectId
    readonly files: readonly { readonly path: string; readonly replacements: readonly Replacement[] }[]
  },
): Promise<ObjectId> {
  const actions = await Promise.all(
    commit.files.map(async ({ path, replacements }) => {
      const before = await contentOf(repository, commit.parent, path)
      if (before === undefined) throw new ReplacementRefused('file_missing', path)
      const content = replaceLines(path, before, replacements)
      return content.equals(before) ? [] : [{ action: 'update' as const, file_path: path, content }]
    }),
  )
  if (actions.flat().length === 0) throw new NothingToChange()
  return commitActions(repository, { ...commit, actions: actions.flat() })
}

async function contentOf(repository: Repository, commit: ObjectId, path: string): Promise<Buffer | undefined> {
  const entry = await entryAt(repository, commit, path)
  return entry?.type === 'blob' ? readBlob(repository, entry.id, LARGEST_FILE) : undefined
}

/**
 * The contents with lines replaced. Lines end as those before them did: with CRLF where the replaced ones do, without a line end
 * where the last of them has none. Bytes of other lines stay as they are.
 * @throws ReplacementRefused
 */
export function replaceLines(path: string, content: Buffer, replacements: readonly Replacement[]): Buffer {
  const lines = linesOfContent(content)
  const parts: string[] = []
  let next = 0
  for (const { from, to, text, expected } of replacements.toSorted((a, b) => a.from - b.from)) {
    if (from < 1 || to < from || to > lines.length) throw new ReplacementRefused('line_missing', path)
    if (from - 1 < next) throw new ReplacementRefused('overlap', path)
    const replaced = lines.slice(from - 1, to)
    if (expected !== undefined && plain(expected) !== plain(textIn(content, replaced))) throw new ReplacementRefused('changed', path)
    parts.push(...lines.slice(next, from - 1), endedLike(replaced, bytesOf(path, content, text)))
    next = to
  }
  return Buffer.from([...parts, ...lines.slice(next)].join(''), 'latin1')
}

/** The lines with their ends, a character for each byte. */
const linesOfContent = (content: Buffer): string[] => content.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Lines of a file as text, in the encoding of the whole file. */
const textIn = (content: Buffer, lines: readonly string[]): string => {
  const bytes = Buffer.from(lines.join(''), 'latin1')
  return isUtf8(content) ? decodeText(bytes) : bytes.toString('latin1')
}

const plain = (text: string) => text.replaceAll('\r\n', '\n').replace(/\n$/, '')

/** The bytes of a text in the encoding of a file. */
function bytesOf(path: string, content: Buffer, text: string): string {
  if (isUtf8(content)) return Buffer.from(text, 'utf8').toString('latin1')
  if (/[\u0100-\uffff]/.test(text)) throw new ReplacementRefused('encoding', path)
  return text
}

function endedLike(replaced: readonly string[], text: string): string {
  if (text === '') return ''
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '')
  const lineEnd = replaced.some(line => line.endsWith('\r\n')) ? '\r\n' : '\n'
  return lines.replaceAll('\n', lineEnd) + (replaced.at(-1)!.endsWith('\n') ? lineEnd : '')
}
