/** Why a pending job waits: which runners could take it, as the queue decides. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { ONLINE } from '../../runners/queries.ts'
import { runs, serves, suits } from './queue.ts'

/** How many runners there are for a job, each number narrower than the one before. */
export interface RunnersFor {
  /** May jobs of the project run at all? */
  readonly mayRun: boolean
  /** Serve the project. */
  readonly serving: number
  /** May take the job by its tags and by what is protected. */
  readonly suiting: number
  /** Are not paused. */
  readonly active: number
  /** Asked for jobs lately. */
  readonly online: number
  /** When the last of those that are online did. */
  readonly contactedAt: string | null
}

/** The runners for a job: one statement. */
export async function runnersFor(db: Db, jobId: number, now: Date): Promise<RunnersFor | undefined> {
  const since = new Date(now.getTime() - ONLINE)
  const fits = sql`${serves} and ${suits}`
  const { rows } = await sql<RunnersFor>`
    select ${runs} as "mayRun",
           (select count(*)::int from runners where ${serves}) as serving,
           (select count(*)::int from runners where ${fits}) as suiting,
           (select count(*)::int from runners where ${fits} and runners.active) as active,
           (select count(*)::int from runners where ${fits} and runners.active and runners.contacted_at > ${since}) as online,
           (select max(runners.contacted_at) from runners where ${fits} and runners.active and runners.contacted_at > ${since}) as "contactedAt"
      from jobs join projects on projects.id = jobs.project_id join namespaces on namespaces.id = projects.namespace_id
     where jobs.id = ${jobId}`.execute(db)
  return rows[0]
}
