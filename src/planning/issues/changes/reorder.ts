/** The manual order of issues. */

import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { lockName } from '../../../platform/db/statements/named_locks.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { badRequest, notFound } from '../../../platform/kernel/errors.ts'
import { type IssueRow, issueById, visibleIssuesById } from '../queries.ts'
import { lockIssue } from './update.ts'

/** The neighbours of the new position, by id; one of them is enough. */
export interface Neighbours {
  readonly move_after_id?: number | undefined
  readonly move_before_id?: number | undefined
}

/**
 * Moves an issue directly after one issue, directly before another, or between the two. 404 for neighbours that the caller may
 * not see, 400 for the issue itself and for neighbours in the other order.
 */
export async function reorderIssue(ctx: Context, issue: IssueRow, { move_after_id, move_before_id }: Neighbours): Promise<IssueRow> {
  const { db, actor } = ctx
  const ids = [move_after_id, move_before_id].filter(id => id !== undefined)
  if (ids.includes(issue.id)) throw badRequest('an issue cannot be its own neighbour')
  const known = await visibleIssuesById(db, actor, ids, null)
  if (ids.some(id => !known.has(id))) throw notFound('Issue')
  // The row first, as every change of an issue does: two that wait for each other's lock would end in a deadlock.
  await lockIssue(db, issue.id)
  // Serialized: concurrent moves to one place would otherwise use the same position.
  await lockName(db, 'positions of issues')
  const { rows } = await sql<{ is_between: boolean }>`
    with neighbours as (
      select
        coalesce((select relative_position from issues where id = ${move_after_id ?? null}),
                 (select max(relative_position) from issues where id <> ${issue.id} and relative_position <
                   (select relative_position from issues where id = ${move_before_id ?? null}))) as lower,
        coalesce((select relative_position from issues where id = ${move_before_id ?? null}),
                 (select min(relative_position) from issues where id <> ${issue.id} and relative_position >
                   (select relative_position from issues where id = ${move_after_id ?? null}))) as upper
    )
    update issues set relative_position = case
      when lower is null then upper - 1024
      when upper is null then lower + 1024
      else trim_scale((lower + upper) * 0.5) end
    from neighbours
    where issues.id = ${issue.id} and (lower is null or upper is null or lower < upper)
    returning true as is_between`.execute(db)
  if (rows.length === 0) throw badRequest('the neighbours are in the other order')
  return (await issueById(db, issue.id, issue.asked_in)) as IssueRow
}

/** Issues that are placed by one statement: an archive may have so many that one for all would take longer than a statement may. */
const PLACED = 5_000

/** Gives issues places on boards in this order, after all others. */
export async function orderIssues(db: Db, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += PLACED)
    await sql`
      update issues set relative_position = placed.place
        from (select id, nextval('issue_positions') as place
                from unnest(${ids.slice(start, start + PLACED)}::bigint[]) with ordinality as given(id, at) order by at) as placed
       where issues.id = placed.id`.execute(db)
}
