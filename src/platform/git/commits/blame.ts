import { setImmediate as nextTurn } from 'node:timers/promises'
import { unquote } from '../diffs/raw-entries.ts'
import { GitError } from '../errors.ts'
import type { Commit } from '../objects/commit-object.ts'
import { readCommits } from '../objects/objects.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import { runGit } from '../process/run.ts'
import { decodeText } from '../process/text.ts'
import type { Repository } from '../storage/repository.ts'

const TAB = 9

/** Adjacent lines of one commit, without line ends. */
export interface BlamePart {
  readonly commit: Commit
  readonly lines: readonly string[]
  /** The file before that commit, also under another name; undefined where the commit created it. */
  readonly previous: { readonly commit: ObjectId; readonly path: string } | undefined
}

/**
 * The commits that last changed the lines of a file. `range` is 1-based and inclusive; the caller has checked that the file exists at
 * `commit` and has that many lines.
 * @throws GitError `not_found` for a file whose name is not UTF-8
 */
export async function blame(
  repository: Repository,
  commit: ObjectId,
  path: string,
  range?: { readonly start: number; readonly end: number },
): Promise<BlamePart[]> {
  const { stdout } = await runGit(repository, {
    subcommand: 'blame',
    flags: ['--porcelain', ...(range ? [`-L${Number(range.start)},${Number(range.end)}`] : [])],
    values: [objectId(commit)],
    paths: [path],
  }).catch(error => {
    // A name that is not UTF-8 is found by its letters, and is another one for git.
    if (error instanceof GitError && error.detail?.includes('no such path'))
      throw new GitError('not_found', 'git knows no file of this name', error.detail)
    throw error
  })
  const { parts, previous } = await partsOf(stdout)
  const ids = [...new Set(parts.map(part => part.id))]
  const commits = new Map((await readCommits(repository, ids)).flatMap(found => (found ? [[found.id, found] as const] : [])))
  return parts.map(({ id, path, lines }) => ({ commit: commits.get(id)!, lines, previous: previous.get(`${id} ${path}`) }))
}

/** Lines that are parsed before the event loop serves others: a file may have millions. */
const LINES_PER_TURN = 2_000

interface Parsed {
  /** Adjacent lines of one commit and one name of the file in it. */
  readonly parts: readonly { readonly id: ObjectId; readonly path: string; readonly lines: string[] }[]
  /** The file before a commit, by the id of the commit and the name of the file in it. */
  readonly previous: ReadonlyMap<string, { readonly commit: ObjectId; readonly path: string }>
}

async function partsOf(porcelain: Buffer): Promise<Parsed> {
  const parts: { id: ObjectId; path: string; lines: string[] }[] = []
  const previous = new Map<string, { commit: ObjectId; path: string }>()
  /** The last name that was said of each commit: it is said again only where it differs. */
  const paths = new Map<ObjectId, string>()
  let id = ''
  let before: { commit: ObjectId; path: string } | undefined
  let count = 0
  for (let start = 0; start < porcelain.length; ) {
    const found = porcelain.indexOf('\n', start)
    const end = found === -1 ? porcelain.length : found
    // Contents may be in any encoding: each line is decoded by itself.
    if (porcelain[start] === TAB) {
      const text = decodeText(porcelain.subarray(start + 1, end))
      const last = parts.at(-1)
      const path = paths.get(id) ?? ''
      if (last?.id === id && last.path === path) last.lines.push(text)
      else parts.push({ id, path, lines: [text] })
    } else {
      const line = decodeText(porcelain.subarray(start, end))
      const [, commit] = /^([0-9a-f]{40}) \d/.exec(line) ?? []
      const [, parent, name = ''] = /^previous ([0-9a-f]{40}) (.+)$/s.exec(line) ?? []
      if (commit !== undefined) {
        id = commit
        before = undefined
      } else if (parent !== undefined) before = { commit: parent, path: unquote(name) }
      else if (line.startsWith('filename ')) {
        // The last line of what is said of a commit.
        const path = unquote(line.slice('filename '.length))
        paths.set(id, path)
        if (before) previous.set(`${id} ${path}`, before)
      }
    }
    start = end + 1
    count += 1
    if (count % LINES_PER_TURN === 0) await nextTurn()
  }
  return { parts, previous }
}
