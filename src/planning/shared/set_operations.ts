/**
 * Long lists that are counted by the sets of ids that labels and milestones give. Those of projects that are open to the caller lead to
 * rows of these projects alone, so that nothing but the secret ones among them has to be left out.
 */
import { type RawBuilder, sql } from 'kysely'
import { customPlan } from '../../platform/db/prepared.ts'
import { idsMatching, matchingBy } from './conditions.ts'
import type { ResolvedFilters } from './filter_ids.ts'
import type { Asking, Common, Listing } from './lists.ts'

/** What sets tell of a list. */
export interface Sets {
  /** A query of ids, each of which comes once. */
  readonly ids: RawBuilder<unknown>
  /** What the rows with these ids must be besides; undefined where all of them are wanted. */
  readonly rest?: RawBuilder<boolean>
}

/** The sets that a list is found by, where besides them nothing is asked for but a state and what is not wanted; undefined otherwise. */
export function setsOf<Row, F extends Common>(
  ctx: Asking,
  { kind, filters, options, projects, byProject }: Listing<Row, F>,
  named: ResolvedFilters,
): Sets | undefined {
  const { state, not, order_by, sort, ...wanted } = options
  const ids = byProject && idsMatching(filters, kind, wanted as unknown as F, ctx, named)
  if (!ids) return undefined
  if ((state ?? 'all') === 'all' && !not) return { ids }
  // Of one project the database knows well how many rows have the state, and begins with them where these are few.
  const isOneProject = Array.isArray(projects) && projects.length === 1
  return isOneProject ? undefined : { ids, rest: matchingBy(filters, kind, { state, not } as unknown as F, ctx, named) }
}

/**
 * A query of the first `limit` rows that sets tell, in no order: the `columns` of the kind's table where rows must be looked at, and
 * their ids alone where not.
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
    // No more of the ids are read than may be secret besides.
    return sql`(with ${secret} select ${customPlan} among.id
      from (select held.id from (${ids}) as held(id) limit ${limit} + (select count(*) from secret)) as among where ${isOpen} limit ${limit})`
  // Row by row: what the database knows of how often all of this goes together makes it read the whole table.
  return sql`(with ${secret} select ${customPlan} ${sql.join(columns.map(name => sql.ref(`${kind.table}.${name}`)))}
    from (${ids}) as among(id), lateral (select * from ${table} where ${sql.ref(`${kind.table}.id`)} = among.id offset 0) as ${table}
   where ${isOpen} and ${rest} limit ${limit})`
}
