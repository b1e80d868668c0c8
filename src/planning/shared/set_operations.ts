/**
 * Counts long lists by the sets of ids that labels and milestones define. Labels and milestones of projects visible to the caller are
 * on rows of these projects only, so that just the confidential rows among them have to be excluded.
 */
import { type RawBuilder, sql } from 'kysely'
import { customPlan } from '../../platform/db/statements/prepared.ts'
import { idsMatching, matchingBy } from './lists/conditions.ts'
import type { ResolvedFilters } from './lists/filter_ids.ts'
import type { Common, ListContext, Listing } from './lists/lists.ts'

/** The part of a list that sets determine. */
export interface Sets {
  /** A query of ids without duplicates. */
  readonly ids: RawBuilder<unknown>
  /** Further conditions on the rows with these ids; undefined if there are none. */
  readonly rest?: RawBuilder<boolean>
}

/** The sets of a list, if its other filters are at most a state and negated ones; undefined otherwise. */
export function setsOf<Row, F extends Common>(
  ctx: ListContext,
  { kind, filters, options, projects, byProject }: Listing<Row, F>,
  named: ResolvedFilters,
): Sets | undefined {
  const { state, not, order_by, sort, ...wanted } = options
  const ids = byProject && idsMatching(filters, kind, wanted as unknown as F, ctx, named)
  if (!ids) return undefined
  if ((state ?? 'all') === 'all' && !not) return { ids }
  // For a single project the planner estimates rows by state well, and begins with them if they are few.
  const isOneProject = Array.isArray(projects) && projects.length === 1
  return isOneProject ? undefined : { ids, rest: matchingBy(filters, kind, { state, not } as unknown as F, ctx, named) }
}

/**
 * A query of the first `limit` rows of the sets, in no order: the `columns` of the kind's table if rows have to be read, and only
 * their ids if not.
 */
export function firstOf<Row, F extends Common>(
  { kind, byProject }: Listing<Row, F>,
  { ids, rest }: Sets,
  columns: readonly string[],
  limit: number,
): RawBuilder<unknown> {
  const table = sql.table(kind.table)
  const secret = sql`secret(id) as materialized (${byProject?.except ?? sql`select 0 limit 0`})`
  const isOpen = sql`not exists (select from secret where secret.id = among.id)`
  if (!rest)
    // Reads only as many more ids as may be confidential.
    return sql`(with ${secret} select ${customPlan} among.id
      from (select held.id from (${ids}) as held(id) limit ${limit} + (select count(*) from secret)) as among where ${isOpen} limit ${limit})`
  // Row by row: the planner's estimate for the combined conditions would make it read the whole table.
  return sql`(with ${secret} select ${customPlan} ${sql.join(columns.map(name => sql.ref(`${kind.table}.${name}`)))}
    from (${ids}) as among(id), lateral (select * from ${table} where ${sql.ref(`${kind.table}.id`)} = among.id offset 0) as ${table}
   where ${isOpen} and ${rest} limit ${limit})`
}
