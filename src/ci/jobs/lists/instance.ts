/** Lists of the jobs of all projects, for administrators. */
import type { Db } from '../../../platform/db/connection.ts'
import type { JobStatus } from '../../states.ts'
import { jobs } from '../queries.ts'

/** The jobs of the instance, newest first; each status is read by its index, however rare it is. */
export function jobsOfInstance(db: Db, status: JobStatus | undefined) {
  const all = jobs(db).where('jobs.kind', '=', 'build').orderBy('jobs.id', 'desc')
  return status === undefined ? all : all.where('jobs.status', '=', status)
}
