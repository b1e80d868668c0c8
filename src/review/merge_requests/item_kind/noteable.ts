/** Merge requests as noteables: items that notes can be written on. */
import { type Noteable, type NoteableApi, noteableInProject } from '../../../collaboration/notes/items/noteable.ts'
import { allows } from '../../../platform/access/abilities.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { type MergeRequestRow, mergeRequestIn } from '../queries.ts'
import { inMergeRequest } from '../scope.ts'

export interface NoteableMergeRequest extends Noteable<MergeRequestRow & { readonly confidential: boolean }> {
  readonly project: ProjectWithRole
  readonly mergeRequest: MergeRequestRow
}

export const noteableMergeRequest = (
  ctx: Pick<Context, 'actor'>,
  project: ProjectWithRole,
  mergeRequest: MergeRequestRow,
): NoteableMergeRequest => ({
  noun: 'merge_request',
  key: { merge_request_id: mergeRequest.id },
  ...noteableInProject(ctx, project, { ...mergeRequest, confidential: false }),
  mergeRequest,
})

/** The merge request with this number as a noteable, if the caller may see it. */
export async function findNoteableMergeRequest(
  ctx: Context,
  project: ProjectWithRole,
  iid: number,
): Promise<NoteableMergeRequest | undefined> {
  if (allows(ctx.actor, 'read_merge_request', projectSubject(project)) !== 'yes') return undefined
  const mergeRequest = await mergeRequestIn(ctx.db, project, iid)
  return mergeRequest && noteableMergeRequest(ctx, project, mergeRequest)
}

/** Declaration of the note endpoints of merge requests. */
export const mergeRequestApi = {
  path: '/projects/:id/merge_requests/:merge_request_iid',
  noun: 'a merge request',
  scope: within(inMergeRequest, {
    name: 'inMergeRequest',
    path: {},
    load: async ctx => ({ noteable: noteableMergeRequest(ctx, ctx.project, ctx.mergeRequest) }),
  }),
  can: {
    read: 'read_merge_request',
    say: 'create_merge_request_note',
    change: 'admin_merge_request_note',
    award: 'award_merge_request_emoji',
    mark: 'mark_merge_request_todo',
  },
} satisfies NoteableApi
