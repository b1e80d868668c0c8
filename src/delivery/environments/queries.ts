/** Reads of environments. */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { containing } from '../../platform/db/statements/like.ts'

export const environments = (db: Db) => db.selectFrom('environments').selectAll('environments')

export type EnvironmentRow = Awaited<ReturnType<ReturnType<typeof environments>['executeTakeFirstOrThrow']>>

/** Filters of a list of environments. */
export interface EnvironmentFilters {
  readonly name?: string | undefined
  /** Part of the name, so that a folder's name finds the environments in it. */
  readonly search?: string | undefined
  readonly states?: EnvironmentState | undefined
}

export type EnvironmentState = EnvironmentRow['state']

/** The environments of a project, oldest first. */
export function environmentsOf(db: Db, projectId: number, { name, search, states }: EnvironmentFilters) {
  let query = environments(db).where('project_id', '=', projectId).orderBy('id')
  if (name !== undefined) query = query.where('name', '=', name)
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

/** Environments by id, for the presenters of other resources: one statement for a page. */
export async function environmentsById(db: Db, ids: readonly number[]): Promise<Map<number, EnvironmentRow>> {
  if (ids.length === 0) return new Map()
  const rows = await environments(db).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Environments that are due to stop at `now`, the longest overdue first. */
export const environmentsToStop = (db: Db, now: Date) =>
  environments(db).where('auto_stop_at', '<=', now.toISOString()).where('state', '=', 'available').orderBy('auto_stop_at').orderBy('id')
