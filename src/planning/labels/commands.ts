/** Writes of labels. */

import { sql } from 'kysely'
import type { CopiedInto } from '../../collaboration/item_kinds/replacements.ts'
import { setSubscription } from '../../collaboration/subscriptions/commands.ts'
import type { Db } from '../../platform/db/connection.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict, invalid, notFound, notModified } from '../../platform/kernel/errors.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { hexColor } from './colors.ts'
import { countedLabelNamed, type LabelRow, labelsByName } from './queries.ts'
import { oneOfEachScope } from './scoped.ts'

export interface NewLabel {
  readonly name: string
  readonly color: string
  readonly description?: string | null | undefined
  readonly priority?: number | null | undefined
}

export interface LabelChanges {
  readonly new_name?: string | undefined
  readonly color?: string | undefined
  readonly description?: string | null | undefined
  readonly priority?: number | null | undefined
}

/** The colour of labels that are created implicitly. */
const DEFAULT_COLOR = '#428BCA'

/** A colour in the stored notation; 400 for an invalid one. */
function colorFrom(text: string): string {
  const color = hexColor(text)
  if (color === undefined) throw invalid({ color: ['must be a valid color code'] })
  return color
}

const isOwn = (place: PlanningPlace, label: LabelRow): boolean =>
  label[place.noun === 'project' ? 'project_id' : 'namespace_id'] === place.id

const reread = async ({ db, actor }: Context, place: PlanningPlace, id: number): Promise<LabelRow> =>
  (await countedLabelNamed(db, actor, place, String(id))) as LabelRow

/** Creates a label of the place; 409 if a label of this name exists there or in a group above (decision 13). */
export async function createLabel(ctx: Context, place: PlanningPlace, given: NewLabel): Promise<LabelRow> {
  const { db, now } = ctx
  const name = given.name.trim()
  const color = colorFrom(given.color)
  if ((await labelsByName(db, place, [name])).size > 0) throw conflict('Label already exists', { name: ['exists already'] })
  const { id } = await db
    .insertInto('labels')
    .values({ ...place.key, name, color, description: given.description ?? null, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) === undefined ? error : conflict('Label already exists', { name: ['exists already'] })
    })
  if (given.priority != null) await prioritize(db, place, id, given.priority)
  return reread(ctx, place, id)
}

/**
 * Changes a label. A project can change only its own priority of a group's label: 404 for other attributes. 400 for a name
 * that another label of the place has (decision 13).
 */
export async function updateLabel(ctx: Context, place: PlanningPlace, label: LabelRow, changes: LabelChanges): Promise<LabelRow> {
  const { db, now } = ctx
  const { new_name, color, description, priority } = changes
  const changesItself = [new_name, color, description].some(value => value !== undefined)
  if (changesItself && !isOwn(place, label)) throw notFound('Label')
  if (changesItself)
    await db
      .updateTable('labels')
      .set({
        ...(new_name !== undefined && { name: new_name.trim() }),
        ...(color !== undefined && { color: colorFrom(color) }),
        ...(description !== undefined && { description }),
        updated_at: now,
      })
      .where('id', '=', label.id)
      // A promotion that ended meanwhile has made it the group's.
      .where(({ and }) => and(place.key))
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch(error => {
        throw uniqueViolation(error) === undefined ? error : invalid({ name: ['has already been taken'] })
      })
  if (priority !== undefined) await prioritize(db, place, label.id, priority)
  return reread(ctx, place, label.id)
}

/** Sets or removes the priority of a label in a project. Groups have no priorities. */
async function prioritize(db: Db, place: PlanningPlace, labelId: number, priority: number | null): Promise<void> {
  if (place.noun === 'group') return
  if (priority === null) {
    await db.deleteFrom('label_priorities').where('label_id', '=', labelId).where('project_id', '=', place.id).execute()
    return
  }
  await db
    .insertInto('label_priorities')
    .values({ label_id: labelId, project_id: place.id, priority })
    .onConflict(onConflict => onConflict.columns(['label_id', 'project_id']).doUpdateSet({ priority }))
    .execute()
}

/** Deletes a label of the place itself, and removes it from all items. 404 for a label of a group above. */
export async function removeLabel({ db }: Context, place: PlanningPlace, label: LabelRow): Promise<void> {
  if (!isOwn(place, label)) throw notFound('Label')
  // A promotion that ended meanwhile has made it the group's: then the project has nothing to delete.
  await db
    .deleteFrom('labels')
    .where('id', '=', label.id)
    .where(({ and }) => and(place.key))
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Copies labels into projects and groups, and returns the ids of the copies. A concurrent request may have created one: that one remains. */
export async function copyLabels(db: Db, copies: readonly CopiedInto[], now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`insert into labels (project_id, namespace_id, name, color, description, created_at, updated_at)
    select copied.project_id, copied.namespace_id, former.name, former.color, former.description, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${copies.map(copy => copy.project_id)}::bigint[], ${copies.map(copy => copy.namespace_id)}::bigint[],
                  ${copies.map(copy => copy.from_id)}::bigint[]) as copied(project_id, namespace_id, from_id)
      join labels former on former.id = copied.from_id
     order by copied.project_id, copied.namespace_id, former.name
    on conflict do nothing returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Subscribes or unsubscribes the caller; 304 if that is already so. */
export async function changeSubscription(ctx: Context, place: PlanningPlace, label: LabelRow, subscribed: boolean): Promise<LabelRow> {
  if (label.subscribed === subscribed) throw notModified()
  await setSubscription(ctx.db, ctx.actor.user?.id as number, { label_id: label.id }, subscribed, ctx.now)
  return reread(ctx, place, label.id)
}

/**
 * The ids of labels by name, in order, to be added to items. Labels that the place lacks are created there, or left out if `create`
 * is false. Blank names are ignored; names cannot contain commas, which separate them. Of several labels of one scope the last
 * counts.
 */
export async function labelsForNames(
  { db, now, tier }: Pick<Context, 'db' | 'now' | 'tier'>,
  place: Pick<PlanningPlace, 'key' | 'above'>,
  names: readonly string[],
  create = true,
): Promise<number[]> {
  const wanted = oneOfEachScope(distinct(names), tier)
  const known = await labelsByName(db, place, wanted)
  const missing = wanted.filter(name => !known.has(name))
  if (missing.length > 0 && create) {
    const long = missing.some(name => name.length > 255)
    if (long) throw invalid({ labels: ['is too long (maximum is 255 characters)'] })
    await db
      .insertInto('labels')
      .values(missing.map(name => ({ ...place.key, name, color: DEFAULT_COLOR, created_at: now, updated_at: now })))
      // A concurrent request has created it: use that one.
      .onConflict(onConflict => onConflict.doNothing())
      .execute()
    for (const [name, id] of await labelsByName(db, place, missing)) known.set(name, id)
  }
  return wanted.flatMap(name => known.get(name) ?? [])
}

/** Like `labelsForNames` if all labels exist; undefined if some would have to be created. */
export async function existingLabels(
  { db, tier }: Pick<Context, 'db' | 'tier'>,
  place: Pick<PlanningPlace, 'key' | 'above'>,
  names: readonly string[],
): Promise<number[] | undefined> {
  const wanted = oneOfEachScope(distinct(names), tier)
  const known = await labelsByName(db, place, wanted)
  return wanted.every(name => known.has(name)) ? wanted.map(name => known.get(name) as number) : undefined
}

const distinct = (names: readonly string[]): string[] => [...new Set(names.map(name => name.trim()).filter(name => name !== ''))]
