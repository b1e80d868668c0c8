import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound, refusedTo } from '../../platform/kernel/errors.ts'
import { inProject, type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { type MergeRequestRow, mergeRequestIn } from './queries.ts'

/** The merge request with this number, or 404. */
export async function findMergeRequest({ db }: Context, project: ProjectWithRole, iid: number): Promise<MergeRequestRow> {
  const found = await mergeRequestIn(db, project, iid)
  if (!found) throw notFound('Merge Request')
  return found
}

/** Did this user write the merge request, or is it assigned to them? */
export const isOwnMergeRequest = (row: Pick<MergeRequestRow, 'author_id' | 'assignee_ids'>, userId: number | undefined): boolean =>
  userId !== undefined && (row.author_id === userId || row.assignee_ids.includes(userId))

/** What hangs on a merge request is for those who may read it, whatever ability the endpoint names: pipelines have one of their own. */
function assertReadable({ actor }: Pick<Context, 'actor'>, project: ProjectWithRole): void {
  const verdict = allows(actor, 'read_merge_request', projectSubject(project))
  if (verdict === 'hidden') throw notFound('Merge Request')
  if (verdict === 'no') throw refusedTo(actor)
}

/** `:merge_request_iid` is resolved to a merge request of the project, or 404. */
export const inMergeRequest = within(inProject, {
  name: 'inMergeRequest',
  path: { merge_request_iid: integer('Number of a merge request within its project') },
  async load(ctx, { merge_request_iid }) {
    assertReadable(ctx, ctx.project)
    const mergeRequest = await findMergeRequest(ctx, ctx.project, merge_request_iid)
    return { mergeRequest, isOwn: isOwnMergeRequest(mergeRequest, ctx.actor.user?.id) }
  },
  subject: ({ project, isOwn }) => ({ ...projectSubject(project), own: isOwn }),
  modifiedAt: ({ mergeRequest }) => mergeRequest.updated_at,
})
