/** Who gets at artifacts without being a person of the project (document 2 "Job artifacts", `job_token`; decision 27; `artifacts:public`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openScene, type Person, type Scene, type SceneProject } from '../../../test/scene.ts'
import type { JobOptions } from '../config/index.ts'
import { endJob, pendingJob, runningJob } from '../jobs/scene.ts'
import { registered } from '../runner_protocol/scene.ts'
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

const privately: JobOptions = { script: ['true'], artifacts: { paths: ['a.txt'], public: false } }

/** A public project with a job whose artifacts are private. */
async function withPrivateArtifacts(scene: Scene) {
  const made = await scene.project({ visibility: 'public', members: ['guest', 'reporter', 'developer'] })
  return { ...made, hidden: await built(scene, made.project, made.owner, privately) }
}

test('`artifacts: public: false` keeps archives for Developers and above, in every way they are asked for', async () => {
  const { project, guest, reporter, developer, hidden } = await withPrivateArtifacts(premium)
  const { project: elsewhere, owner: stranger } = await premium.project()

  for (const path of hidden.downloads) {
    assert.equal((await premium.anonymous.get(path)).status, 401, path)
    for (const person of [guest, reporter, stranger] as Person[]) assert.equal((await person.get(path)).status, 403, path)
    for (const person of [developer, premium.root] as Person[]) assert.equal((await person.get(path)).status, 200, path)
  }
  assert.equal((await guest?.get(`${project.url}/jobs/${hidden.id}`))?.status, 200, 'the job is there as before')
  for (const [person, status] of [
    [stranger, 404],
    [reporter, 404],
    [developer, 200],
  ] as [Person, number][]) {
    const { token } = await runningJob(premium, elsewhere, person)
    const byToken = premium.as({ 'job-token': token })
    assert.equal((await byToken.get(`/jobs/${hidden.id}/artifacts`)).status, status)
    for (const path of hidden.downloads) assert.equal((await byToken.get(path)).status, status === 404 ? 403 : 200, path)
  }
})

test('it keeps test reports too, in whole and summed up', async () => {
  const { project, owner, reporter, developer } = await premium.project({ visibility: 'public', members: ['reporter', 'developer'] })
  const job = await runningJob(premium, project, owner, {
    options: { ...privately, artifacts: { public: false, reports: { junit: ['a.xml'] } } },
  })
  const open = await runningJob(premium, project, owner, { name: 'open', pipelineId: job.pipelineId })
  const report = { artifact_type: 'junit', artifact_format: 'gzip', filename: 'junit.xml.gz' }
  for (const [run, name] of [
    [job, 'hidden'],
    [open, 'shown'],
  ] as const)
    await uploadTo(premium, run, gzipSync(`<testsuite><testcase name="${name}"/></testsuite>`), report)

  const seen: unknown[] = []
  for (const person of [premium.anonymous, reporter, developer] as Person[])
    for (const what of ['test_report', 'test_report_summary']) {
      const { body } = await person.get(`${project.url}/pipelines/${job.pipelineId}/${what}`)
      seen.push(body.test_suites.map(({ name }: { name: string }) => name))
    }

  const [some, all] = [['open'], ['build', 'open']]
  assert.deepEqual(seen, [some, some, some, some, all, all])
})

test('a job that needs artifacts of another project reads what its user may read, and no more, their variables included', async () => {
  const { project, hidden, reporter, developer } = await withPrivateArtifacts(premium)
  const { project: elsewhere } = await premium.project()
  const runner = await registered(premium, { project: elsewhere })
  const need = { project: project.full_path, ref: 'main', job: 'build', artifacts: true }
  const outcomes: unknown[] = []
  for (const person of [reporter, developer] as Person[]) {
    const { id } = await pendingJob(premium, elsewhere, person, { options: { script: ['true'], other_needs: [need] } })
    const { body } = await runner.ask()
    const row = await premium.deps.database.db.selectFrom('jobs').select('failure_reason').where('id', '=', id).executeTakeFirstOrThrow()
    outcomes.push([row.failure_reason, body?.dependencies.map((dependency: { id: number }) => dependency.id)])
  }

  assert.deepEqual(outcomes, [
    ['missing_dependency_failure', undefined],
    [null, [hidden.id]],
  ])
})

test('an administrator can switch that off (`non_public_artifacts`)', async () => {
  const { hidden } = await withPrivateArtifacts(free)
  await free.root.post('/features/non_public_artifacts', { value: false })

  for (const path of hidden.downloads) assert.equal((await free.anonymous.get(path)).status, 200, path)
})
