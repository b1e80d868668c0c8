/** `restrict_user_defined_variables` of a project: variables of pipelines, jobs and schedules are for Maintainers (public documentation at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import type { Events } from '../../platform/events/catalog.ts'
import { startPipeline } from '../pushes/follow.ts'
import { jobOf, pipelineOf } from '../scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

const refusal = 'Insufficient permissions to set pipeline variables'
const variables = [{ key: 'WORD', value: 'open sesame' }]

/** A project with a CI file and a branch for Developers; the setting is on. */
async function restricted() {
  const made = await scene.project({ members: ['developer', 'maintainer'] })
  const sha = await scene.commit(
    made.project,
    { '.gitlab-ci.yml': 'build: { script: make, tags: [none] }' },
    { message: 'Begin [skip ci]' },
  )
  await made.owner.post(`${made.project.url}/repository/branches`, { branch: 'side', ref: 'main' })
  await made.maintainer.put(made.project.url, { restrict_user_defined_variables: true })
  return { ...made, sha }
}

test('a Developer starts pipelines without variables, and a Maintainer with them', async () => {
  const { project, developer, maintainer } = await restricted()
  const url = `${project.url}/pipeline`

  assert.deepEqual(await developer.post(url, { ref: 'side', variables }), { status: 400, body: { message: { base: [refusal] } } })
  assert.equal((await developer.post(url, { ref: 'side' })).status, 201)
  assert.equal((await maintainer.post(url, { ref: 'side', variables })).status, 201)
  await maintainer.put(project.url, { restrict_user_defined_variables: false })
  assert.equal((await developer.post(url, { ref: 'side', variables })).status, 201)
})

test('a Developer plays a job without variables alone', async () => {
  const { project, developer, maintainer, sha } = await restricted()
  const pipeline = await pipelineOf(scene, project, { sha, ref: 'side', status: 'manual' })
  const jobs = await Promise.all(['one', 'two'].map(name => jobOf(scene, pipeline, { name, status: 'manual', when: 'manual' })))
  const play = (index: number) => `${project.url}/jobs/${jobs[index]?.id}/play`
  const given = { job_variables_attributes: variables }

  assert.deepEqual(await developer.post(play(0), given), { status: 403, body: { message: `403 Forbidden - ${refusal}` } })
  assert.equal((await developer.post(play(0))).status, 201)
  assert.equal((await maintainer.post(play(1), given)).status, 201)
})

test('a Developer gives no variables to a schedule of their own', async () => {
  const { project, developer, maintainer } = await restricted()
  const create = async (by: typeof developer) =>
    `${project.url}/pipeline_schedules/${(await by.post(`${project.url}/pipeline_schedules`, { description: 'Nightly', ref: 'side', cron: '0 1 * * *' })).body.id}/variables`
  const [own, other] = [await create(developer), await create(maintainer)]

  assert.equal((await developer.post(own, { key: 'WORD', value: 'x' })).status, 403)
  assert.equal((await maintainer.post(other, { key: 'WORD', value: 'x' })).status, 201)
})

test('a push with variables makes a pipeline for a Maintainer, and none for a Developer', async () => {
  const { project, developer, maintainer } = await restricted()
  await scene.commit(project, { 'a.txt': 'a' }, { branch: 'side', message: 'Add a' })
  const move = await lastPush(project)
  const push = async (by: { readonly id: number }) => {
    const request_key = `push:by:${by.id}`
    await startPipeline(scene.deps, { project_id: project.id, actor_id: by.id, move, options: ['ci.variable=WORD=x'], request_key })
    return db.selectFrom('pipelines').select('user_id').where('request_key', '=', request_key).execute()
  }

  assert.deepEqual(await push(developer), [])
  assert.deepEqual(await push(maintainer), [{ user_id: maintainer.id }])
})

/** The move of the last push to the project. */
async function lastPush({ id }: SceneProject) {
  const { payload } = await db
    .selectFrom('events')
    .select('payload')
    .where('kind', '=', 'repository.updated')
    .where('project_id', '=', id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const [move] = (payload as unknown as Events['repository.updated']).moves
  assert.ok(move)
  return move
}
