/** For tests: pipelines and jobs in a given state, without the steps that lead there. */
import type { Insertable } from 'kysely'
import type { Person, Scene, SceneProject } from '../../test/scene.ts'
import type { DB } from '../platform/db/schema.ts'
import { nextIid } from '../spaces/places/iids.ts'

type Given<T extends 'pipelines' | 'jobs'> = Partial<Insertable<DB[T]>>

/** A pipeline of a commit of the project; by default a successful one of `main`. */
export async function pipelineOf(scene: Scene, project: SceneProject, given: Given<'pipelines'> & { readonly sha: string }) {
  return scene.run(undefined, async ({ db }) =>
    db
      .insertInto('pipelines')
      .values({
        project_id: project.id,
        iid: await nextIid(db, { project_id: project.id }, 'pipeline'),
        ref: 'main',
        source: 'push',
        status: 'success',
        ...given,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** A job of a pipeline, successful by default. */
export async function jobOf(scene: Scene, pipeline: { readonly id: number; readonly project_id: number }, given: Given<'jobs'> = {}) {
  const { db } = scene.deps.database
  const values = { project_id: pipeline.project_id, pipeline_id: pipeline.id, name: 'test', stage: 'test', stage_position: 0 }
  return db
    .insertInto('jobs')
    .values({ ...values, status: 'success', ...given })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A project with a commit on `main`, and a pipeline of it that runs for a Developer. */
export async function projectWithPipeline(scene: Scene, given: Given<'pipelines'> = {}) {
  const made = await scene.project({ members: ['guest', 'reporter', 'developer', 'maintainer'] })
  const sha = await scene.commit(made.project, { 'README.md': 'Hello\n' }, { message: 'Begin' })
  // A pipeline of a protected branch would be protected.
  await made.owner.delete(`${made.project.url}/protected_branches/main`)
  const pipeline = await pipelineOf(scene, made.project, { sha, user_id: (made.developer as Person).id, ...given })
  return { ...made, sha, pipeline }
}
