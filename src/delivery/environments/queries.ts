/** Reads of environments. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { beginningWith, containing } from '../../platform/db/statements/like.ts'
import type { Slices } from '../../platform/kernel/answer/page.ts'

export const environments = (db: Db) => db.selectFrom('environments').selectAll('environments')

export type EnvironmentRow = Awaited<ReturnType<ReturnType<typeof environments>['executeTakeFirstOrThrow']>>

/** Filters of a list of environments. */
export interface EnvironmentFilters {
  /** The whole name; an empty one is ignored, as is an empty part. */
  readonly name?: string | undefined
  /** Part of the name, so that a folder's name finds the environments in it. */
  readonly search?: string | undefined
  readonly states?: EnvironmentState | undefined
}

export type EnvironmentState = EnvironmentRow['state']

/** The environments of a project, oldest first. */
export function environmentsOf(db: Db, projectId: number, { name, search, states }: EnvironmentFilters) {
  let query = environments(db).where('project_id', '=', projectId).orderBy('id')
  if (name) query = query.where('name', '=', name)
  if (search !== undefined) query = query.where('name', 'ilike', containing(search))
  if (states !== undefined) query = query.where('state', '=', states)
  return query
}

/** The environment of a project with this id. */
export const environmentById = (db: Db, projectId: number, id: number) =>
  environments(db).where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()

/** The environment of a project with exactly this name. */
export const environmentByName = (db: Db, projectId: number, name: string) =>
  environments(db).where('project_id', '=', projectId).where('name', '=', name).executeTakeFirst()

/** The environments of a project with these names. */
export const environmentsNamed = (db: Db, projectId: number, names: readonly string[]) =>
  environments(db).where('project_id', '=', projectId).where('name', '=', anyOf(names))

/** Environments by id, for the presenters of other resources: one statement for a page. */
export async function environmentsById(db: Db, ids: readonly number[]): Promise<Map<number, EnvironmentRow>> {
  if (ids.length === 0) return new Map()
  const rows = await environments(db).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Environments that are due to stop at `now`, the longest overdue first. */
export const environmentsToStop = (db: Db, now: Date) =>
  environments(db).where('auto_stop_at', '<=', now.toISOString()).where('state', '=', 'available').orderBy('auto_stop_at').orderBy('id')

/** What a list of environments shows in a row: a folder of those whose names begin alike, or one of its own. */
export interface EnvironmentGroup {
  /** Of a folder its name, before the first `/`. */
  readonly folder: string | null
  /** Of an environment alone. */
  readonly id: number
  readonly count: number
}

/** The environments of a project in a state, those with a `/` in their names by folder; in the order of their names. */
export function environmentGroupsOf(db: Db, projectId: number, state: EnvironmentState): Slices<EnvironmentGroup> {
  const key = sql`case when strpos(name, '/') > 1 then split_part(name, '/', 1) || '/' else name end`
  const found = sql`from environments where project_id = ${projectId} and state = ${state}`
  return {
    async slice(offset, limit) {
      const { rows } = await sql<EnvironmentGroup>`
        select case when min(key) like '%/' then left(min(key), -1) end as folder, min(id) as id, count(*)::int as count
          from (select id, ${key} as key ${found}) as keyed
         group by key order by key limit ${limit} offset ${offset}`.execute(db)
      return rows
    },
    async count(limit) {
      const { rows } = await sql<{ total: number }>`
        select count(*)::int as total from (select 1 from (select ${key} as key ${found}) as keyed group by key limit ${limit}) as counted`.execute(
        db,
      )
      return rows[0]?.total ?? 0
    },
  }
}

/** How many environments of a project there are in each state. */
export async function environmentCountsOf(db: Db, projectId: number): Promise<Readonly<Record<EnvironmentState, number>>> {
  const rows = await db
    .selectFrom('environments')
    .select(['state', sql<number>`count(*)::int`.as('count')])
    .where('project_id', '=', projectId)
    .groupBy('state')
    .execute()
  return { available: 0, stopped: 0, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) }
}

/** The environments of a project whose names begin with a folder, by name. */
export const environmentsInFolder = (db: Db, projectId: number, folder: string, state: EnvironmentState) =>
  environments(db)
    .where('project_id', '=', projectId)
    .where('state', '=', state)
    .where('name', 'like', beginningWith(`${folder}/`))
    .orderBy('name')
