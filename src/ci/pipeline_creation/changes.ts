/** The changed paths, for `changes` in CI files. */
import { listChangedFiles, objectInfo, type Repository, zeroId } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { PipelineInput } from './input.ts'

/**
 * The paths that a push or a merge request has changed, including former names of renamed files. Undefined if there is nothing to
 * compare with: a new branch, a tag, a schedule, a request by the API.
 */
export async function changedIn(
  { db }: Pick<Context, 'db'>,
  repository: Repository,
  { sha, before_sha, merge_request_id }: PipelineInput,
): Promise<readonly string[] | undefined> {
  const base = merge_request_id === undefined ? before_sha : await baseOf(db, merge_request_id)
  if (base === undefined || base === zeroId) return undefined
  // A rewritten history may have been garbage-collected since.
  const [known] = await objectInfo(repository, [base])
  if (known === undefined) return undefined
  const entries = await listChangedFiles(repository, base, sha)
  return [...new Set(entries.flatMap(({ file }) => [file.old_path, file.new_path]))]
}

/** The base commit of the latest version of a merge request. */
async function baseOf(db: Context['db'], mergeRequestId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('merge_requests')
    .innerJoin('merge_request_versions as version', 'version.id', 'merge_requests.latest_version_id')
    .select('version.base_commit_sha')
    .where('merge_requests.id', '=', mergeRequestId)
    .executeTakeFirst()
  return row?.base_commit_sha ?? undefined
}
