/** Decides which jobs of a pipeline can start. Pure: from jobs to their moves, in time linear in the number of jobs and needs. */
import { next } from '../../platform/kernel/declaration/machine.ts'
import { completed, type JobEvent, type JobStatus, jobMachine } from '../states.ts'
import { type CountedJob, compositeOf, type Word, wordOf } from './status.ts'

/** A job as processing reads it. */
export interface WaitingJob extends CountedJob {
  readonly id: number
  readonly name: string
  readonly stage_position: number
  readonly when: 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed'
  readonly scheduling: 'stage' | 'dag'
  readonly resource_group_id: number | null
}

/** The result of scheduling. */
export interface Schedule {
  /** By event, the ids of the jobs to move. */
  readonly moves: ReadonlyMap<JobEvent, readonly number[]>
  /** The pipeline's status after the moves. */
  readonly status: JobStatus
}

/**
 * The moves of the created jobs that can start, and the moves that follow from those.
 * @param jobs those that count: retried ones are left out
 * @param needsOf names of the jobs that a created `dag` job needs, by its id
 */
export function scheduleOf(jobs: readonly WaitingJob[], needsOf: ReadonlyMap<number, readonly string[]>): Schedule {
  const moves = new Map<JobEvent, number[]>()
  const statuses = new Map<number, JobStatus>()
  const byName = new Map(jobs.map(job => [job.name, job]))
  const inTurn = jobs.toSorted((a, b) => a.stage_position - b.stage_position)
  /** The combined status of the stages before the current one. */
  const before = new Set<Word>()

  const settle = (job: WaitingJob): JobStatus => {
    const known = statuses.get(job.id)
    if (known !== undefined) return known
    // A job that is visited again on the way is part of a cycle: it never starts.
    statuses.set(job.id, job.status)
    if (job.status !== 'created') return job.status
    const event = job.scheduling === 'dag' ? turnAfterNeeds(job) : eventByStage(job, compositeOf(before))
    const status = event && next(jobMachine, job.status, event)
    if (event === undefined || status === undefined) return job.status
    const ids = moves.get(event)
    if (ids) ids.push(job.id)
    else moves.set(event, [job.id])
    statuses.set(job.id, status)
    return status
  }
  const turnAfterNeeds = (job: WaitingJob): JobEvent | undefined => {
    const needed = (needsOf.get(job.id) ?? []).flatMap(name => byName.get(name) ?? [])
    return eventByNeeds(
      job,
      needed.map(need => ({ status: settle(need), allow_failure: need.allow_failure })),
    )
  }

  for (const group of Map.groupBy(inTurn, job => job.stage_position).values()) {
    for (const job of group) settle(job)
    for (const job of group) before.add(wordOf({ status: settle(job), allow_failure: job.allow_failure }))
  }
  return { moves, status: compositeOf(before) }
}

/**
 * The event for a created job that is scheduled by needs, given the jobs that it needs; undefined while one of them is unfinished. Moves
 * that follow from this one are not considered.
 */
export const eventByNeeds = (job: WaitingJob, needed: readonly CountedJob[]): JobEvent | undefined =>
  eventByStage(job, statusOfNeeds(new Set(needed.map(wordOf))))

/** Are all earlier stages finished? */
export const isOver = (before: ReadonlySet<Word>): boolean => completed.includes(compositeOf(before))

/** The combined status of needs: undefined while one is unfinished; if one was not run at all, none counts as run. */
function statusOfNeeds(words: ReadonlySet<Word>): JobStatus {
  const areOver = [...words].every(word => word === 'ignored' || word === 'success_with_warnings' || completed.includes(word))
  if (!areOver) return 'running'
  return words.has('skipped') || words.has('ignored') ? 'skipped' : compositeOf(words)
}

/** The event for a created job, given the status of what precedes it. */
export function eventByStage({ when, scheduling, resource_group_id }: WaitingJob, before: JobStatus): JobEvent | undefined {
  if (!completed.includes(before)) return undefined
  const enqueue = resource_group_id === null ? 'enqueue' : 'wait'
  if (when === 'always') return before === 'canceled' ? 'skip' : enqueue
  if (when === 'on_failure') return before === 'failed' ? enqueue : 'skip'
  if (before !== 'success' && !(before === 'skipped' && scheduling === 'stage')) return 'skip'
  return when === 'manual' ? 'actionize' : when === 'delayed' ? 'schedule' : enqueue
}
