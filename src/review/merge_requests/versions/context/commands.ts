/** Writes of context commits: commits shown with a merge request as what it builds upon. */

import type { Db } from '../../../../platform/db/connection.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { type Commit, keepAround, looksLikeObjectId, type Repository, readCommits, resolveCommits } from '../../../../platform/git/index.ts'
import { invalid } from '../../../../platform/kernel/errors.ts'
import { contextIdsOf } from './queries.ts'

/** The commits that these full or abbreviated ids name, without duplicates; 400 if one of them names none. */
async function commitsNamed(repository: Repository, names: readonly string[]): Promise<Commit[]> {
  const ids = names.every(looksLikeObjectId) ? await resolveCommits(repository, names) : [undefined]
  const known = [...new Set(ids.flatMap(id => id ?? []))]
  if (ids.includes(undefined)) throw invalid({ commits: ["One or more context commits' sha is not valid."] })
  return (await readCommits(repository, known)).flatMap(commit => commit ?? [])
}

/** Adds commits of the target project and keeps them from garbage collection; 400 if one does not exist or was added before. */
export async function addContextCommits(
  db: Db,
  repository: Repository,
  mergeRequest: { readonly id: number },
  names: readonly string[],
): Promise<Commit[]> {
  const commits = await commitsNamed(repository, names)
  const before = new Set(await contextIdsOf(db, mergeRequest.id))
  const again = commits.filter(({ id }) => before.has(id)).map(({ id }) => id)
  if (again.length > 0) throw invalid({ commits: [`Context commits: ${again.join(', ')} are already created`] })
  await keepAround(
    repository,
    commits.map(({ id }) => id),
  )
  await db
    .insertInto('merge_request_context_commits')
    .values(commits.map(({ id, committer }) => ({ merge_request_id: mergeRequest.id, sha: id, committed_at: committer.date })))
    // A concurrent request may add the same commits.
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return commits
}

/** Removes context commits; ids that were not added are ignored. 400 if one is not in the repository. */
export async function removeContextCommits(
  db: Db,
  repository: Repository,
  mergeRequest: { readonly id: number },
  names: readonly string[],
): Promise<void> {
  const ids = (await commitsNamed(repository, names)).map(({ id }) => id)
  await db
    .deleteFrom('merge_request_context_commits')
    .where('merge_request_id', '=', mergeRequest.id)
    .where('sha', '=', anyOf(ids))
    .execute()
}
