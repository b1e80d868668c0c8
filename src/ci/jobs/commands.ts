/** Writes to columns of jobs that are no part of their state; moving/ writes that. */
import { anyOf } from '../../platform/db/any.ts'
import type { Db } from '../../platform/db/connection.ts'

/** Gives jobs the environment that they name. */
export const assignEnvironment = (db: Db, jobIds: readonly number[], environment_id: number) =>
  db.updateTable('jobs').set({ environment_id }).where('id', '=', anyOf(jobIds)).execute()
