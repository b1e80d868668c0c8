/** The real `regctl` with artifacts that are no images: push, fetch, what refers to them, copies with it, deletion, by each kind of token. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { openScene } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const skip = (await workbench.has('regctl', ['version'])) ? false : 'regctl is not installed on this machine'
const { host } = new URL(scene.url)

let homes = 0

/** A client that is signed in. */
async function client(username: string, password: string) {
  const home = join(workbench.directory, `regctl-${++homes}`)
  await mkdir(home)
  const file = join(home, 'note.txt')
  await writeFile(file, 'a note\n')
  const attempt = (...args: string[]) => workbench.attempt('regctl', args, { cwd: home, env: { HOME: home } })
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await attempt(...args)
    assert.equal(code, 0, `${args.join(' ')}\n${stdout}${stderr}`)
    return stdout
  }
  await run('registry', 'set', '--tls', 'disabled', host)
  await attempt('registry', 'login', '-u', username, '-p', password, host)
  const referring = async (to: string) => JSON.parse(await run('artifact', 'list', '--format', '{{json .}}', to)).descriptors
  return { attempt, run, referring, file }
}

test('an artifact is pushed, fetched, referred to, copied with what refers to it, and deleted', { skip }, async () => {
  const { project, owner } = await scene.project()
  const image = `${host}/${project.full_path}`
  const { run, attempt, referring, file } = await client(owner.username, owner.token)
  await run('artifact', 'put', '-m', 'text/plain', '-f', file, `${image}/art:v1`)
  assert.equal(await run('artifact', 'get', `${image}/art:v1`), 'a note\n')
  const type = 'application/vnd.example.note'
  await run('artifact', 'put', '-m', 'text/plain', '--artifact-type', type, '-f', file, '--subject', `${image}/art:v1`)
  const [referrer, ...others] = await referring(`${image}/art:v1`)
  assert.deepEqual([referrer.artifactType, others], [type, []])

  await run('image', 'copy', `${image}/art:v1`, `${image}/alone:v1`)
  assert.deepEqual((await referring(`${image}/alone:v1`)) ?? [], [])
  await run('image', 'copy', '--referrers', `${image}/art:v1`, `${image}/whole:v1`)
  assert.deepEqual(await referring(`${image}/whole:v1`), [referrer])

  await run('tag', 'delete', `${image}/art:v1`)
  assert.equal((await run('tag', 'ls', `${image}/art`)).trim(), '')
  await run('manifest', 'delete', '--force-tag-dereference', `${image}/whole:v1`)
  assert.notEqual((await attempt('manifest', 'get', `${image}/whole:v1`)).code, 0)
})

test('a job and a deploy token push and fetch what they may, and nobody else sees it', { skip }, async () => {
  const { project, owner } = await scene.project()
  const other = await scene.project({ owner })
  const image = `${host}/${project.full_path}/art`
  const tokenOf = async (url: string, scopes: string[]) => {
    const { username, token } = (await owner.post(`${url}/deploy_tokens`, { name: 'art', scopes })).body
    return client(username, token)
  }
  const job = await client('gitlab-ci-token', (await runningJob(scene, project, owner)).token)
  await job.run('artifact', 'put', '-m', 'text/plain', '-f', job.file, `${image}:job`)
  const reader = await tokenOf(project.url, ['read_registry'])
  assert.equal(await reader.run('artifact', 'get', `${image}:job`), 'a note\n')
  assert.notEqual((await reader.attempt('artifact', 'put', '-m', 'text/plain', '-f', reader.file, `${image}:refused`)).code, 0)
  const outsider = await scene.user()
  for (const { attempt } of [
    await tokenOf(other.project.url, ['read_registry']),
    await client(outsider.username, outsider.token),
    await client(owner.username, 'wrong'),
  ])
    assert.notEqual((await attempt('artifact', 'get', `${image}:job`)).code, 0)
  assert.equal((await job.run('tag', 'ls', image)).trim(), 'job')
})
