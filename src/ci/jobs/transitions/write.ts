/**
 * Writes a transition of jobs as one statement: the jobs, an event for each of them, and, if it may unblock other jobs, a note for the
 * processing of their pipeline with its announcement (pipeline_processing/worker.ts).
 */

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { compiled, compiledPer } from '../../../platform/db/statements/compiled.ts'
import type { Events } from '../../../platform/events/catalog.ts'
import { type Recorded, recordingEach } from '../../../platform/events/events.ts'
import { movesOf } from '../../../platform/kernel/declaration/machine.ts'
import { completed, type JobEvent, type JobStatus, jobMachine } from '../../states.ts'
import type { JobRow } from '../queries.ts'

/** Columns that are written together with a transition. */
export interface JobChanges {
  readonly failure_reason?: string | null | undefined
  readonly exit_code?: number | null | undefined
  readonly allow_failure?: boolean | undefined
  readonly runner_id?: number | null | undefined
  readonly token_digest?: string | null | undefined
  readonly handed_out_digest?: string | undefined
  readonly user_id?: number | null | undefined
  readonly timeout?: number | null | undefined
  readonly coverage?: number | null | undefined
  readonly mirrored_pipeline_id?: number | null | undefined
}

/** The state that an event leads to, and the states that it starts from. */
export interface Move {
  readonly event: JobEvent
  readonly to: JobStatus
}

/** The transitions of each event: one for each target state. */
export const movesByEvent = Object.fromEntries(
  (Object.keys(jobMachine.events) as JobEvent[]).map(event => [event, [...movesOf(jobMachine, event).keys()].map(to => ({ event, to }))]),
) as unknown as Readonly<Record<JobEvent, readonly Move[]>>

/** The channel that announces the ids of pipelines with new notes. */
export const NOTED_CHANNEL = 'ingot_noted_pipelines'

/** May a state unblock this job or others: one that jobs wait in, a final one, or one that can be ignored? */
export const mayUnblock = (status: JobStatus): boolean => status === 'created' || status === 'manual' || completed.includes(status)

export interface TransitionWrite extends Move {
  /** At least one. */
  readonly ids: readonly number[]
  readonly now: Date
  /** The user who causes it. */
  readonly actorId: number | undefined
  readonly changes: JobChanges
  /** Is a note written, if the new state may unblock jobs? */
  readonly isNoted: boolean
}

export interface MovedRow {
  readonly job: JobRow
  readonly recorded: Recorded
}

/** Applies the event to those of these jobs that are in a state that allows it; returns them in any order. */
export async function writeTransition(db: Db, { event, to, ids, now, actorId, changes, isNoted }: TransitionWrite): Promise<MovedRow[]> {
  const columns = Object.entries(changes).filter(([, value]) => value !== undefined)
  const [first] = ids
  const manner = `${ids.length === 1 ? 'one' : 'several'} ${isNoted && mayUnblock(to) ? 'noted' : 'plain'}`
  const shape = [event, to, manner, ...columns.map(([name]) => name)].join(' ')
  const which = ids.length === 1 ? first : ids
  const rows = await writing(db, shape, which, now, actorId ?? null, ...columns.map(([, value]) => value))
  return rows.map(({ event_id, event_kind, event_watched, ...job }) => ({
    job: job as unknown as JobRow,
    recorded: { id: event_id, kind: event_kind, watched: event_watched },
  }))
}

type WrittenRow = JobRow & { event_id: number; event_kind: string; event_watched: boolean }

const writing = compiledPer((shape: string) => {
  const [event, to, number, note, ...names] = shape.split(' ') as [JobEvent, JobStatus, 'one' | 'several', 'noted' | 'plain', ...string[]]
  const from = movesOf(jobMachine, event).get(to) ?? []
  return (db, which: unknown, now: Date, actorId: number | null, ...values: readonly unknown[]) => {
    const changes: JobChanges = Object.fromEntries(names.map((name, index) => [name, values[index]]))
    const moved = updating(db, number, which, from)
      .set({ ...entering(to, now), ...changes, status: sql.lit(to), updated_at: now })
      .returningAll('jobs')
    const { parts, isAnnounced } = following({ isNoted: note === 'noted', actorId })
    return sql<WrittenRow>`
      with moved as (${moved}), ${parts}
      select moved.*, recorded.id as event_id, recorded.kind as event_kind, recorded.watched as event_watched
        from moved join recorded on (recorded.payload ->> 'job_id')::bigint = moved.id where ${isAnnounced}`
  }
})

/** The assignment of a job to a runner. */
export interface Assignment {
  readonly id: number
  readonly runner_id: number
  /** Digest of the token that the runner is given with it. */
  readonly token_digest: string
}

/** A running job, with its start. */
export interface AssignedRow {
  readonly id: number
  readonly started_at: string | null
  readonly recorded: Recorded
}

/** Moves those of these jobs that can be assigned to `running`, each with its runner; returns them in any order. */
export async function writeAssignments(db: Db, takings: readonly Assignment[], now: Date): Promise<AssignedRow[]> {
  const column = <K extends keyof Assignment>(name: K) => takings.map(taking => taking[name])
  const rows = await taking(db, column('id'), column('runner_id'), column('token_digest'), now)
  return rows.map(({ id, started_at, event_id, event_kind, event_watched }) => {
    return { id, started_at, recorded: { id: event_id, kind: event_kind, watched: event_watched } }
  })
}

