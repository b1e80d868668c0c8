/** Creating, changing and deleting epics. */

import { sql } from 'kysely'
import { processMentions, readMentions } from '../../collaboration/mentions/process.ts'
import { recordSystemNotes } from '../../collaboration/system_notes/record.ts'
import { finishTodos } from '../../collaboration/todos/write.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { ChangeSet } from '../../platform/events/audit/kinds.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { next } from '../../platform/kernel/declaration/machine.ts'
import { forbidden, invalid, notFound } from '../../platform/kernel/errors.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { nextIid } from '../../spaces/places/iids.ts'
import { groupPlaceOf } from '../../spaces/places/places.ts'
import { labelsForNames } from '../labels/commands.ts'
import { labelIdsAfter } from '../labels/label_changes.ts'
import { recordResourceEvents } from '../resource_events/write.ts'
import { assertNoOpenChildren, lockEpicTrees, lockParents, setParent } from './children/commands.ts'
import { epicTextPlace } from './item_kind/readers.ts'
import { type EpicRow, epicById } from './queries.ts'
import { epicMachine } from './states.ts'

export interface EpicAttributes {
  readonly title?: string | undefined
  readonly description?: string | null | undefined
  readonly confidential?: boolean | undefined
  /** All labels, by name; missing ones are created in the group. */
  readonly labels?: readonly string[] | undefined
  readonly start_date_is_fixed?: boolean | undefined
  readonly start_date_fixed?: string | null | undefined
  readonly due_date_is_fixed?: boolean | undefined
  readonly due_date_fixed?: string | null | undefined
  /** The parent epic; null and 0 for none. */
  readonly parent_id?: number | null | undefined
}

function titleFrom(text: string): string {
  const title = text.trim()
  if (title === '') throw invalid({ title: ["can't be blank"] })
  return title
}

const record = (ctx: Context, kind: 'epic.created' | 'epic.deleted', epic: Pick<EpicRow, 'id' | 'iid' | 'title' | 'namespace_id'>) =>
  recordEvent(ctx, {
    kind,
    payload: { epic_id: epic.id, iid: epic.iid, title: epic.title },
    actorId: ctx.actor.user?.id,
    namespaceId: epic.namespace_id,
  })

