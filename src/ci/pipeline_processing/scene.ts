/** For tests: pipelines whose jobs are given by name, stage and needs. */
import type { Scene } from '../../../test/scene.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { finishJob } from '../jobs/transitions/finish.ts'
import { moveJobs } from '../jobs/transitions/move.ts'
import { pipelineIn } from '../runner_protocol/scene.ts'
import { processJobs } from './process.ts'
import type { WaitingJob } from './scheduling.ts'

/** A job of a test's pipeline: scheduled by needs if it names some, or an empty list. */
export interface Planned {
  readonly name: string
  readonly stage: number
  readonly when?: WaitingJob['when']
  readonly allowed?: boolean
  readonly needs?: readonly string[]
}

/** A pipeline of these jobs that has been processed one time; `deps` says on which connections its jobs are written and read. */
export async function pipelineOf(scene: Scene, jobs: readonly Planned[], deps: Deps = scene.deps): Promise<number> {
  const { project } = await scene.project()
  const id = await pipelineIn(scene, project)
  const rows = jobs.map(({ name, stage, when = 'on_success', allowed = false, needs }) => ({
    name,
    stage: `s${stage}`,
    stage_position: stage,
    when,
    allow_failure: allowed,
    scheduling: needs ? ('dag' as const) : ('stage' as const),
    project_id: project.id,
    pipeline_id: id,
  }))
  const { db } = deps.database
  const made = await db.insertInto('jobs').values(rows).returning(['id', 'name']).execute()
  const needs = jobs.flatMap(({ name, needs = [] }) =>
    needs.map(need => ({ job_id: made.find(job => job.name === name)!.id, pipeline_id: id, name: need })),
  )
  if (needs.length > 0) await db.insertInto('job_needs').values(needs).execute()
  await db.transaction().execute(tx => processJobs(systemContext(deps, tx), id))
  return id
}

/** A runner takes the job. */
export const take = (deps: Deps, id: number) => deps.database.db.transaction().execute(tx => moveJobs(systemContext(deps, tx), [id], 'run'))

/** Its runner reports how the job ended. */
export const end = (deps: Deps, id: number, state: 'success' | 'failed') =>
  deps.database.db.transaction().execute(tx => finishJob(systemContext(deps, tx), id, { state, failure_reason: 'script_failure' }))
