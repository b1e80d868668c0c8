import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import type { Events } from '../../platform/events/catalog.ts'
import { startPipeline } from './follow.ts'

const scene = await openScene()

/** What the pushes to a project ask for, the last one first. */
async function askedFor({ id }: SceneProject): Promise<Parameters<typeof startPipeline>[1][]> {
  const pushes = await scene.deps.database.db
    .selectFrom('events')
    .select(['id', 'payload', 'actor_id'])
    .where('kind', '=', 'repository.updated')
    .where('project_id', '=', id)
    .orderBy('id', 'desc')
    .execute()
  return pushes.flatMap(push =>
    (push.payload as unknown as Events['repository.updated']).moves.map(move => ({
      project_id: id,
      actor_id: push.actor_id as number,
      move,
      options: [],
      request_key: `push:${push.id}:${move.ref}`,
    })),
  )
}

const shasOf = async ({ url }: SceneProject) =>
  (await scene.root.get(`${url}/pipelines`)).body.map(({ sha }: { readonly sha: string }) => sha)

test('a task that a crash makes run again, after its pipeline was written, makes no second one', async () => {
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
