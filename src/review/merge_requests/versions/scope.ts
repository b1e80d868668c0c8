import { inRepositoryPage } from '../../../code/repository/scope.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import { findMergeRequest, inMergeRequest } from '../scope.ts'
import { versionIn } from './queries.ts'

/** A merge request with the repository that has its commits; 404 if the repository does not exist. */
export const inMergeRequestRepository = within(inMergeRequest, {
  name: 'inMergeRequestRepository',
  path: {},
  async load({ deps, project }) {
    const repository = await findRepository(deps.storages, project)
    if (!repository) throw notFound('Repository')
    return { repository }
  },
})

/** A merge request by the address of its page: `12`, in `12.diff` too. */
export const inMergeRequestText = within(inRepositoryPage, {
  name: 'inMergeRequestText',
  path: { merge_request_iid: integer('Number of a merge request within its project') },
  load: async (ctx, { merge_request_iid }) => ({ mergeRequest: await findMergeRequest(ctx, ctx.project, merge_request_iid) }),
})

/** `:version_id` is resolved to a version of the merge request, or 404. */
export const inMergeRequestVersion = within(inMergeRequestRepository, {
  name: 'inMergeRequestVersion',
  path: { version_id: integer('ID of a diff version') },
  async load({ db, mergeRequest }, { version_id }) {
    const version = await versionIn(db, mergeRequest.id, version_id)
    if (!version) throw notFound('Version')
    return { version }
  },
})
