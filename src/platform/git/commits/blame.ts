import { setImmediate as nextTurn } from 'node:timers/promises'
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
}

/**
 * The commits that last changed the lines of a file. `range` is 1-based and inclusive; the caller has checked that the file exists at
 * `commit` and has that many lines.
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
  })
  const parts = await partsOf(stdout)
  const ids = [...new Set(parts.map(part => part.id))]
  const commits = new Map((await readCommits(repository, ids)).flatMap(found => (found ? [[found.id, found] as const] : [])))
  return parts.map(part => ({ commit: commits.get(part.id)!, lines: part.lines }))
}

/** Lines that are parsed before the event loop serves others: a file may have millions. */
const LINES_PER_TURN = 2_000

async function partsOf(porcelain: Buffer): Promise<{ id: ObjectId; lines: string[] }[]> {
  const parts: { id: ObjectId; lines: string[] }[] = []
  let id = ''
  let count = 0
  for (let start = 0; start < porcelain.length; ) {
    const found = porcelain.indexOf('\n', start)
    const end = found === -1 ? porcelain.length : found
    // Contents may be in any encoding: each line is decoded by itself.
    if (porcelain[start] === TAB) {
      const text = decodeText(porcelain.subarray(start + 1, end))
      const last = parts.at(-1)
      if (last?.id === id) last.lines.push(text)
      else parts.push({ id, lines: [text] })
    } else {
      const [, commit] = /^([0-9a-f]{40}) \d/.exec(porcelain.toString('latin1', start, Math.min(end, start + 50))) ?? []
      id = commit ?? id
    }
    start = end + 1
    count += 1
    if (count % LINES_PER_TURN === 0) await nextTurn()
  }
  return parts
}
