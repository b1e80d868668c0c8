import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { uniqueViolation } from '../../db/errors.ts'
import { startPipeline } from './follow.ts'

const scene = await openScene()

/** What was queued by the pushes to a project, the last one first. */
async function askedFor({ id }: SceneProject) {
  const { rows } = await scene.deps.database.pool.query(
    `select payload from graphile_worker._private_jobs
      where payload ->> 'request_key' is not null and (payload ->> 'project_id')::bigint = $1 order by id desc`,
    [id],
  )
  return rows.map(({ payload }) => payload as Parameters<typeof startPipeline>[1])
}

const shasOf = async ({ url }: SceneProject) =>
  (await scene.root.get(`${url}/pipelines`)).body.map(({ sha }: { readonly sha: string }) => sha)

test('a task that a crash makes run again, after its pipeline was written, makes no second one (issue "Pipelines, jobs and runners")', async () => {
  const { project } = await scene.project()
  const sha = await scene.commit(project, { '.gitlab-ci.yml': 'build: { script: make }' })
  const [push] = await askedFor(project)
  assert.ok(push)

  await startPipeline(scene.deps, push)
  await startPipeline(scene.deps, push)
  const again = await Promise.allSettled([startPipeline(scene.deps, push), startPipeline(scene.deps, push)])

  assert.deepEqual(
    again.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  )
  assert.deepEqual(await shasOf(project), [sha])
})

test('of two runs of one task at the same instant one makes the pipeline, and the other finds it at the latest when it is tried again', async () => {
  const { project } = await scene.project()
  const sha = await scene.commit(project, { '.gitlab-ci.yml': 'build: { script: make }' })
  const [push] = await askedFor(project)
  assert.ok(push)

  const runs = await Promise.allSettled([1, 2, 3].map(() => startPipeline(scene.deps, push)))

  for (const run of runs) if (run.status === 'rejected') assert.equal(uniqueViolation(run.reason), 'pipelines_request_key')
  assert.ok(runs.some(({ status }) => status === 'fulfilled'))
  await startPipeline(scene.deps, push)
  assert.deepEqual(await shasOf(project), [sha])
})

test('of a commit that was pushed twice there are two pipelines, skipped ones too: each push asks for its own', async () => {
  const { project } = await scene.project()
  const sha = await scene.commit(project, { '.gitlab-ci.yml': 'build: { script: make }' }, { message: 'Begin [skip ci]' })
  await scene.root.post(`${project.url}/repository/branches`, { branch: 'other', ref: 'main' })

  const pushes = await askedFor(project)
  for (const push of [...pushes, ...pushes]) await startPipeline(scene.deps, push)

  assert.deepEqual([pushes.length, await shasOf(project)], [2, [sha, sha]])
})

test('a command that writes the escape of a NUL character is a command as any other', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { '.gitlab-ci.yml': String.raw`build: { script: 'printf "\u0000" > zero' }` })
  const [push] = await askedFor(project)
  assert.ok(push)

  await startPipeline(scene.deps, push)

  const [{ id, status }] = (await scene.root.get(`${project.url}/pipelines`)).body
  const [job] = await scene.deps.database.db.selectFrom('jobs').select('options').where('pipeline_id', '=', id).execute()
  assert.deepEqual([status, job?.options], ['pending', { script: [String.raw`printf "\u0000" > zero`] }])
})
