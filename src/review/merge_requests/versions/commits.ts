/** The commits of a version. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { type Commit, countCommits, listCommits, type Repository } from '../../../platform/git/index.ts'

/** Upper bound of the commits of a version that are stored, newest first; more are imported history rather than work under review. */
const MOST_COMMITS = 1000

/** The newest commits that merging `head` into `start` adds, and their total number. One or two processes. */
export async function commitsOfVersion(
  repository: Repository,
  { head, start }: { readonly head: string; readonly start: string },
): Promise<{ readonly commits: readonly Commit[]; readonly count: number }> {
  const filter = { from: [head], except: [start] }
  const commits = await listCommits(repository, { ...filter, limit: MOST_COMMITS })
  return { commits, count: commits.length < MOST_COMMITS ? commits.length : await countCommits(repository, filter) }
}

/** Stores the commits of the latest version, by which merge requests are found. One statement. */
export async function rememberCommits(db: Db, mergeRequestId: number, ids: readonly string[]): Promise<void> {
  await sql`
    with gone as (delete from merge_request_commits where merge_request_id = ${mergeRequestId} and sha <> all(${ids}::text[]))
    insert into merge_request_commits (merge_request_id, sha)
    select ${mergeRequestId}::bigint, sha from unnest(${ids}::text[]) as sha on conflict do nothing`.execute(db)
}
