/** Whose turn has come in a pipeline: pure, from jobs to the moves that they make. In time linear in the number of jobs and needs. */
import { next } from '../../platform/kernel/machine.ts'
import { completed, type JobEvent, type JobStatus, jobMachine } from '../states.ts'
import { type CountedJob, compositeOf, type Word, wordOf } from './status.ts'

/** A job as processing sees it. */
export interface WaitingJob extends CountedJob {
  readonly id: number
  readonly name: string
  readonly stage_position: number
  readonly when: 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed'
  readonly scheduling: 'stage' | 'dag'
  readonly resource_group_id: number | null
}

/** What is to be done in a pipeline now. */
export interface Schedule {
  /** By event, the ids of the jobs that make it. */
  readonly moves: ReadonlyMap<JobEvent, readonly number[]>
  /** The pipeline's status after that. */
  readonly status: JobStatus
}

/**
 * The moves of the created jobs whose turn has come, and those that follow from them.
 * @param jobs those that count: retried ones are left out
 * @param needsOf names of the jobs that a created `dag` job needs, by its id
 */
export function scheduleOf(jobs: readonly WaitingJob[], needsOf: ReadonlyMap<number, readonly string[]>): Schedule {
  const moves = new Map<JobEvent, number[]>()
  const statuses = new Map<number, JobStatus>()
  const byName = new Map(jobs.map(job => [job.name, job]))
  const inTurn = jobs.toSorted((a, b) => a.stage_position - b.stage_position)
  /** What the stages before the present one have come to. */
  const before = new Set<Word>()

  const settle = (job: WaitingJob): JobStatus => {
    const known = statuses.get(job.id)
    if (known !== undefined) return known
    // What is met again on the way is a cycle: none of it ever has its turn.
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
 * What a created job does whose turn is by need: given all that it needs; undefined while one of them goes on. The moves that follow from
 * its own are not its matter.
 */
export const eventByNeeds = (job: WaitingJob, needed: readonly CountedJob[]): JobEvent | undefined =>
  eventByStage(job, statusOfNeeds(new Set(needed.map(wordOf))))

/** Has all that stands before a stage come to its end? */
export const isOver = (before: ReadonlySet<Word>): boolean => completed.includes(compositeOf(before))

/** What needs have come to: as long as one of them goes on, nothing; where one has not run at all, it is as if none had. */
function statusOfNeeds(words: ReadonlySet<Word>): JobStatus {
  const areOver = [...words].every(word => word === 'ignored' || word === 'success_with_warnings' || completed.includes(word))
  if (!areOver) return 'running'
  return words.has('skipped') || words.has('ignored') ? 'skipped' : compositeOf(words)
}

/** What a created job does, given what stands before it. */
export function eventByStage({ when, scheduling, resource_group_id }: WaitingJob, before: JobStatus): JobEvent | undefined {
  if (!completed.includes(before)) return undefined
  const enqueue = resource_group_id === null ? 'enqueue' : 'wait'
  if (when === 'always') return before === 'canceled' ? 'skip' : enqueue
  if (when === 'on_failure') return before === 'failed' ? enqueue : 'skip'
  if (before !== 'success' && !(before === 'skipped' && scheduling === 'stage')) return 'skip'
  return when === 'manual' ? 'actionize' : when === 'delayed' ? 'schedule' : enqueue
}
