import type { Commit } from '../objects/commit-object.ts'
import { readCommits } from '../objects/objects.ts'
import { type ObjectId, objectId } from '../objects/oid.ts'
import type { Repository } from '../repository.ts'
import { runGit } from '../run.ts'
import { decodeText } from '../text.ts'

/** Neighbouring lines that one commit wrote, without their line ends. */
export interface BlamePart {
  readonly commit: Commit
  readonly lines: readonly string[]
}

/**
 * Who wrote the lines of a file. `range` counts from 1 and includes both ends; the caller has checked that the file
 * exists at `commit` and has that many lines.
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
  const parts: { id: ObjectId; lines: string[] }[] = []
  let id = ''
  // Contents may be in any encoding: lines are cut as bytes (Latin-1), and each is decoded by itself.
  for (const line of stdout.toString('latin1').split('\n')) {
    if (line.startsWith('\t')) {
      const text = decodeText(Buffer.from(line.slice(1), 'latin1'))
      if (parts.at(-1)?.id === id) parts.at(-1)!.lines.push(text)
      else parts.push({ id, lines: [text] })
    } else if (/^[0-9a-f]{40} \d/.test(line)) {
      id = line.slice(0, 40)
    }
  }
  const ids = [...new Set(parts.map(part => part.id))]
  const commits = new Map((await readCommits(repository, ids)).flatMap(found => (found ? [[found.id, found] as const] : [])))
  return parts.map(part => ({ commit: commits.get(part.id)!, lines: part.lines }))
}
