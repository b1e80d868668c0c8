import Type from 'typebox'
import { notFound } from '../../kernel/errors.ts'
import { within } from '../../kernel/scope.ts'
import { findRepository } from '../../repository/store.ts'
import { inMergeRequest } from '../scope.ts'
import { versionIn } from './queries.ts'

/** A merge request with the repository that has its commits, or 404 where that is gone. */
export const inMergeRequestRepository = within(inMergeRequest, {
  name: 'inMergeRequestRepository',
  path: {},
  async load({ deps, project }) {
    const repository = await findRepository(deps.storages, project)
    if (!repository) throw notFound('Repository')
    return { repository }
  },
})

/** `:version_id` becomes a version of the merge request, or 404. */
export const inMergeRequestVersion = within(inMergeRequestRepository, {
  name: 'inMergeRequestVersion',
  path: { version_id: Type.Integer({ description: 'ID of a diff version' }) },
  async load({ db, mergeRequest }, { version_id }) {
    const version = await versionIn(db, mergeRequest.id, version_id)
    if (!version) throw notFound('Version')
    return { version }
  },
})
