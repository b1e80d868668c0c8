/** The labels of an item after a change. */
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import type { PlanningPlace } from '../../spaces/places/places.ts'
import { labelsForNames } from './commands.ts'
import { labelsByName } from './queries.ts'
import { scopeOf } from './scoped.ts'

/** Changes of the labels of an item, by name. */
export interface LabelChoice {
  /** All labels; the present ones stay if not given. */
  readonly labels?: readonly string[] | undefined
  readonly add_labels?: readonly string[] | undefined
  readonly remove_labels?: readonly string[] | undefined
}

/**
 * The ids of the labels after the changes: those named, or the present ones; plus the added ones, which replace labels of the same
 * scope; minus the removed ones. Missing labels are created in the place.
 */
export async function labelIdsAfter(
  ctx: Context,
  place: Pick<PlanningPlace, 'key' | 'above'>,
  before: readonly number[],
  { labels, add_labels = [], remove_labels = [] }: LabelChoice,
): Promise<number[]> {
  const base = labels ? await labelsForNames(ctx, place, labels) : before
  const added = add_labels.length > 0 ? await labelsForNames(ctx, place, add_labels) : []
  const removed = remove_labels.length > 0 ? [...(await labelsByName(ctx.db, place, remove_labels)).values()] : []
  const displaced = await sharingScopes(
    ctx,
    base.filter(id => !added.includes(id)),
    add_labels,
  )
  const gone = new Set([...removed, ...displaced])
  return [...new Set([...base, ...added])].filter(id => !gone.has(id))
}

/** The labels among `ids` that share the scope of one of these names. */
async function sharingScopes({ db, tier }: Context, ids: readonly number[], names: readonly string[]): Promise<number[]> {
  const scopes = new Set(names.map(name => scopeOf(name.trim())).filter(scope => scope !== undefined))
  if (scopes.size === 0 || ids.length === 0 || !tierCovers(tier, 'premium')) return []
  const labels = await db.selectFrom('labels').select(['id', 'name']).where('id', '=', anyOf(ids)).execute()
  return labels.flatMap(({ id, name }) => (scopes.has(scopeOf(name) ?? '') ? [id] : []))
}
