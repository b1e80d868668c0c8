/** For tests: jobs in any state, without a CI file and without a runner. */
import type { Person, Scene } from '../../../test/scene.ts'
import { systemContext } from '../../platform/kernel/context.ts'
import { digestOf, newToken } from '../../platform/kernel/secrets.ts'
import { nextIid } from '../../spaces/places/iids.ts'
import type { JobOptions, PlanVariable } from '../config/index.ts'
import { moveJob } from './transitions/move.ts'

/** Attributes of a test's job. */
export interface SceneJobOptions {
  readonly name?: string
  readonly stage?: string
  /** Short name of the branch. */
  readonly ref?: string
  readonly sha?: string
  readonly protected?: boolean
  readonly options?: JobOptions
  readonly variables?: readonly PlanVariable[]
  /** In this existing pipeline, instead of one of its own. */
  readonly pipelineId?: number
}

export interface SceneJob {
  readonly id: number
  readonly pipelineId: number
}

/** A pending job, in a pipeline of this user. */
export async function pendingJob(
  scene: Scene,
  project: { readonly id: number },
  person: Pick<Person, 'id'>,
  input: SceneJobOptions = {},
): Promise<SceneJob> {
  const { name = 'build', stage = 'test', ref = 'main', sha = 'a'.repeat(40), options = { script: ['true'] }, variables = [] } = input
  const { db } = scene.deps.database
  return db.transaction().execute(async tx => {
    const pipelineId =
      input.pipelineId ??
      (
        await tx
          .insertInto('pipelines')
          .values({
            iid: await nextIid(tx, { project_id: project.id }, 'pipeline'),
            project_id: project.id,
            user_id: person.id,
            ref,
            sha,
            source: 'push',
            status: 'pending',
            protected: input.protected ?? false,
            stages: [stage],
          })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const { id } = await tx
      .insertInto('jobs')
      .values({
        project_id: project.id,
        pipeline_id: pipelineId,
        name,
        stage,
        stage_position: 0,
        status: 'pending',
        user_id: person.id,
        protected: input.protected ?? false,
        options: JSON.stringify(options),
        variables: JSON.stringify(variables),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id, pipelineId }
  })
}

/** A running job, with its token. */
export async function runningJob(...given: Parameters<typeof pendingJob>): Promise<SceneJob & { readonly token: string }> {
  const job = await pendingJob(...given)
  const [{ deps }] = given
  const token = newToken()
  await deps.database.db.transaction().execute(tx => moveJob(systemContext(deps, tx), job.id, 'run', { token_digest: digestOf(token) }))
  return { ...job, token: token.reveal() }
}

/** Finishes a running job. */
export async function endJob({ deps }: Scene, { id }: SceneJob, how: 'succeed' | 'drop' | 'cancel' = 'succeed'): Promise<void> {
  await deps.database.db.transaction().execute(tx => moveJob(systemContext(deps, tx), id, how))
}
