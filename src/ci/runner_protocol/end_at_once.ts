/**
 * The end of a job as most jobs end: it has succeeded, its log is the one that its runner has, and nothing follows but that its pipeline is
 * processed and its log put away. One statement, which is a transaction of its own; whatever is otherwise is for update.ts.
 */
import { sql } from 'kysely'
import { compiled } from '../../db/compiled.ts'
import { untilItWins } from '../../db/transact.ts'
import { queuingOf } from '../../events/events.ts'
import type { Context } from '../../kernel/context.ts'
import { digestOf } from '../../kernel/secrets.ts'
import { entering, following } from '../jobs/moving/write.ts'
import { NOTED_EVERY } from '../runners/access.ts'
import { archivingOf } from '../traces/archive.ts'
import type { JobUpdate } from './update.ts'

/**
 * Ends such a job; false where it is none, and then nothing has changed.
 * @param ctx whose `db` are the connections, not a transaction
 */
export async function endAtOnce(ctx: Context, jobId: number, token: string, update: JobUpdate): Promise<boolean> {
  const { db, now, actor } = ctx
  const checksum = checksumOf(update)
  if (update.state !== 'success' || checksum === 'odd') return false
  const size = update.output?.bytesize ?? null
  const met = new Date(now.getTime() - NOTED_EVERY)
  const ended = await untilItWins(() =>
    ending(db, jobId, digestOf(token), now, actor.user?.id ?? null, update.exit_code ?? 0, size, checksum, met),
  )
  return ended.length > 0
}

/** The checksum that the runner tells, as a number; null where it tells none. Pure. */
function checksumOf({ checksum, output }: JobUpdate): number | null | 'odd' {
  const text = output?.checksum ?? checksum
  if (text === undefined || text === '') return null
  return /^crc32:[0-9a-f]{8}$/.test(text) ? Number.parseInt(text.slice(6), 16) : 'odd'
}

const ending = compiled(
  (
    db,
    jobId: number,
    digest: string,
    now: Date,
    actorId: number | null,
    exitCode: number,
    size: number | null,
    checksum: number | null,
    met: Date,
  ) => {
    const moved = db
      .updateTable('jobs')
      .set({ ...entering('success', now), exit_code: exitCode, status: sql.lit('success'), updated_at: now })
      .where('jobs.id', '=', jobId)
      .where(sql<boolean>`jobs.status = 'running' and jobs.kind = 'build' and jobs.token_digest = ${digest}
         and (${size}::bigint is null or jobs.trace_size = ${size}) and (${checksum}::bigint is null or jobs.trace_checksum = ${checksum})
         and jobs.environment_id is null and jobs.resource_group_id is null and not jobs.options ? 'coverage'
         and not exists (select from projects where projects.id = jobs.project_id and projects.build_coverage_regex <> '')`)
      .returning(['id', 'project_id', 'pipeline_id', 'status', 'runner_id', 'trace_size'])
    const { parts, isAnnounced } = following({ isNoted: true, actorId })
    const archived = sql`case when moved.trace_size > 0 then ${archivingOf(sql`moved.id`)} end`
    return sql<object>`
      with moved as (${moved}), ${parts},
           met as (update runners set contacted_at = ${now} from moved
                    where runners.id = moved.runner_id and (runners.contacted_at is null or runners.contacted_at < ${met}))
      select ${queuingOf('told')} as queued, ${archived} as archived from moved, told where ${isAnnounced}`
  },
)
