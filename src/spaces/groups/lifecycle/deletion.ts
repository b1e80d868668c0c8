/**
 * Deletes groups, immediately or after the deletion delay (`INGOT_DELETION_DELAY`, from the premium tier on). Until then a group is marked, works
 * as before, and can be restored.
 */
import { lockNamespace } from '../../../identity/paths/routes.ts'
import { transact } from '../../../platform/db/transact.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { badRequest, notFound } from '../../../platform/kernel/errors.ts'
import { dayOf, isDeletionDelayed, lastDueDay } from '../../projects/lifecycle/deletion_delay.ts'
import { type GroupRow, groups } from '../queries.ts'
import { removeGroup } from './removal.ts'

/** Deletes a group with everything in it, or marks it; marking is idempotent. */
export async function deleteGroup(ctx: Context, group: GroupRow): Promise<void> {
  if (!isDeletionDelayed(ctx)) return removeGroup(ctx, group)
  if (group.marked_for_deletion_on === null) await mark(ctx, group, dayOf(ctx.now))
}

/** Removes the mark. @throws badRequest it is not marked; notFound its removal has begun */
export async function restoreGroup(ctx: Context, group: GroupRow): Promise<GroupRow> {
  if (group.marked_for_deletion_on === null) throw badRequest('Group has not been marked for deletion')
  await mark(ctx, group, null)
  return groups(ctx.db).where('namespaces.id', '=', group.id).executeTakeFirstOrThrow()
}

async function mark(ctx: Context, group: GroupRow, day: string | null): Promise<void> {
  const { db, now } = ctx
  const locked = await lockNamespace(db, group.id)
  if (!locked || locked.deleting) throw notFound('Group')
  await db.updateTable('namespaces').set({ marked_for_deletion_on: day, updated_at: now }).where('id', '=', group.id).execute()
  const changes = { marked_for_deletion_on: { from: group.marked_for_deletion_on, to: day } }
  await recordEvent(ctx, { kind: 'group.updated', payload: { id: group.id, name: group.full_path, changes }, namespaceId: group.id })
}

/** Deletes the groups whose delay has passed, each in its own transaction. */
export async function removeMarkedGroups(deps: Deps): Promise<void> {
  const { db } = deps.database
  const due = lastDueDay(deps)
  const marked = await db.selectFrom('namespaces').select('id').where('marked_for_deletion_on', '<=', due).orderBy('id').execute()
  for (const { id } of marked)
    await transact(db, async tx => {
      // It may have been restored meanwhile, or be on its way with a group above it.
      await lockNamespace(tx, id)
      const group = await groups(tx)
        .where('namespaces.id', '=', id)
        .where('namespaces.marked_for_deletion_on', '<=', due)
        .executeTakeFirst()
      if (group) await removeGroup(systemContext(deps, tx), group)
    })
}
