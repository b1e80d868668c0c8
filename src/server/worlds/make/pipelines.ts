/** Makes pipelines whose jobs are as the file of a world says. No runner takes part: each job is moved to where it should be. */
import { type JobRow, jobs } from '../../../ci/jobs/queries.ts'
import { endJob } from '../../../ci/jobs/transitions/finish.ts'
import { moveJob } from '../../../ci/jobs/transitions/move.ts'
import { createPipeline } from '../../../ci/pipeline_creation/create.ts'
import { pipelineInputFor } from '../../../ci/pipeline_creation/input_for_ref.ts'
import { queueTraceArchiving } from '../../../ci/traces/archive.ts'
import { appendTrace } from '../../../ci/traces/commands.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { digestOf, newToken } from '../../../platform/kernel/secrets.ts'
import { findProject } from '../../../spaces/projects/scope.ts'
import { WorldRefused } from '../clients.ts'
import type { WorldJob, WorldPipeline } from '../schema.ts'
import type { Maker } from './maker.ts'
import type { ProjectPlace } from './project.ts'

/** How long each job takes, in milliseconds. */
const DURATION = 10_000

const stageOf = ({ stage = 'test' }: WorldJob): string => stage

/** The CI file that such a pipeline would have. JSON is YAML. */
const configOf = (wanted: readonly WorldJob[]): string =>
  JSON.stringify({
    stages: [...new Set(wanted.map(stageOf))],
    ...Object.fromEntries(
      wanted.map(job => [
        job.name,
        {
          stage: stageOf(job),
          script: ['true'],
          ...(job.allow_failure !== undefined && { allow_failure: job.allow_failure }),
          ...(job.status === 'manual' && { when: 'manual' }),
        },
      ]),
    ),
  })

export async function makePipeline(maker: Maker, place: ProjectPlace, pipeline: WorldPipeline): Promise<void> {
  const { ref = place.defaultBranch, author = place.owner, variables = {}, jobs: wanted } = pipeline
  const twice = wanted.find(({ name }, index) => wanted.findIndex(other => other.name === name) !== index)
  if (twice) throw new WorldRefused(`two jobs have the name "${twice.name}"`)
  const id = await maker.run(author, async ctx => {
    const project = await findProject(ctx.db, ctx.actor, place.path)
    const input = await pipelineInputFor(ctx, project, {
      ref,
      variables: Object.entries(variables).map(([key, value]) => ({ key, value })),
    })
    const made = await createPipeline(ctx, project, { ...input, config: configOf(wanted) })
    const rows = await jobs(ctx.db).where('pipeline_id', '=', made.id).execute()
    for (const job of wanted) {
      const row = rows.find(({ name }) => name === job.name)
      if (!row) throw new WorldRefused(`the job "${job.name}" is not made: its name means something else in a CI file`)
      await bring(maker, ctx, row, job)
    }
    return made.id
  })
  await maker.settle()
  const now = await jobs(maker.db).where('pipeline_id', '=', id).execute()
  for (const { name, status } of wanted) {
    const found = now.find(job => job.name === name)?.status
    if (found !== status) throw new WorldRefused(`the job "${name}" cannot stay ${status} beside the others: it becomes ${found}`)
  }
}

/** Brings a job to its status. */
async function bring(maker: Maker, ctx: Context, row: JobRow, job: WorldJob): Promise<void> {
  const { status, log = '', failure_reason = 'script_failure', coverage } = job
  const at = () => ({ ...ctx, now: maker.deps.now() })
  switch (status) {
    case 'canceled':
      await moveJob(at(), row.id, 'cancel')
      return
    case 'skipped':
      await moveJob(at(), row.id, 'skip')
      return
    case 'manual':
      await moveJob(at(), row.id, 'actionize')
      return
    case 'pending':
      await moveJob(at(), row.id, 'enqueue')
      return
    case 'created':
      return
    default: {
      const running = await moveJob(at(), row.id, 'run', { token_digest: digestOf(newToken()) })
      if (!running) throw new WorldRefused(`the job "${job.name}" cannot run`)
      if (log !== '') await appendTrace(ctx.db, running, Buffer.from(log), maker.deps.now())
      if (status === 'running') return
      maker.pass(DURATION)
      await endJob(
        at(),
        running,
        status === 'success' ? { state: status, exit_code: 0, coverage } : { state: status, failure_reason, exit_code: 1, coverage },
      )
      if (log !== '') await queueTraceArchiving(ctx.db, row.id)
    }
  }
}
