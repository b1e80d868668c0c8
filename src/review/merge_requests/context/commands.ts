/** Writes of the commits that are shown with a merge request as what it builds upon. */
import { anyOf } from '../../../platform/db/any.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Commit } from '../../../platform/git/objects/commit-object.ts'
import { readCommits, resolveCommits } from '../../../platform/git/objects/objects.ts'
import { looksLikeObjectId } from '../../../platform/git/objects/oid.ts'
import { keepAround } from '../../../platform/git/refs/kept.ts'
import type { Repository } from '../../../platform/git/repository.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { contextIdsOf } from './queries.ts'

/** The commits that these ids, full or shortened, name, each once; 400 where one of them names none. */
async function commitsNamed(repository: Repository, names: readonly string[]): Promise<Commit[]> {
  const ids = names.every(looksLikeObjectId) ? await resolveCommits(repository, names) : [undefined]
  const known = [...new Set(ids.flatMap(id => id ?? []))]
  if (ids.includes(undefined)) throw invalid({ commits: ["One or more context commits' sha is not valid."] })
  return (await readCommits(repository, known)).flatMap(commit => commit ?? [])
}

/** Adds commits of the target project, which are kept from then on; 400 where one is not there, or is added already. */
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
    // Somebody else adds them at the same moment.
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return commits
}

/** Takes commits away; those that were not added stay away. 400 where one is not in the repository. */
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
