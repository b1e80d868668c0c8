/** The service desk of a project: its address, and its settings (src/integrations/service_desk). */
import { changesExcept } from '../../../platform/events/audit/changes.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type AddressPattern, addressBelow } from '../../../platform/mail/incoming/addresses.ts'
import type { ProjectRow } from '../queries.ts'

/** What its address is made of. */
export interface AddressedDesk {
  readonly id: number
  readonly full_path: string
  readonly service_desk_project_key: string | null
}

/** The address; null where the instance takes no mail. */
export const deskAddress = (
  { id, full_path, service_desk_project_key }: AddressedDesk,
  pattern: AddressPattern | undefined,
): string | null => (pattern ? addressBelow(pattern, full_path, service_desk_project_key ?? `${id}-issue-`) : null)

/** The settings as they are stored; undefined: it stays. */
export interface DeskColumns {
  readonly service_desk_enabled?: boolean | undefined
  readonly service_desk_outgoing_name?: string | null | undefined
  readonly service_desk_project_key?: string | null | undefined
  readonly service_desk_key_set_at?: string
  readonly service_desk_issue_template?: string | null | undefined
  readonly service_desk_confidential?: boolean | undefined
}

/** Stores settings that were checked, in the transaction of `ctx`. */
export async function setDesk(ctx: Context, project: ProjectRow, columns: DeskColumns): Promise<void> {
  await ctx.db
    .updateTable('projects')
    .set({ ...columns, updated_at: ctx.now })
    .where('id', '=', project.id)
    .execute()
  const changes = changesExcept(project, columns, ['service_desk_key_set_at'])
  await recordEvent(ctx, {
    kind: 'project.updated',
    payload: { project_id: project.id, changes },
    actorId: ctx.actor.user?.id,
    projectId: project.id,
  })
}
