/** The approval settings of a project; shown and set by their own endpoints (src/review/approvals/rules). */
import type { Updateable } from 'kysely'
import type { DB } from '../../../platform/db/schema.ts'
import { changesExcept } from '../../../platform/events/audit/changes.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type ProjectRow, projectsById } from '../queries.ts'

/** The settings; undefined ones stay. */
export type ApprovalSettings = {
  readonly [K in
    | 'approvals_before_merge'
    | 'reset_approvals_on_push'
    | 'disable_overriding_approvers_per_merge_request'
    | 'merge_requests_author_approval'
    | 'merge_requests_disable_committers_approval'
    | 'require_password_to_approve']?: Updateable<DB['projects']>[K]
}

/** Sets them and returns the updated project. */
export async function setApprovalSettings(ctx: Context, project: ProjectRow, settings: ApprovalSettings): Promise<ProjectRow> {
  const { db, now } = ctx
  await db
    .updateTable('projects')
    .set({ ...settings, updated_at: now })
    .where('id', '=', project.id)
    .execute()
  const changes = changesExcept(project, settings, [])
  await recordEvent(ctx, { kind: 'approval_settings.updated', payload: { changes }, projectId: project.id })
  return (await projectsById(db, [project.id])).get(project.id) as ProjectRow
}
