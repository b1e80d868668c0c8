/** Which files differ between two trees, without their contents: what `git diff-tree --raw` says of each. */
import { isUtf8 } from 'node:buffer'
import { tookTooMuch } from '../errors.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { comparingLarge, runGit } from '../process/run.ts'
import { decodeText } from '../process/text.ts'
import { ImmutableCache } from '../storage/immutable_cache.ts'
import type { Repository } from '../storage/repository.ts'

/** One changed file. Modes are as the API shows them (`100644`; `0` where the side does not exist). */
export interface ChangedFile {
  readonly old_path: string
  readonly new_path: string
  readonly a_mode: string
  readonly b_mode: string
  readonly new_file: boolean
  readonly renamed_file: boolean
  readonly deleted_file: boolean
}

export interface RawEntry {
  readonly file: ChangedFile
  /** A file that became a link or the like: one entry with two patches. */
  readonly typeChanged: boolean
  /** The new path as an argument for git; undefined where its bytes are not UTF-8 and no argument can hold them. */
  readonly argument: string | undefined
  /** The contents of both sides: a blob, or the commit of a submodule; zeros where the side does not exist. */
  readonly ids: readonly [before: ObjectId, after: ObjectId]
  /** How much of a renamed file stayed the same, in percent. */
  readonly similarity: number | undefined
}

/** How files are paired everywhere, so that a list and its patches agree. */
export const pairing = ['-r', '-M', '--full-index', '--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short'] as const

/** All files that differ between two commits or trees, in the order of the diff. One process. */
export async function listChangedFiles(repository: Repository, from: ObjectId, to: ObjectId): Promise<RawEntry[]> {
  const { stdout } = await runGit(repository, {
    subcommand: 'diff-tree',
    flags: ['--raw', '-z', ...pairing],
    values: [objectId(from), objectId(to)],
    paths: [],
  })
  return entriesIn(stdout)
}

/** What `--raw -z` says. */
function entriesIn(output: Buffer): RawEntry[] {
  // Bytes as characters, so that each name can be decoded by itself.
  const items = output.toString('latin1').split('\0')
  const entries: RawEntry[] = []
  for (let at = 0; at < items.length - 1; ) {
    const head = items[at]!
    const twoNames = /[RC]\d*$/.test(head)
    entries.push(rawEntry(head, Buffer.from(items[at + 1]!, 'latin1'), twoNames ? Buffer.from(items[at + 2]!, 'latin1') : undefined))
    at += twoNames ? 3 : 2
  }
  return entries
}

/** What the search for a former name may take, in milliseconds: files are compared with each other for it. */
const TIME_FOR_NAMES = 2_000

const formerNames = new ImmutableCache<string | undefined>(2_000)

/** The name that a file of `to` had in `from`, where it has been renamed between them; undefined also where that takes too much to find. */
export async function formerNameOf(repository: Repository, from: ObjectId, to: ObjectId, path: string): Promise<string | undefined> {
  return formerNames.get(`${objectId(from)} ${objectId(to)} ${path}`, async () => {
    const command = { subcommand: 'diff-tree', flags: ['--raw', '-z', '--diff-filter=R', ...pairing], timeoutMs: TIME_FOR_NAMES } as const
    const found = await runGit(repository, { ...command, values: [objectId(from), objectId(to)], paths: [] }).catch(error => {
      if (tookTooMuch(error)) return undefined
      throw error
    })
    return found && entriesIn(found.stdout).find(({ file }) => file.new_path === path)?.file.old_path
  })
}

/** Lines that a file's difference adds and removes. */
export interface LineCounts {
  readonly added: number
  readonly removed: number
}

/**
 * The lines added and removed in each file, by its new path; binary files are missing. One process, given up after a time.
 * @param ignoresWhitespace lines that differ in white space alone are the same
 * @param timeoutMs what it may take: all differences are made for it
 */
export async function countChangedLines(
  repository: Repository,
  from: ObjectId,
  to: ObjectId,
  { ignoresWhitespace, timeoutMs }: { readonly ignoresWhitespace: boolean; readonly timeoutMs: number },
): Promise<ReadonlyMap<string, LineCounts>> {
  const { stdout } = await comparingLarge(environment =>
    runGit(repository, {
      subcommand: 'diff-tree',
      flags: ['--numstat', '-z', ...pairing, ...(ignoresWhitespace ? ['--ignore-all-space'] : [])],
      values: [objectId(from), objectId(to)],
      paths: [],
      timeoutMs,
      environment,
    }),
  )
  const items = stdout.toString('latin1').split('\0')
  const found = new Map<string, LineCounts>()
  for (let at = 0; at < items.length - 1; at++) {
    const item = items[at]!
    const [added = '', removed = '', path = ''] = item.split('\t', 3)
    // Of a renamed file both names follow, each by itself.
    if (path === '') at += 2
    const newPath = path === '' ? items[at]! : item.slice(added.length + removed.length + 2)
    if (added !== '-') found.set(decodeText(Buffer.from(newPath, 'latin1')), { added: Number(added), removed: Number(removed) })
  }
  return found
}

const counts = new ImmutableCache<number>(5_000)

/** How many files differ between two commits or trees, renamed ones counted once. One process, or none when it was asked before. */
export async function countChangedFiles(repository: Repository, from: ObjectId, to: ObjectId): Promise<number> {
  return counts.get(`${objectId(from)} ${objectId(to)}`, async () => (await listChangedFiles(repository, from, to)).length)
}

/** A line of `--raw` without `-z`: `:100644 100755 <id> <id> M<TAB>path` or, renamed, `... R90<TAB>old<TAB>new`. */
export function parseRawLine(line: Buffer): RawEntry {
  const [head, oldPath, newPath] = line.toString('latin1').slice(0, -1).split('\t') as [string, string, string?]
  return rawEntry(head, unquoted(oldPath), newPath === undefined ? undefined : unquoted(newPath))
}

function rawEntry(head: string, oldPath: Buffer, newPath: Buffer = oldPath): RawEntry {
  const [aMode, bMode, before, after, status] = head.slice(1).split(' ') as [string, string, ObjectId, ObjectId, string]
  return {
    file: {
      old_path: decodeText(oldPath),
      new_path: decodeText(newPath),
      a_mode: modeOf(aMode),
      b_mode: modeOf(bMode),
      new_file: status === 'A',
      renamed_file: status.startsWith('R'),
      deleted_file: status === 'D',
    },
    typeChanged: status === 'T',
    argument: isUtf8(newPath) ? newPath.toString('utf8') : undefined,
    ids: [before, after],
    similarity: status.startsWith('R') ? Number(status.slice(1)) : undefined,
  }
}

// Contract: the side that does not exist has mode "0", not "000000" (public behaviour of the API).
const modeOf = (mode: string) => (mode === '000000' ? '0' : mode)

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 }

/** The bytes of the name behind git's C-style quoting; `name` has a character for each byte. */
function unquoted(name: string): Buffer {
  if (!name.startsWith('"')) return Buffer.from(name, 'latin1')
  const bytes: Buffer[] = []
  for (const [part, octal] of name.slice(1, -1).matchAll(/\\(?:([0-7]{3})|.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8)]))
    else if (part.startsWith('\\')) bytes.push(Buffer.from([escapes[part[1]!] ?? part.charCodeAt(1)]))
    else bytes.push(Buffer.from(part, 'latin1'))
  }
  return Buffer.concat(bytes)
}

/** The name behind git's C-style quoting. */
export function unquote(name: string): string {
  return decodeText(unquoted(Buffer.from(name, 'utf8').toString('latin1')))
}
