/** For tests: projects whose pushes create pipelines, a worker that processes them, and the steps of a runner by hand. */
import { atEnd } from '../../../test/at_end.ts'
import { eventually } from '../../../test/eventually.ts'
import type { Person, ProjectOptions, Scene, SceneProject } from '../../../test/scene.ts'
import { systemContext } from '../../platform/kernel/context.ts'
import { startTaskWorker } from '../../server/tasks.ts'
import { type JobRow, jobs } from '../jobs/queries.ts'
import { finishJob, type Outcome } from '../jobs/transitions/finish.ts'
import { moveJob } from '../jobs/transitions/move.ts'
import { type PipelineRow, pipelines } from './queries.ts'

/** Starts a worker for a scene, and returns what tests do with its pipelines. */
export async function playground(scene: Scene) {
  const { deps } = scene
  const { db } = deps.database
  const worker = await startTaskWorker(deps, { concurrency: 3 })
  atEnd(() => worker.stop())

  /** The jobs of a pipeline that count, in their order. */
  const jobsIn = ({ id }: { readonly id: number }): Promise<JobRow[]> =>
    jobs(db).where('pipeline_id', '=', id).where('retried', '=', false).orderBy('stage_position').orderBy('id').execute()

  const find = async (pipeline: { readonly id: number }, name: string): Promise<JobRow> => {
    const job = (await jobsIn(pipeline)).find(each => each.name === name)
    if (!job) throw new Error(`there is no job ${name}`)
    return job
  }

  return {
    db,
    jobsIn,
    find,
    /** A project with a CI file on `main`, after its first pipeline was created. */
    async project(
      ciFile: string,
      options: ProjectOptions<never> = {},
    ): Promise<{ project: SceneProject; owner: Person; pipeline: PipelineRow }> {
      const { project, owner } = await scene.project(options)
      const answer = await owner.post(`${project.url}/repository/commits`, {
        branch: 'main',
        commit_message: 'Begin',
        actions: [{ action: 'create', file_path: '.gitlab-ci.yml', content: ciFile }],
      })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return { project, owner, pipeline: await this.pipelineOf(project, answer.body.id) }
    },
    /** Waits for the newest pipeline of a commit that no other pipeline started: a child, which has the same commit, may be there by now. */
    pipelineOf: (project: SceneProject, sha: string): Promise<PipelineRow> =>
      eventually(
        () =>
          pipelines(db)
            .where('pipelines.project_id', '=', project.id)
            .where('sha', '=', sha)
            .where('source', '!=', 'parent_pipeline')
            .orderBy('id', 'desc')
            .limit(1)
            .executeTakeFirst(),
        `a pipeline of ${sha}`,
      ),
    /** Waits until jobs have these statuses: `{ build: 'success', test: 'pending' }`. */
    jobsAre: (pipeline: { readonly id: number }, wanted: Readonly<Record<string, string>>) =>
      eventually(
        async () => {
          const present = new Map((await jobsIn(pipeline)).map(({ name, status }) => [name, status as string]))
          return Object.entries(wanted).every(([name, status]) => present.get(name) === status)
        },
        `${JSON.stringify(wanted)} in pipeline ${pipeline.id}`,
      ),
    /** Waits until the pipeline has a status. */
    pipelineIs: ({ id }: { readonly id: number }, status: string): Promise<PipelineRow> =>
      eventually(
        () =>
          pipelines(db)
            .where('pipelines.id', '=', id)
            .where('status', '=', status as 'success')
            .executeTakeFirst(),
        `pipeline ${id} to be ${status}`,
      ),
    /** Runs a pending job as a runner would. */
    async run(pipeline: { readonly id: number }, name: string, outcome: Outcome = { state: 'success' }): Promise<void> {
      const { id } = await eventually(async () => {
        const job = await find(pipeline, name)
        return job.status === 'pending' && job
      }, `${name} to be pending`)
      await db.transaction().execute(tx => moveJob(systemContext(deps, tx), id, 'run'))
      await db.transaction().execute(tx => finishJob(systemContext(deps, tx), id, outcome))
    },
  }
}
