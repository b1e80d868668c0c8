/** Remembers what a person has read of a merge request's changes. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { listChangedFiles, type Repository } from '../../../../platform/git/index.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { notFound, unauthenticated } from '../../../../platform/kernel/errors.ts'
import type { MergeRequestRow } from '../../queries.ts'
import { latestSpan } from '../queries.ts'
import type { ViewedFileRow } from './entity.ts'

const shaOf = (path: string): string => createHash('sha1').update(path).digest('hex')

/** A file as it was seen. */
export interface SeenFile {
  readonly path: string
  /** Its contents; those that it has now unless given. */
  readonly blob_id?: string | undefined
}

/** Marks a file as viewed. 404 for a file that the merge request does not change. */
export async function markFileViewed(
  ctx: Context,
  repository: Repository,
  mergeRequest: MergeRequestRow,
  { path, blob_id }: SeenFile,
): Promise<ViewedFileRow> {
  const { db, now } = ctx
  const span = latestSpan(mergeRequest)
  const files = span ? await listChangedFiles(repository, span.base_commit_sha, span.head_commit_sha) : []
  const changed = files.find(({ file }) => file.new_path === path)
  if (!changed) throw notFound('File')
  const seen = { path, blob_id: blob_id ?? changed.ids[1], viewed_at: now }
  return db
    .insertInto('viewed_files')
    .values({ merge_request_id: mergeRequest.id, user_id: readerOf(ctx), path_sha: shaOf(path), ...seen })
    .onConflict(conflict => conflict.columns(['merge_request_id', 'user_id', 'path_sha']).doUpdateSet(seen))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Takes the mark of a file away, if there is one. */
export async function unmarkFileViewed(ctx: Context, mergeRequest: MergeRequestRow, path: string): Promise<void> {
  await ctx.db
    .deleteFrom('viewed_files')
    .where('merge_request_id', '=', mergeRequest.id)
    .where('user_id', '=', readerOf(ctx))
    .where('path_sha', '=', shaOf(path))
    .execute()
}

/** Marks are of users: the ability lets no other caller in. */
export function readerOf({ actor }: Pick<Context, 'actor'>): number {
  if (!actor.user) throw unauthenticated()
  return actor.user.id
}

/** Remembers the version that a user sees; the one before it stays known until a newer one is seen. */
export async function rememberVersion(
  { db, now }: Context,
  mergeRequest: MergeRequestRow,
  userId: number,
  versionId: number,
): Promise<void> {
  await db
    .insertInto('seen_versions')
    .values({ merge_request_id: mergeRequest.id, user_id: userId, version_id: versionId, seen_at: now })
    .onConflict(conflict =>
      conflict
        .columns(['merge_request_id', 'user_id'])
        .doUpdateSet({ version_id: versionId, previous_version_id: sql<number>`seen_versions.version_id`, seen_at: now })
        .where('seen_versions.version_id', '<', versionId),
    )
    .execute()
}
