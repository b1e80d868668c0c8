/** gitbeaker (`@gitbeaker/rest`) as npm has it: artifacts of jobs, the evidence of releases, and releases of groups. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitbeakerRequestError, Gitlab } from '@gitbeaker/rest'
import { uploadTo } from '../../src/ci/artifacts/scene.ts'
import { zipOf } from '../../src/ci/artifacts/zip/scene.ts'
import { endJob, runningJob } from '../../src/ci/jobs/scene.ts'
import { openScene } from '../scene.ts'

const scene = await openScene()
const client = new Gitlab({ host: scene.url, token: scene.root.token })

/** Passes when `work` is refused with this status. */
const refused = (work: Promise<unknown>, status: number) =>
  assert.rejects(work, error => error instanceof GitbeakerRequestError && error.cause?.response.status === status)

test('artifacts are fetched by job and by branch, whole and file by file, kept and deleted', async () => {
  const { project } = await scene.project({ owner: scene.root })
  const job = await runningJob(scene, project, scene.root)
  const archive = await zipOf({ 'out/hello.txt': 'Hello!\n' })
  await uploadTo(scene, job, archive, { expire_in: '1 day' })
  await endJob(scene, job)
  await scene.deps.database.db.updateTable('pipelines').set({ status: 'success' }).where('id', '=', job.pipelineId).execute()
  const { JobArtifacts: artifacts } = client
  const bytesOf = async (blob: Promise<Blob>) => Buffer.from(await (await blob).arrayBuffer())

  assert.ok((await bytesOf(artifacts.downloadArchive(project.id, { jobId: job.id }))).equals(archive))
  assert.ok((await bytesOf(artifacts.downloadArchive(project.id, { ref: 'main', job: 'build' }))).equals(archive))
  const [byJob, byRef] = [
    artifacts.downloadArchive(project.id, { jobId: job.id, artifactPath: 'out/hello.txt' }),
    artifacts.downloadArchive(project.id, { ref: 'main', job: 'build', artifactPath: 'out/hello.txt' }),
  ]
  // The library makes a string of what is text.
  assert.deepEqual([String(await byJob), String(await byRef)], ['Hello!\n', 'Hello!\n'])
  await refused(artifacts.downloadArchive(project.id, { jobId: job.id, artifactPath: 'none.txt' }), 404)
  assert.equal((await artifacts.keep(project.id, job.id)).id, job.id)
  await artifacts.remove(project.id, { jobId: job.id })
  await refused(artifacts.downloadArchive(project.id, { jobId: job.id }), 404)
  await artifacts.remove(project.id)
})

test('evidence of a release is asked for, and the releases of a group are listed', async () => {
  const { group } = await scene.group({ owner: scene.root })
  const { project } = await scene.project({ owner: scene.root, group })
  await scene.commit(project, { 'a.txt': 'a' })
  await client.ProjectReleases.create(project.id, { tagName: 'v1', ref: 'main', description: 'First' })

  await client.ProjectReleases.createEvidence(project.id, 'v1')

  const found = await client.GroupReleases.all(group.id)
  assert.deepEqual(
    found.map(release => release.tag_name),
    ['v1'],
  )
})
