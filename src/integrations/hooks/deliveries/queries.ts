/** Reads of deliveries: requests to a hook, and their answers. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { HookKind, Trigger } from '../switches.ts'
import type { DeliveryStatus } from './states.ts'

/** Deliveries with the columns of their hook that a request needs. */
const deliveries = (db: Db) =>
  db
    .selectFrom('hook_deliveries')
    .innerJoin('hooks', 'hooks.id', 'hook_deliveries.hook_id')
    .selectAll('hook_deliveries')
    .select([
      'hooks.url',
      'hooks.token',
      'hooks.enable_ssl_verification',
      sql<HookKind>`case when project_id is not null then 'project' when namespace_id is not null then 'group' else 'system' end`.as(
        'kind',
      ),
      sql<Trigger>`hook_deliveries.trigger`.as('trigger'),
      sql<DeliveryStatus>`hook_deliveries.status`.as('status'),
      sql<Record<string, string>>`hook_deliveries.response_headers`.as('response_headers'),
    ])

export type DeliveryRow = Awaited<ReturnType<ReturnType<typeof deliveries>['executeTakeFirstOrThrow']>>

/** One delivery; undefined if it, or its hook, was deleted. */
export const deliveryById = (db: Db, id: number) => deliveries(db).where('hook_deliveries.id', '=', id).executeTakeFirst()

/** The statuses of a category. */
const categories: Readonly<Record<string, readonly [number, number]>> = {
  successful: [200, 299],
  client_failure: [400, 499],
  server_failure: [500, 599],
}

/** The deliveries of a hook, newest first. @param statuses status codes and categories; all if empty */
export const deliveriesOf = (db: Db, hookId: number, statuses: readonly string[] = []) =>
  deliveries(db)
    .where('hook_deliveries.hook_id', '=', hookId)
    .$if(statuses.length > 0, query =>
      query.where(({ or, between }) =>
        or(
          statuses.map(status => {
            const [from, to] = categories[status] ?? [Number(status), Number(status)]
            return between('hook_deliveries.response_status', from, to)
          }),
        ),
      ),
    )
    .orderBy('hook_deliveries.id', 'desc')

/** The latest delivery of each of these hooks, in one statement that reads one row of each. */
export async function latestDeliveries(db: Db, hookIds: readonly number[]) {
  const rows = await sql<{ hook_id: number; status: DeliveryStatus; response_status: number | null; attempts: number; created_at: string }>`
    select latest.hook_id, latest.status, latest.response_status, latest.attempts, latest.created_at
      from unnest(${[...hookIds]}::bigint[]) as wanted(id)
     cross join lateral (select * from hook_deliveries where hook_id = wanted.id order by hook_deliveries.id desc limit 1) latest`.execute(
    db,
  )
  return new Map(rows.rows.map(row => [Number(row.hook_id), row]))
}
