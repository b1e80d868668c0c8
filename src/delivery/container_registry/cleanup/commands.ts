/** Removal of many tags of a repository: asked for by a user, or by the policy of its project. */

import { parseDuration } from '../../../ci/config/index.ts'
import { actingAs } from '../../../platform/access/credentials/credentials.ts'
import { transact } from '../../../platform/db/transact.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { badRequest, type Failures, invalid } from '../../../platform/kernel/errors.ts'
import { compiledPattern } from '../../../platform/patterns/patterns.ts'
import { projectAllowing } from '../../../spaces/projects/scope.ts'
import { imageAllows } from '../../registry_protection/rights.ts'
import { tagRights } from '../../registry_protection/tags/rights.ts'
import { assertDeletable, removeTags } from '../manifests.ts'
import { type RepositoryRow, repositoryById, tagsIn } from '../queries.ts'
import { type Cleanup, tagsToRemove } from './selection.ts'

/** What a user asks for. */
export interface CleanupRequest {
  readonly name_regex_delete?: string
  readonly name_regex?: string
  readonly name_regex_keep?: string
  readonly keep_n?: number
  readonly older_than?: string
}

/** Between two requests for the same repository, in milliseconds. */
const PAUSE = 60 * 60 * 1000

function assertCleanup(request: CleanupRequest): void {
  const failures: Failures = {}
  for (const name of ['name_regex_delete', 'name_regex', 'name_regex_keep'] as const) {
    const source = request[name]
    if (source && !compiledPattern(source)) failures[name] = ['is an invalid regexp']
  }
  if (request.older_than && parseDuration(request.older_than) === undefined) failures.older_than = ['is invalid']
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

/** Queues a cleanup of a repository. @throws Refusal 400 for what is no pattern and for the second request within an hour, 403 where it is protected */
export async function requestCleanup(ctx: Context, repository: RepositoryRow, request: CleanupRequest): Promise<void> {
  assertCleanup(request)
  await assertDeletable(ctx, repository)
  const { db, actor, now } = ctx
  const claimed = await db
    .updateTable('container_repositories')
    .set({ cleanup_requested_at: now })
    .where('id', '=', repository.id)
    .where(({ or, eb }) =>
      or([eb('cleanup_requested_at', 'is', null), eb('cleanup_requested_at', '<=', new Date(now.getTime() - PAUSE).toISOString())]),
    )
    .returning('id')
    .executeTakeFirst()
  if (!claimed)
    throw badRequest('This request has already been made. You can run this at most once an hour for a given container repository')
  const { name_regex, name_regex_delete = name_regex ?? '', ...rest } = request
  await enqueue(db, 'clean_up_container_repository', {
    repository_id: repository.id,
    user_id: actor.user?.id ?? 0,
    cleanup: { name_regex_delete, ...rest },
  })
}

/** Removes the tags that a user has asked to remove, if they still may. */
export async function cleanUpRepository(
  deps: Deps,
  { repository_id, user_id, cleanup }: { readonly repository_id: number; readonly user_id: number; readonly cleanup: Cleanup },
): Promise<void> {
  const { db } = deps.database
  const actor = await actingAs(db, user_id)
  const repository = await repositoryById(db, repository_id)
  if (!actor || !repository) return
  const project = await projectAllowing({ db, actor }, String(repository.project_id), 'admin_container_image')
  if (!project || !(await imageAllows({ db, actor }, project.id, repository.name, 'delete'))) return
  const rights = await tagRights({ db, actor }, project.id)
  await removeMatching(systemContext(deps, db, actor), repository, cleanup, name => rights.allows(name, 'delete'))
}

/**
 * Removes the tags of a repository that a cleanup names; a tag that has moved meanwhile stays.
 * @param mayRemove leaves out the tags that a rule protects: none is counted among those that are kept
 */
export async function removeMatching(
  ctx: Context,
  repository: RepositoryRow,
  cleanup: Cleanup,
  mayRemove: (name: string) => boolean,
): Promise<void> {
  const candidates = (await tagsIn(ctx.db, repository.id).execute()).filter(({ name }) => mayRemove(name))
  const tags = await tagsToRemove(candidates, cleanup, ctx.now)
  if (tags.length === 0) return
  await transact(ctx.db, db =>
    removeTags(
      { ...ctx, db },
      repository,
      tags.map(({ name }) => name),
      tags.map(({ manifest_id }) => manifest_id),
    ),
  )
}
