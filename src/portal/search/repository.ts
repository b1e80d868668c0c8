/** Searches the commits and the files of a repository. */

import type { CommitRow } from '../../code/repository/commits/entity.ts'
import { countCommits, type FoundPlace, filesContaining, listCommits, type Repository, resolveCommit } from '../../platform/git/index.ts'
import { type Slices, slicesOf } from '../../platform/kernel/answer/page.ts'

interface Place {
  readonly id: number
  readonly full_path: string
  readonly default_branch: string | null
}

/** The default branch unless a reference is given. */
const refOf = ({ default_branch }: Place, ref: string | undefined): string => ref || default_branch || 'HEAD'

/** Commits by their messages, newest first; one process for a page, one for the count. */
export async function searchCommits(repository: Repository, project: Place, search: string, ref?: string): Promise<Slices<CommitRow>> {
  const tip = await resolveCommit(repository, refOf(project, ref))
  if (tip === undefined) return slicesOf<CommitRow>([])
  const filter = { from: [tip], message: search }
  return {
    slice: async (offset, limit) =>
      (await listCommits(repository, { ...filter, offset, limit })).map(commit => ({ commit, project, repository })),
    count: limit => countCommits(repository, filter, limit),
  }
}

/** A file with a match. */
export interface BlobRow extends FoundPlace {
  readonly project_id: number
  readonly ref: string
}

/** Files by content, ordered by path; one process. */
export async function searchBlobs(repository: Repository, project: Place, search: string, ref?: string): Promise<Slices<BlobRow>> {
  const name = refOf(project, ref)
  const tip = await resolveCommit(repository, name)
  if (tip === undefined) return slicesOf<BlobRow>([])
  const found = await filesContaining(repository, tip, search)
  return slicesOf(found.map(place => ({ ...place, project_id: project.id, ref: name })))
}
