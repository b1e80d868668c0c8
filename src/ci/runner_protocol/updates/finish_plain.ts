/**
 * The common end of a job: it has succeeded, its log is complete, and the only consequences are that its pipeline is
 * processed and its log archived. Concurrent ends share one statement, which is a transaction of its own; update.ts
 * handles all other ends.
 */

import { sql } from 'kysely'
import { batchedDurably } from '../../../platform/db/statements/batching.ts'
import { compiled } from '../../../platform/db/statements/compiled.ts'
import { asyncCommit } from '../../../platform/db/transact.ts'
import { queuingOf } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { digestOf } from '../../../platform/kernel/secrets.ts'
import { SITE_JOB } from '../../jobs/hooks.ts'
import { isForActiveUser } from '../../jobs/queries.ts'
import { following, succeeding } from '../../jobs/transitions/write.ts'
import type { RunnerInfo } from '../../runners/access.ts'
import { NOTED_EVERY } from '../../runners/access.ts'
import { archivingOf } from '../../traces/archive.ts'

/** The parameters of a report. */
export interface JobUpdate {
  /** `running`, or nothing, as a sign of life. */
  readonly state?: 'running' | 'success' | 'failed' | undefined
  readonly failure_reason?: string | undefined
  readonly exit_code?: number | undefined
  readonly info?: RunnerInfo
  /** Of the whole log: `crc32:` and eight hex digits. */
  readonly checksum?: string | undefined
  readonly output?: { readonly checksum?: string | undefined; readonly bytesize?: number | undefined } | undefined
}

/** All ends share one batching key: only one transaction at a time can announce pipelines anyway. */
const LINE = 0

/**
 * Finishes such a job; false if the job is not one, and then nothing has changed. Runners have no accounts: the event has no actor.
 * @param ctx whose `db` is the pool, not a transaction
 */
export async function finishPlainJob({ db, now }: Context, jobId: number, token: string, update: JobUpdate): Promise<boolean> {
  const checksum = checksumOf(update)
  if (update.state !== 'success' || checksum === 'odd') return false
  const { exit_code: exitCode = 0, output } = update
  return finishBatch(db, LINE, { jobId, digest: digestOf(token), now, exitCode, size: output?.bytesize ?? null, checksum })
}

/** The reported checksum as a number; null if there is none. Pure. */
function checksumOf({ checksum, output }: JobUpdate): number | null | 'odd' {
  const text = output?.checksum ?? checksum
  if (text === undefined || text === '') return null
  return /^crc32:[0-9a-f]{8}$/.test(text) ? Number.parseInt(text.slice(6), 16) : 'odd'
}

/** A runner's report of the end of a job. */
interface End {
  readonly jobId: number
  /** Digest of the job's token. */
  readonly digest: string
  readonly now: Date
  readonly exitCode: number
  /** Size of the log; null if the runner sends none. */
  readonly size: number | null
  readonly checksum: number | null
}

/** Returns for each end whether it was applied. Of concurrent reports for one job the first counts. */
const finishBatch = batchedDurably(async (db, _line, ends: readonly End[]) => {
  const counted = new Map(ends.toReversed().map(end => [end.jobId, end]))
  const all = [...counted.values()]
  const now = new Date(Math.max(...all.map(end => end.now.getTime())))
  const met = new Date(now.getTime() - NOTED_EVERY)
  const column = <K extends keyof End>(name: K) => all.map(end => end[name])
  const rows = await ending(db, column('jobId'), column('digest'), column('exitCode'), column('size'), column('checksum'), now, met)
  const ended = new Set(rows.map(({ id }) => id))
  return ends.map(end => ended.has(end.jobId) && counted.get(end.jobId) === end)
})

/**
 * Locks the jobs first, with their projects, which events refer to. Locked jobs and projects are skipped, so that nothing waits:
 * update.ts handles those.
 */
const ending = compiled(
  (
    db,
    ids: readonly number[],
    digests: readonly string[],
    exitCodes: readonly number[],
    sizes: readonly (number | null)[],
    checksums: readonly (number | null)[],
    now: Date,
    met: Date,
  ) => {
    const held = sql<{ id: number; exit_code: number }>`(
      select jobs.id, tells.exit_code
        from unnest(${ids}::bigint[], ${digests}::text[], ${exitCodes}::integer[], ${sizes}::bigint[], ${checksums}::bigint[])
               as tells(id, digest, exit_code, size, checksum)
             join jobs on jobs.id = tells.id join projects on projects.id = jobs.project_id
       where jobs.status = 'running' and jobs.kind = 'build' and jobs.token_digest = tells.digest and ${isForActiveUser}
             and (tells.size is null or jobs.trace_size = tells.size) and (tells.checksum is null or jobs.trace_checksum = tells.checksum)
             and jobs.environment_id is null and jobs.resource_group_id is null and not jobs.options ? 'coverage'
             and coalesce(projects.build_coverage_regex, '') = '' and jobs.name <> ${sql.lit(SITE_JOB)}
       order by jobs.id for no key update of jobs skip locked for key share of projects skip locked)`
    const moved = succeeding(db, held, now)
    const { parts, isAnnounced } = following({ isNoted: true, actorId: null })
    const archived = sql`case when moved.trace_size > 0 then ${archivingOf(sql`moved.id`)} end`
    return sql<{ id: number }>`
      with moved as (${moved}), ${parts},
           met as (select id from runners where id in (select runner_id from moved) and (contacted_at is null or contacted_at < ${met})
                    for no key update skip locked),
           noted_contacts as (update runners set contacted_at = ${now} from met where runners.id = met.id)
      select moved.id, ${queuingOf('recorded')} as queued, ${archived} as archived, ${asyncCommit} as ended
        from moved join recorded on (recorded.payload ->> 'job_id')::bigint = moved.id where ${isAnnounced}`
  },
)
