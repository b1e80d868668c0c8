/**
 * The orders of lists (document 3 `order_by`). Unset values come last in both directions, and the id makes every order
 * stable.
 */
import { type RawBuilder, sql } from 'kysely'
import type { ItemTables } from '../../../collaboration/item_kinds/kinds.ts'

export const orders = [
  'created_at',
  'updated_at',
  'priority',
  'due_date',
  'relative_position',
  'label_priority',
  'milestone_due',
  'popularity',
  'weight',
] as const
/** Orders of lists; `title` exists for merge requests only. */
export type Order = (typeof orders)[number] | 'title'
export type Sort = 'asc' | 'desc'

interface Key {
  readonly name: string
  readonly value: RawBuilder<unknown>
  readonly isNullable?: true
}

const column =
  (name: string, isNullable?: true) =>
  ({ table }: ItemTables): Key => ({ name, value: sql.ref(`${table}.${name}`), ...(isNullable && { isNullable }) })

const keys: { readonly [K in Order]: readonly ((kind: ItemTables) => Key)[] } = {
  created_at: [column('created_at')],
  updated_at: [column('updated_at')],
  // The earliest due milestone first, then the label of the highest priority (public behaviour at 14.0).
  priority: [column('milestone_due_on', true), column('label_priority', true)],
  due_date: [column('due_date', true)],
  relative_position: [column('relative_position')],
  label_priority: [column('label_priority', true)],
  milestone_due: [column('milestone_due_on', true)],
  popularity: [column('upvotes')],
  weight: [column('weight', true)],
  title: [column('title')],
}

/** The columns to order by, with their directions. */
export const inOrder = (kind: ItemTables, order: Order, sort: Sort): RawBuilder<unknown> =>
  sql.join(
    [...keys[order], column('id')]
      .map(key => key(kind))
      .map(({ value, isNullable }) => sql`${value} ${sql.raw(sort)}${sql.raw(isNullable && sort === 'desc' ? ' nulls last' : '')}`),
  )

/** The names of the columns of an order, the id last. */
export const columnsOf = (kind: ItemTables, order: Order): string[] => [...keys[order], column('id')].map(key => key(kind).name)
