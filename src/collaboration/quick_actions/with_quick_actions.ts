/** Creating and changing items by texts that may contain quick actions. */
import type { Context } from '../../platform/kernel/context.ts'
import { noteableKind } from '../item_kinds/item_kind.ts'
import type { Noteable } from '../notes/items/noteable.ts'
import type { ItemTypes, Writing } from './action.ts'
import { type Interpretation, interpretQuickActions, labelsOfNew } from './interpret.ts'

/** Runs the deferred effects, and returns the final row. @throws the refusals of the actions */
async function finish<T extends ItemTypes>(
  ctx: Context,
  { noteable, read }: Writing<T>,
  place: T['place'],
  row: T['row'],
  { after }: Interpretation<T>,
): Promise<T['row']> {
  let now = row
  for (const act of after) {
    await act(ctx, noteable(ctx, place, now))
    now = await read(ctx, place, row.id)
  }
  return now
}

/** Changes an item and applies the quick actions of its new description. @throws the refusals of its command and the actions */
export async function updateWithQuickActions<T extends ItemTypes>(
  ctx: Context,
  writing: Writing<T>,
  { place, row }: { readonly place: T['place']; readonly row: T['row'] },
  given: T['changes'],
): Promise<T['row']> {
  if (!given.description) return writing.update(ctx, place, row, given)
  const target = { ctx, place, writing, noteable: writing.noteable(ctx, place, row), sofar: given }
  const interpretation = await interpretQuickActions<T>(target, given.description)
  const changed = await writing.update(ctx, place, row, { ...interpretation.changes, description: interpretation.text })
  return finish(ctx, writing, place, changed, interpretation)
}

/**
 * Creates an item of `place` and applies the quick actions of its description.
 * @param create creates the item, and calls `finish` in the same transaction
 * @throws the refusals of `create` and the actions
 */
export async function createWithQuickActions<T extends ItemTypes, Given extends T['changes']>(
  ctx: Context,
  writing: Writing<T>,
  place: T['place'],
  given: Given,
  create: (wanted: Given, finish: (ctx: Context, row: T['row']) => Promise<T['row']>) => Promise<T['row']>,
): Promise<T['row']> {
  const { description } = given
  if (!description) return create(given, async (_ctx, row) => row)
  const interpretation = await interpretQuickActions<T>({ ctx, place, writing, noteable: undefined, sofar: given }, description)
  const { text, changes } = interpretation
  // A new item has no state to change.
  const { add_labels: _added, remove_labels: _removed, state_event: _none, ...attributes } = changes as ItemTypes['changes']
  const wanted = { ...given, ...attributes, labels: labelsOfNew(changes), description: text }
  return create(wanted, (tx, row) => finish(tx, writing, place, row, interpretation))
}

/** Interprets a note on an item; `act` applies its quick actions. @throws (from `act`) the refusals of its command and the actions */
export async function readNote(ctx: Context, noteable: Noteable, body: string) {
  const { writing } = noteableKind(noteable.noun)
  if (!writing) return { text: body, reported: {}, names: [], act: async () => {} }
  const [place, row] = [writing.placeOf(noteable), writing.rowOf(noteable)]
  const interpretation = await interpretQuickActions({ ctx, place, writing, noteable, sofar: {} }, body)
  const { text, reported, names, changes } = interpretation
  const act = async () => {
    const changed = Object.keys(changes).length > 0 ? await writing.update(ctx, place, row, changes) : row
    await finish(ctx, writing, place, changed, interpretation)
  }
  return { text, reported, names, act }
}
