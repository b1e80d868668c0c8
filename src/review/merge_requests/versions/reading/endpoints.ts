/** The files of a merge request that the caller has viewed. */
import { endpoint, nothing, one, pageOf } from '../../../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../../../platform/kernel/declaration/types.ts'
import { inMergeRequest } from '../../scope.ts'
import { inMergeRequestRepository } from '../scope.ts'
import { markFileViewed, readerOf, unmarkFileViewed } from './commands.ts'
import { ViewedFile } from './entity.ts'
import { viewedFilesOf } from './queries.ts'

const path = text('Path of the file after the change', { maxLength: 4096, examples: ['shared.txt'] })

export const listViewedFiles = endpoint({
  route: 'GET /projects/:id/merge_requests/:merge_request_iid/viewed_files',
  summary: 'List the files of a merge request that the caller has viewed',
  scope: inMergeRequest,
  can: 'mark_file_viewed',
  answers: pageOf(ViewedFile),
  run: ctx => viewedFilesOf(ctx.db, ctx.mergeRequest.id, readerOf(ctx)),
})

export const setViewedFile = endpoint({
  route: 'PUT /projects/:id/merge_requests/:merge_request_iid/viewed_files',
  summary: 'Mark a file of a merge request as viewed',
  scope: inMergeRequestRepository,
  can: 'mark_file_viewed',
  params: {
    path,
    blob_id: optional(
      text('ID of the contents that were viewed, which the mark is of; those of the latest version unless given', {
        pattern: '^([0-9a-f]{40}|[0-9a-f]{64})$',
      }),
    ),
  },
  answers: one(ViewedFile),
  run: ctx => markFileViewed(ctx, ctx.repository, ctx.mergeRequest, ctx.params),
})

export const unsetViewedFile = endpoint({
  route: 'DELETE /projects/:id/merge_requests/:merge_request_iid/viewed_files',
  summary: 'Take the mark of a viewed file away',
  scope: inMergeRequest,
  can: 'mark_file_viewed',
  params: { path },
  answers: nothing,
  run: ctx => unmarkFileViewed(ctx, ctx.mergeRequest, ctx.params.path),
})
