/** For tests: projects with jobs that deploy, and what a runner would do with them. */
import assert from 'node:assert/strict'
import type { Person, Scene, SceneProject } from '../../../test/scene.ts'
import { finishJob } from '../../ci/jobs/transitions/finish.ts'
import { moveJob } from '../../ci/jobs/transitions/move.ts'
import { tasksOf } from '../../server/tasks.ts'

/** A job as a pipeline lists it. */
export interface Listed {
  readonly id: number
  readonly name: string
  readonly status: string
}

/** What tests of deployments do on a server. */
export function deployingOn(scene: Scene) {
  /** A project with this CI file. */
  async function projectWith(ciFile: string) {
    const made = await scene.project({ members: ['reporter', 'developer', 'maintainer'] })
    await scene.commit(made.project, { '.gitlab-ci.yml': ciFile })
    // Developers may run pipelines there.
    await scene.root.delete(`${made.project.url}/protected_branches/main`)
    return made
  }

  /** Creates a pipeline of `main` as a user; returns its jobs by name. */
  async function pipelineBy(person: Person, project: SceneProject) {
    const made = await person.post(`${project.url}/pipeline`, { ref: 'main' })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return jobsOf(person, project, made.body.id)
  }

  async function jobsOf(person: Person, project: SceneProject, pipelineId: number) {
    const { body } = await person.get(`${project.url}/pipelines/${pipelineId}/jobs`)
    const id = (name: string) => (body as Listed[]).find(job => job.name === name)?.id as number
    return { id, pipelineId, all: body as Listed[] }
  }

  /** As a runner takes a job. */
  const take = (id: number) => scene.run(undefined, ctx => moveJob(ctx, id, 'run'))

  /** As a runner ends it. */
  async function end(id: number, state: 'success' | 'failed' = 'success') {
    await take(id)
    await scene.run(undefined, ctx => finishJob(ctx, id, { state }))
  }

  const process = (pipeline_id: number) => tasksOf(scene.deps).process_pipeline({ pipeline_id }, undefined)

  const environmentsOf = async (person: Person, project: SceneProject) => (await person.get(`${project.url}/environments`)).body
  const deploymentsOf = async (person: Person, project: SceneProject) => (await person.get(`${project.url}/deployments`)).body
  const statusOf = async (person: Person, project: SceneProject, id: number) => (await person.get(`${project.url}/jobs/${id}`)).body.status

  return { projectWith, pipelineBy, jobsOf, take, end, process, environmentsOf, deploymentsOf, statusOf }
}
