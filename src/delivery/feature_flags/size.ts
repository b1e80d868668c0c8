/** How large the flags of a project are: applications are sent all of them, with the users of each list as often as strategies name it. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import type { FlagStrategy } from './queries.ts'

/**
 * Bytes of what the strategies of a project say. Each application reads it every few seconds: some 30 of the largest lists, and room for several such
 * answers at a time (answer_room.ts).
 */
const MOST_MEGABYTES = 16

/** Bytes that a scope has in JSON beside its name. */
const BESIDE_NAME = 50

async function bytesIn(db: Db, projectId: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(octet_length(strategies.parameters::text) + coalesce(octet_length(lists.user_xids), 0) + coalesce((
        select sum(octet_length(scopes.environment_scope) + ${BESIDE_NAME}) from project_flag_scopes scopes where scopes.strategy_id = strategies.id), 0)
      ), 0)::float8 as bytes
      from project_flags join project_flag_strategies strategies on strategies.flag_id = project_flags.id
      left join flag_user_lists lists on lists.id = strategies.user_list_id
     where project_flags.project_id = ${projectId}`.execute(db)
  return rows[0]?.bytes ?? 0
}

/**
 * Makes a change of what strategies say. Changes of one project wait for each other.
 * @throws Refusal 400 where the flags become larger than they may be; those that are it already, of earlier versions, can become smaller
 */
export async function withinSize<T>(db: Db, projectId: number, change: () => Promise<T>): Promise<T> {
  await db.selectFrom('projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute()
  const before = await bytesIn(db, projectId)
  const changed = await change()
  const after = await bytesIn(db, projectId)
  if (after > MOST_MEGABYTES * 1024 * 1024 && after > before)
    throw invalid({ base: [`The strategies and users of all feature flags are too large together (maximum is ${MOST_MEGABYTES} MB)`] })
  return changed
}

/**
 * The users of the lists that strategies name, by the id of the list: each list is read once, where there is room in memory for the answer. Two statements.
 * @throws Refusal 429 or 503
 */
export async function usersOfLists(
  ctx: Pick<Context, 'db' | 'deps' | 'actor' | 'request'>,
  strategies: readonly FlagStrategy[],
): Promise<ReadonlyMap<number, string>> {
  const lists = strategies.flatMap(({ user_list }) => user_list?.id ?? [])
  const named = ctx.db.selectFrom('flag_user_lists').where('id', '=', anyOf([...new Set(lists)]))
  const sizes =
    lists.length === 0
      ? []
      : await named.select(['id', ({ fn, ref }) => fn<number>('octet_length', [ref('user_xids')]).as('bytes')]).execute()
  const sizeOf = new Map(sizes.map(({ id, bytes }) => [id, bytes]))
  const ofLists = lists.reduce((sum, id) => sum + (sizeOf.get(id) ?? 0), 0)
  const ofParameters = strategies.reduce((sum, { parameters }) => sum + Object.values(parameters).join().length, 0)
  ctx.deps.limiter.answer(ctx, ofLists + ofParameters)
  const rows = lists.length === 0 ? [] : await named.select(['id', 'user_xids']).execute()
  return new Map(rows.map(({ id, user_xids }) => [id, user_xids]))
}
