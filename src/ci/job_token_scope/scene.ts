/** For tests: everything in a project that a job token may reach, and the answer to each attempt. */
import { createHash } from 'node:crypto'
import type { Person, Scene, SceneProject } from '../../../test/scene.ts'
import { uploadTo } from '../artifacts/scene.ts'
import { zipOf } from '../artifacts/zip/scene.ts'
import { endJob, runningJob } from '../jobs/scene.ts'

/** A project with data to protect: code, a release, and a successful pipeline whose job has left an archive. */
export async function targetOf(scene: Scene, { project, owner }: { readonly project: SceneProject; readonly owner: Person }) {
  const sha = await scene.commit(project, { 'secret.txt': 'secret', '.gitlab-ci.yml': 'build: {script: make}\n' }, { message: '[skip ci]' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'side', ref: 'main' })
  const job = await runningJob(scene, project, owner, { sha })
  await uploadTo(scene, job, await zipOf({ 'a.txt': 'a' }))
  await endJob(scene, job)
  await scene.deps.database.db.updateTable('pipelines').set({ status: 'success' }).where('id', '=', job.pipelineId).execute()
  return { project, owner, jobId: job.id }
}

export type Target = Awaited<ReturnType<typeof targetOf>>

/** The answer of each way into the project to the job token, by the name of the way. */
export async function attempts(scene: Scene, token: string, { project, jobId }: Target): Promise<Record<string, number>> {
  const basic = { authorization: `Basic ${Buffer.from(`gitlab-ci-token:${token}`).toString('base64')}` }
  const job = scene.as({ 'job-token': token })
  const git = `${scene.url}/${project.full_path}.git`
  const oid = createHash('sha256').update('x').digest('hex')
  const lfs = { operation: 'download', objects: [{ oid, size: 1 }] }
  const byRef = `${project.url}/jobs/artifacts/main`
  const made = { tag_name: `v${Math.random()}`, ref: 'main' }
  const answers = {
    clone: await scene.anonymous.get(`${git}/info/refs`, { service: 'git-upload-pack' }, basic),
    large_files: await scene.anonymous.post(`${git}/info/lfs/objects/batch`, lfs, basic),
    archive: await job.get(`${project.url}/jobs/${jobId}/artifacts`),
    archive_file: await job.get(`${project.url}/jobs/${jobId}/artifacts/a.txt`),
    latest_archive: await job.get(`${byRef}/download`, { job: 'build' }),
    latest_file: await job.get(`${byRef}/raw/a.txt`, { job: 'build' }),
    dependency: await job.get(`/jobs/${jobId}/artifacts`),
    releases: await job.get(`${project.url}/releases`),
    release: await job.post(`${project.url}/releases`, made),
    trigger: await scene.anonymous.post(`${project.url}/trigger/pipeline`, { token, ref: 'side' }),
  }
  return Object.fromEntries(Object.entries(answers).map(([way, { status }]) => [way, status]))
}

const reading = { clone: 200, large_files: 200, archive: 200, archive_file: 200, latest_archive: 200, latest_file: 200, releases: 200 }

/** The answers if the token reaches the project for a user who may run pipelines there. */
export const reached = { ...reading, dependency: 200, release: 201, trigger: 201 }

/** The answers if it does not reach a private project. */
export const unreached: Record<string, number> = Object.fromEntries(Object.keys(reached).map(way => [way, 404]))

/** The answers if it does not reach a public project: only public data. */
export const asAnyone = { ...reading, dependency: 200, release: 403, trigger: 400 }
