/** What a project asks of approvals; shown and set by their own endpoints (src/approvals/rules). */
import type { Updateable } from 'kysely'
import type { Db } from '../db/connection.ts'
import type { DB } from '../db/schema.ts'
import { type ProjectRow, projectsById } from './queries.ts'

/** The settings; what is undefined stays. */
export type ApprovalSettings = {
  readonly [K in
    | 'approvals_before_merge'
    | 'reset_approvals_on_push'
    | 'disable_overriding_approvers_per_merge_request'
    | 'merge_requests_author_approval'
    | 'merge_requests_disable_committers_approval'
    | 'require_password_to_approve']?: Updateable<DB['projects']>[K]
}

/** Sets them and returns the project as it is then. */
export async function setApprovalSettings(db: Db, id: number, settings: ApprovalSettings, now: Date): Promise<ProjectRow> {
  await db
    .updateTable('projects')
    .set({ ...settings, updated_at: now })
    .where('id', '=', id)
    .execute()
  return (await projectsById(db, [id])).get(id) as ProjectRow
}
