/** Reads of context commits. */

import type { CommitRow, InProject } from '../../../../code/repository/commits/entity.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import { type Repository, readCommits } from '../../../../platform/git/index.ts'
import { countRows, type Slices } from '../../../../platform/kernel/answer/page.ts'

const contextRows = (db: Db, mergeRequestId: number) =>
  db
    .selectFrom('merge_request_context_commits')
    .select('sha')
    .where('merge_request_id', '=', mergeRequestId)
    .orderBy('committed_at', 'desc')
    .orderBy('sha')

/** The ids of the context commits of a merge request, newest first. */
export const contextIdsOf = async (db: Db, mergeRequestId: number): Promise<string[]> =>
  (await contextRows(db, mergeRequestId).execute()).map(row => row.sha)

/** The context commits of a merge request, newest first. One request to git for a page. */
export const contextCommitsOf = (db: Db, repository: Repository, project: InProject, mergeRequestId: number): Slices<CommitRow> => ({
  async slice(offset, limit) {
    const rows = await contextRows(db, mergeRequestId).limit(limit).offset(offset).execute()
    const commits = await readCommits(
      repository,
      rows.map(row => row.sha),
    )
    return commits.flatMap(commit => (commit ? [{ commit, project, repository }] : []))
  },
  count: limit => countRows(db, contextRows(db, mergeRequestId), limit),
})
