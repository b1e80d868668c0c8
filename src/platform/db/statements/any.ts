/** Many values as one parameter. */
import { type RawBuilder, sql } from 'kysely'

/**
 * `where('users.id', '=', anyOf(ids))`: the values as one bound array. Unlike `in`, the statement is the same whatever
 * their number, so that it is prepared once for pages of all lengths, and no number of values is too many to bind.
 */
export const anyOf = <Value extends number | string>(values: readonly Value[]): RawBuilder<Value> => sql<Value>`any(${values})`

/**
 * Very many ids as one array, written out here: the driver takes its time over each element, and many lists take thousands
 * of them in several statements.
 */
export const idArray = (ids: readonly number[]): RawBuilder<number[]> => sql`${`{${ids.join(',')}}`}::bigint[]`
