/** Jobs as they need each other, whatever their stages: each stands in the column after those of the jobs that it needs. Pure. */
import type { GraphJob } from './layout.ts'

/** The jobs that need others or are needed, with the step that each has as its stage, from 1. */
export function bySteps<Job extends GraphJob>(jobs: readonly Job[]): Job[] {
  const byName = new Map(jobs.map(job => [job.name, job]))
  const needed = new Set(jobs.flatMap(({ needs }) => needs ?? []))
  const steps = new Map<Job, number>()
  const stepOf = (job: Job): number => {
    const known = steps.get(job)
    if (known !== undefined) return known
    // Jobs never need each other in a circle; a wrong row would have no end otherwise.
    steps.set(job, 1)
    const before = (job.needs ?? []).flatMap(name => byName.get(name) ?? []).map(stepOf)
    const step = 1 + Math.max(0, ...before)
    steps.set(job, step)
    return step
  }
  return jobs
    .filter(({ name, needs }) => (needs !== null && needs.length > 0) || needed.has(name))
    .map(job => ({ ...job, stage: `Step ${stepOf(job)}`, stage_position: stepOf(job) }))
}
