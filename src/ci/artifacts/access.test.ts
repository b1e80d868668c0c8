/** Who gets at artifacts without being a person of the project (document 2 "Job artifacts", `job_token`; decision 27; `artifacts:public`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type Scene, type SceneProject } from '../../../test/scene.ts'
import type { JobOptions } from '../config/plan.ts'
import { endJob, runningJob } from '../jobs/scene.ts'
import { uploadTo } from './scene.ts'
import { zipOf } from './zip/scene.ts'

const premium = await openScene({ settings: { tier: 'premium' } })
const free = await openScene({ settings: { tier: 'free' } })
const archive = await zipOf({ 'a.txt': 'a' })

/** A job of a successful pipeline that has an archive, and the addresses of it. */
async function built(scene: Scene, project: SceneProject, owner: Person, options: JobOptions = { script: ['true'] }) {
  const job = await runningJob(scene, project, owner, { options })
  await uploadTo(scene, job, archive)
  await endJob(scene, job)
  await scene.deps.database.db.updateTable('pipelines').set({ status: 'success' }).where('id', '=', job.pipelineId).execute()
  const [byJob, byRef] = [`${project.url}/jobs/${job.id}/artifacts`, `${project.url}/jobs/artifacts/main`]
  return {
    id: job.id,
    byJob,
    downloads: [byJob, `${byRef}/download?job=build`, `${byJob}/a.txt`, `${byRef}/raw/a.txt?job=build`],
  }
}

const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

test('the token of a job opens the four downloads, in the header and in the query, and neither keeps nor deletes', async () => {
  const { project, owner } = await premium.project()
  const { byJob, downloads } = await built(premium, project, owner)
  const { token } = await runningJob(premium, project, owner, { name: 'later' })
  const job = premium.as({ 'job-token': token })

  for (const path of downloads) {
    assert.equal((await job.get(path)).status, 200, path)
    assert.equal((await premium.anonymous.get(withQuery(path, `job_token=${token}`))).status, 200, path)
    assert.equal((await premium.as({ 'job-token': 'wrong' }).get(path)).status, 401, path)
  }
  assert.equal((await job.post(`${byJob}/keep`)).status, 401)
  assert.equal((await premium.anonymous.post(`${byJob}/keep?job_token=${token}`)).status, 401)
  assert.equal((await job.delete(byJob)).status, 401)
  assert.equal((await premium.anonymous.delete(`${byJob}?job_token=${token}`)).status, 401)
})

test('it opens none of them below the paid tier', async () => {
  const { project, owner } = await free.project()
  const { byJob, downloads } = await built(free, project, owner)
  const { token } = await runningJob(free, project, owner, { name: 'later' })

  for (const path of downloads) {
    assert.equal((await free.as({ 'job-token': token }).get(path)).status, 401, path)
    assert.equal((await free.anonymous.get(withQuery(path, `job_token=${token}`))).status, 401, path)
  }
  assert.equal((await free.as({ 'job-token': token }).post(`${byJob}/keep`)).status, 401)
  assert.equal((await free.as({ 'job-token': token }).delete(byJob)).status, 401)
})

test('`artifacts: public: false` keeps guests and strangers from the archive while its flag is on (`artifacts:public` at 14.0)', async () => {
  const { project, owner, guest, reporter } = await premium.project({ visibility: 'public', members: ['guest', 'reporter'] })
  const hidden = await built(premium, project, owner, { script: ['true'], artifacts: { paths: ['a.txt'], public: false } })
  const { project: elsewhere, owner: stranger } = await premium.project()
  const foreign = await runningJob(premium, elsewhere, stranger)
  const fetched = () => premium.as({ 'job-token': foreign.token }).get(`/jobs/${hidden.id}/artifacts`)

  for (const path of hidden.downloads) assert.equal((await premium.anonymous.get(path)).status, 200, 'the flag is off by default')
  assert.equal((await fetched()).status, 200)
  await premium.root.post('/features/non_public_artifacts', { value: true })

  for (const path of hidden.downloads) {
    assert.equal((await premium.anonymous.get(path)).status, 401, path)
    assert.equal((await guest.get(path)).status, 403, path)
    assert.equal((await stranger.get(path)).status, 403, path)
    assert.equal((await reporter.get(path)).status, 200, path)
  }
  assert.equal((await fetched()).status, 404, 'nor the jobs of strangers')
  assert.equal((await guest.get(`${project.url}/jobs/${hidden.id}`)).status, 200, 'the job is there as before')
})
