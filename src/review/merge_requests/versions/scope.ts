import { inRepositoryPage } from '../../../code/repository/scope.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../../platform/kernel/declaration/types.ts'
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

/** A merge request on the web page of its project, by number and format: `12.diff`, `12.patch`. */
export const inMergeRequestPage = within(inRepositoryPage, {
  name: 'inMergeRequestPage',
  path: { filename: text('Number of a merge request within its project, and `.diff` or `.patch`') },
  async load(ctx, { filename }) {
    const [, iid, format] = /^(\d{1,15})\.(diff|patch)$/.exec(filename) ?? []
    if (iid === undefined) throw notFound('Merge Request')
    return { mergeRequest: await findMergeRequest(ctx, ctx.project, Number(iid)), format: format as 'diff' | 'patch' }
  },
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