/** Creates an epic of a group. Its number is allocated in the transaction, so that no number is skipped or used twice. */
export async function createEpic(
  ctx: Context,
  group: GroupRow,
  given: EpicAttributes & { readonly title: string; readonly created_at?: string | undefined },
): Promise<EpicRow> {
  const { db, now, actor } = ctx
  if (!actor.user) throw forbidden()
  await readMentions(given.description)
  const { labels, parent_id, created_at, ...columns } = given
  const { id } = await db
    .insertInto('epics')
    .values({
      ...columns,
      title: titleFrom(given.title),
      namespace_id: group.id,
      author_id: actor.user.id,
      iid: await nextIid(db, { namespace_id: group.id }, 'epic'),
      created_at: created_at ?? now,
      updated_at: created_at ?? now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (labels?.length) await setLabels(db, id, await labelsForNames(ctx, groupPlaceOf(group), labels))
  if (parent_id) await setParent(ctx, parent_id, await epicById(ctx, id, group.full_path))
  const epic = await epicById(ctx, id, group.full_path)
  await record(ctx, 'epic.created', epic)
  if (epic.label_ids.length > 0)
    await recordResourceEvents(
      db,
      { epic_id: id, user_id: actor.user.id, created_at: now, state: 'opened' },
      { labels: { from: [], to: epic.label_ids } },
    )
  await processMentions(ctx, epicTextPlace(group, epic), epic.description)
  return epic
}

export interface EpicChanges extends EpicAttributes {
  readonly add_labels?: readonly string[] | undefined
  readonly remove_labels?: readonly string[] | undefined
  /** Contract: closing a closed epic, or reopening an open one, is ignored (public behaviour at 14.0). */
  readonly state_event?: 'close' | 'reopen' | undefined
  /** The recorded time, for callers who may set it; default now. */
  readonly updated_at?: string | undefined
}

/** Changes an epic; of two concurrent requests to close it one is recorded. 400 for a blank title or an invalid parent. */
export async function updateEpic(ctx: Context, group: GroupRow, { id }: EpicRow, changes: EpicChanges): Promise<EpicRow> {
  const { db, now, actor } = ctx
  const { labels, add_labels, remove_labels, state_event, parent_id, updated_at, ...attributes } = changes
  await readMentions(changes.description)
  if (parent_id) await lockEpicTrees(db)
  if (parent_id !== undefined) await lockParents(db, id, parent_id || null)
  await lockEpic(db, id)
  const before = await epicById(ctx, id, group.full_path)
  if (attributes.confidential && !before.confidential) await assertNoOpenChildren(db, id)
  const state = state_event && next(epicMachine, before.state, state_event)
  const columns = {
    ...attributes,
    ...(attributes.title !== undefined && { title: titleFrom(attributes.title) }),
    ...(state && { state, closed_at: state === 'closed' ? now : null, closed_by_id: state === 'closed' ? (actor.user?.id ?? null) : null }),
  }
  await db
    .updateTable('epics')
    .set({ ...columns, updated_at: updated_at ?? now })
    .where('id', '=', id)
    .execute()
  if (labels ?? add_labels ?? remove_labels)
    await setLabels(db, id, await labelIdsAfter(ctx, groupPlaceOf(group), before.label_ids, { labels, add_labels, remove_labels }))
  if (parent_id !== undefined && (parent_id || null) !== before.parent_id) await setParent(ctx, parent_id || null, before)
  const after = await epicById(ctx, id, group.full_path)
  const changed = changeSetOf(before, after)
  if (Object.keys(changed).length > 0) await recordEpicChange(ctx, group, after, changed)
  return after
}

/** Records the change of an epic with all its side effects. */
async function recordEpicChange(ctx: Context, group: GroupRow, epic: EpicRow, changes: ChangeSet): Promise<void> {
  const { db, now, actor } = ctx
  const userId = actor.user?.id
  await recordEvent(db, { kind: 'epic.updated', payload: { epic_id: epic.id, changes }, actorId: userId, namespaceId: group.id })
  await recordResourceEvents(db, { epic_id: epic.id, user_id: userId ?? null, created_at: now, state: epic.state }, changes)
  // Changes by the server itself have no author, and thus no notes.
  if (userId === undefined) return
  await recordSystemNotes(db, { epic_id: epic.id, author_id: userId, project_path: group.full_path, created_at: now }, changes)
  await finishTodos(db, userId, { epic_id: epic.id }, now)
  if (changes.description) await processMentions(ctx, epicTextPlace(group, epic), epic.description, { isEdit: true })
}

/** Locks an epic against changes until the transaction ends; 404 if it was deleted. */
export async function lockEpic(db: Db, id: number): Promise<void> {
  const row = await db.selectFrom('epics').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw notFound('Epic')
}

/** The columns whose changes are recorded. */
const recordedColumns = [
  'title',
  'description',
  'state',
  'confidential',
  'parent_id',
  'label_ids',
  'start_date_is_fixed',
  'start_date_fixed',
  'due_date_is_fixed',
  'due_date_fixed',
] as const

function changeSetOf(before: EpicRow, after: EpicRow): ChangeSet {
  const changed = recordedColumns.filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return Object.fromEntries(changed.map(name => [name === 'label_ids' ? 'labels' : name, { from: before[name], to: after[name] }]))
}

/** Replaces the labels of an epic. */
async function setLabels(db: Db, epicId: number, labelIds: readonly number[]): Promise<void> {
  await db.deleteFrom('epic_labels').where('epic_id', '=', epicId).where(sql<boolean>`label_id <> all(${labelIds}::bigint[])`).execute()
  if (labelIds.length === 0) return
  await db
    .insertInto('epic_labels')
    .values(labelIds.map(label_id => ({ epic_id: epicId, label_id })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Deletes an epic. Its issues then have no epic, and its children become top-level epics. */
export async function removeEpic(ctx: Context, epic: Parameters<typeof record>[2]): Promise<void> {
  await record(ctx, 'epic.deleted', epic)
  await ctx.db.deleteFrom('epics').where('id', '=', epic.id).returning('id').executeTakeFirstOrThrow()
}
