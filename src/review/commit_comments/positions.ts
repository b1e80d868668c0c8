/** Places of comments in the changes of a commit. */

import type { CommitRow } from '../../code/repository/commits/entity.ts'
import { type GivenPosition, placeBetween } from '../../collaboration/discussions/resolve_position.ts'
import type { Position } from '../../collaboration/notes/positions/position.ts'
import { diffBetween, emptyTreeId, linesOf, listChangedFiles, rawDiffLimits, zeroId } from '../../platform/git/index.ts'
import { invalid } from '../../platform/kernel/errors.ts'

/** The trees that the changes of a commit lie between. A first commit has no parent: its positions call that zeros. */
export const endsOfCommit = ({ id, parent_ids }: CommitRow['commit']) => {
  const base = parent_ids[0] ?? emptyTreeId
  return { base, start: base, head: id, base_sha: parent_ids[0] ?? zeroId }
}

/** The position that a client means. 400 for one of another commit, and for a line that the changes do not have. */
export async function placeInCommit({ commit, repository }: CommitRow, given: GivenPosition): Promise<Position> {
  if (given.head_sha !== commit.id) throw invalid({ position: ['is incomplete'] })
  return placeBetween(repository, endsOfCommit(commit), given)
}

/** A line of a file, as the commits API names it. */
export interface GivenLine {
  readonly path: string
  readonly line: number
  readonly line_type: 'new' | 'old'
}

/**
 * The position of a line. Contract: a comment whose line the changes do not show is one on the whole commit (commits API, 14.0). Two git
 * processes: one finds the file, which may have been renamed, and one compares it alone. Not to be called inside a transaction.
 */
export async function placeOfLine({ commit, repository }: CommitRow, { path, line, line_type }: GivenLine): Promise<Position | undefined> {
  const { base, base_sha, head } = endsOfCommit(commit)
  const files = (await listChangedFiles(repository, base, head)).map(({ file }) => file)
  const file = files.find(({ new_path }) => new_path === path) ?? files.find(({ old_path }) => old_path === path)
  if (!file) return undefined
  const paths = [...new Set([file.old_path, file.new_path])]
  const { entries } = await diffBetween(repository, base, head, { paths, limits: rawDiffLimits })
  const entry = entries.find(({ new_path }) => new_path === file.new_path)
  const shown = entry && linesOf(entry).find(row => (line_type === 'new' ? row.new_line : row.old_line) === line)
  if (!entry || !shown) return undefined
  return {
    base_sha,
    start_sha: base_sha,
    head_sha: head,
    old_path: entry.old_path,
    new_path: entry.new_path,
    position_type: 'text',
    old_line: shown.old_line,
    new_line: shown.new_line,
  }
}
