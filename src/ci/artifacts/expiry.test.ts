/** The end of artifacts (document 2 "Job artifacts"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { tasksOf } from '../../server/tasks.ts'
import { endJob, runningJob } from '../jobs/scene.ts'
import { keepLatestArtifacts, releaseArtifacts, removeExpiredArtifacts } from './expiry.ts'
import { uploadTo } from './scene.ts'
import { zipOf } from './zip/scene.ts'

const scene = await openScene()
const { db } = scene.deps.database
const archive = await zipOf({ a: 'a' })

/** The instance so many days later. */
const later = (days: number): Deps => ({ ...scene.deps, now: () => new Date(Date.now() + days * 86_400_000) })
const expired = (days = 2) => removeExpiredArtifacts(later(days))

/** A pipeline that has succeeded, whose job has left an archive for a day. */
async function success(project: SceneProject, owner: Person, input: { ref?: string; expire_in?: string } = {}) {
  const job = await runningJob(scene, project, owner, { ref: input.ref ?? 'main' })
  await uploadTo(scene, job, archive, { expire_in: input.expire_in ?? '1 day' })
  await endJob(scene, job)
  await db.updateTable('pipelines').set({ status: 'success' }).where('id', '=', job.pipelineId).execute()
  return job
}
const succeeded = (job: { pipelineId: number }) => keepLatestArtifacts(scene.deps, { pipeline_id: job.pipelineId, status: 'success' })
const left = async (...jobs: { id: number }[]) =>
  Promise.all(jobs.map(async ({ id }) => (await db.selectFrom('job_artifacts').select('id').where('job_id', '=', id).execute()).length))

test('what has expired is removed with its bytes and its size in the statistics, the rest stays', async () => {
  const { project, owner } = await scene.project()
  const [gone, stays] = [await success(project, owner), await success(project, owner, { expire_in: '1 week' })]
  const { key } = await db
    .selectFrom('job_artifacts')
    .innerJoin('stored_objects', 'stored_objects.id', 'object_id')
    .select('key')
    .where('job_id', '=', gone.id)
    .executeTakeFirstOrThrow()

  await expired()

  assert.deepEqual(await left(gone, stays), [0, 1])
  await assert.rejects(scene.deps.objects.read(key))
  assert.equal((await owner.get(project.url, { statistics: true })).body.statistics.job_artifacts_size, archive.length)
  assert.equal((await owner.get(`${project.url}/jobs/${gone.id}/artifacts`)).status, 404)
})

test('what has expired cannot be downloaded any more, even before it is removed', async () => {
  const { project, owner } = await scene.project()
  const job = await success(project, owner)
  scene.setTime(new Date(Date.now() + 2 * 86_400_000).toISOString())
  const answer = await owner.get(`${project.url}/jobs/${job.id}/artifacts`)
  scene.setTime(undefined)
  assert.equal(answer.status, 404)
})

test('the latest successful pipeline of a reference keeps its artifacts until the next one has succeeded', async () => {
  const { project, owner } = await scene.project()
  const [first, other] = [await success(project, owner), await success(project, owner, { ref: 'other' })]
  await succeeded(first)
  await succeeded(other)
  await expired()
  assert.deepEqual(await left(first, other), [1, 1])
  const second = await success(project, owner)

  await succeeded(second)
  await succeeded(first)
  await expired()

  assert.deepEqual(await left(first, second, other), [0, 1, 1])
})

test('children keep theirs with their parent', async () => {
  const { project, owner } = await scene.project()
  const [parent, child] = [await success(project, owner), await success(project, owner)]
  await db.updateTable('pipelines').set({ parent_id: parent.pipelineId }).where('id', '=', child.pipelineId).execute()
  await succeeded(child)
  await succeeded(parent)
  await expired()
  assert.deepEqual(await left(parent, child), [1, 1])
})

test('where the project does not keep the latest, it goes too; and so it does with its branch', async () => {
  const { project, owner } = await scene.project()
  const [kept, gone] = [await success(project, owner), await success(project, owner, { ref: 'feature/x' })]
  for (const job of [kept, gone]) await succeeded(job)

  await releaseArtifacts(scene.deps, { moves: [{ ref: 'refs/heads/feature/x', new: '0'.repeat(40) }] }, { project_id: project.id })
  await expired()
  assert.deepEqual(await left(kept, gone), [1, 0])

  await owner.put(project.url, { keep_latest_artifact: false })
  await expired(4)
  assert.deepEqual(await left(kept), [0])
})

test('what is kept never expires (decision 27)', async () => {
  const { project, owner } = await scene.project()
  const job = await success(project, owner)
  await owner.post(`${project.url}/jobs/${job.id}/artifacts/keep`)
  await expired(400)
  assert.deepEqual(await left(job), [1])
})

test('DELETE /projects/:id/artifacts removes all but what the latest successful pipelines keep, in the background', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const [old, latest] = [await success(project, owner, { expire_in: 'never' }), await success(project, owner, { expire_in: 'never' })]
  await succeeded(latest)

  assert.equal((await developer.delete(`${project.url}/artifacts`)).status, 403)
  assert.deepEqual(await owner.delete(`${project.url}/artifacts`), { status: 202, body: undefined })
  const { expire_project_artifacts, remove_expired_artifacts } = tasksOf(later(0.01))
  await expire_project_artifacts({ project_id: project.id, until: new Date(Date.now() + 1_000).toISOString() }, undefined)
  await remove_expired_artifacts({}, undefined)

  assert.deepEqual(await left(old, latest), [0, 1])
})

test('what a pipeline has left that has not ended is kept until a later one has succeeded (`keep_latest_artifact` at 14.0)', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { '.gitlab-ci.yml': 'build:\n  script: [make]\n' })
  const [first, second] = [
    await owner.post(`${project.url}/pipeline`, { ref: 'main' }),
    await owner.post(`${project.url}/pipeline`, { ref: 'main' }),
  ]
  const job = await runningJob(scene, project, owner, { name: 'other', pipelineId: first.body.id })
  await uploadTo(scene, job, archive, { expire_in: '1 day' })
  await endJob(scene, job)

  await expired()
  assert.deepEqual(await left(job), [1], 'the jobs after it may need it')
  await db.updateTable('pipelines').set({ status: 'success' }).where('id', '=', second.body.id).execute()
  await succeeded({ pipelineId: second.body.id })
  await expired()

  assert.deepEqual(await left(job), [0])
})