const taking = compiled((db, ids: readonly number[], runnerIds: readonly number[], digests: readonly string[], now: Date) => {
  const given = sql<Assignment>`(
    select * from unnest(${ids}::bigint[], ${runnerIds}::bigint[], ${digests}::text[]) as given(id, runner_id, token_digest))`
  const moved = db
    .with('given', () => given)
    .updateTable('jobs')
    .from('given')
    .set(({ ref }) => ({
      ...entering('running', now),
      runner_id: ref('given.runner_id'),
      token_digest: ref('given.token_digest'),
      handed_out_digest: ref('given.token_digest'),
      status: sql.lit('running' as const),
      updated_at: now,
    }))
    .whereRef('jobs.id', '=', 'given.id')
    .where(isOneOf(movesOf(jobMachine, 'run').get('running') ?? []))
    .returning(['jobs.id', 'jobs.project_id', 'jobs.pipeline_id', 'jobs.status', 'jobs.started_at'])
  const { parts } = following({ isNoted: false, actorId: null })
  return sql<{ id: number; started_at: string | null; event_id: number; event_kind: string; event_watched: boolean }>`
    with moved as (${moved}), ${parts}
    select moved.id, moved.started_at, recorded.id as event_id, recorded.kind as event_kind, recorded.watched as event_watched
      from moved join recorded on (recorded.payload ->> 'job_id')::bigint = moved.id`
})

/** The part of a statement that moves jobs to `success`: those of `held`, which locks them and has their ids and exit codes. */
export const succeeding = (db: Db, held: RawBuilder<{ id: number; exit_code: number }>, now: Date) =>
  db
    .with('held', () => held)
    .updateTable('jobs')
    .from('held')
    .set({ ...entering('success', now), exit_code: sql.ref('held.exit_code'), status: sql.lit('success'), updated_at: now })
    .whereRef('jobs.id', '=', 'held.id')
    .returning(['jobs.id', 'jobs.project_id', 'jobs.pipeline_id', 'jobs.status', 'jobs.runner_id', 'jobs.trace_size'])

/**
 * The parts that accompany the part `moved` of a statement, which moves jobs and returns `id`, `project_id`, `pipeline_id` and `status`.
 * @returns the parts, with the recorded events as `recorded`; and the condition that also makes the announcement
 */
export function following({ isNoted, actorId }: { readonly isNoted: boolean; readonly actorId: number | null }) {
  const payload = sql<Events['job.updated']>`jsonb_build_object('job_id', id, 'status', status)`
  const recorded = sql`recorded as ${recordingEach({ kind: 'job.updated', actorId }, payload, 'moved')}`
  if (!isNoted) return { parts: recorded, isAnnounced: sql<boolean>`true` }
  return {
    parts: sql`
      noted as (insert into unprocessed_jobs (job_id, pipeline_id) select id, pipeline_id from moved on conflict do nothing),
      announced as (select pg_notify(${sql.lit(NOTED_CHANNEL)}, pipeline_id::text) from (select distinct pipeline_id from moved) as pipelines),
      ${recorded}`,
    isAnnounced: sql<boolean>`(select count(*) from announced) > 0`,
  }
}

/** Is the job `jobs` in one of these states? */
const isOneOf = (statuses: readonly JobStatus[]) => sql<boolean>`jobs.status in (${sql.join(statuses.map(status => sql.lit(status)))})`

/**
 * An update of those of these jobs that are in one of these states. Rows that another transaction moves are waited for and rechecked.
 * Several rows are locked in the order of their ids, so that concurrent updates of the same jobs do not deadlock.
 */
function updating(db: Db, number: 'one' | 'several', which: unknown, from: readonly JobStatus[]) {
  const isThere = isOneOf(from)
  if (number === 'one')
    return db
      .updateTable('jobs')
      .where('jobs.id', '=', which as number)
      .where(isThere)
  const held = db.selectFrom('jobs').select('id').where('id', '=', sql<number>`any(${which})`).where(isThere).orderBy('id').forNoKeyUpdate()
  return db
    .with('held', () => held)
    .updateTable('jobs')
    .where('jobs.id', 'in', query => query.selectFrom('held').select('held.id'))
}

/** The timestamps that a state writes. A finished job has no token any more. */
function entering(status: JobStatus, now: Date) {
  switch (status) {
    case 'created':
      return { queued_at: null, started_at: null, finished_at: null }
    case 'pending':
      return { queued_at: now, started_at: null, finished_at: null }
    case 'running':
      return { started_at: now, contacted_at: now, finished_at: null }
    case 'success':
    case 'failed':
    case 'canceled':
      return { finished_at: now, token_digest: null }
    case 'scheduled':
      return {
        scheduled_at: sql<string>`${now}::timestamptz + make_interval(secs => coalesce((options ->> 'start_in')::double precision, 0))`,
      }
    default:
      return {}
  }
}
