/** The real `helm` with charts of a project: in a repository by channel, and as artifacts of the container registry, by each kind of token. */
import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { openScene, type SceneProject } from '../scene.ts'
import { helm } from './npm_clients/packed.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const client = await helm(workbench)
const { skip } = client
const { host } = new URL(scene.url)

let homes = 0

/** A client with a home of its own. */
async function user() {
  homes += 1
  const cwd = join(workbench.directory, `helm-${homes}`)
  await mkdir(cwd)
  const attempt = (...args: string[]) => {
    if (client.skip !== false) throw new Error(client.skip)
    return workbench.attempt(client.program, [...client.before, ...args], { cwd, env: { HOME: cwd } })
  }
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await attempt(...args)
    assert.equal(code, 0, `${args.join(' ')}\n${stdout}${stderr}`)
    return stdout + stderr
  }
  /** @returns the file of the chart */
  const pack = async (version: string) => {
    await attempt('create', 'thing')
    await run('package', 'thing', '--version', version)
    return join(cwd, `thing-${version}.tgz`)
  }
  return { cwd, attempt, run, pack }
}

type User = Awaited<ReturnType<typeof user>>

async function publish(file: string, project: SceneProject, login: string): Promise<number> {
  const form = new FormData()
  form.append('chart', new Blob([new Uint8Array(await readFile(file))]), 'thing.tgz')
  const headers = { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
  const answer = await fetch(`${scene.url}/api/v4${project.url}/packages/helm/api/stable/charts`, { method: 'POST', body: form, headers })
  return answer.status
}

const add = ({ attempt }: User, project: SceneProject, username: string, password: string) =>
  attempt('repo', 'add', 'ingot', `${scene.url}/api/v4${project.url}/packages/helm/stable`, '--username', username, '--password', password)

test('charts of a repository are published, found, fetched and rendered; a version that is gone is not', { skip }, async () => {
  const { project, owner } = await scene.project()
  const own = await user()
  for (const version of ['1.0.0', '1.2.0'])
    assert.equal(await publish(await own.pack(version), project, `${owner.username}:${owner.token}`), 201)
  const reader = await user()
  assert.equal((await add(reader, project, owner.username, owner.token)).code, 0)
  const found = JSON.parse(await reader.run('search', 'repo', 'thing', '--versions', '--output', 'json'))
  assert.deepEqual(
    found.map(({ name, version }: { name: string; version: string }) => `${name} ${version}`),
    ['ingot/thing 1.2.0', 'ingot/thing 1.0.0'],
  )
  await reader.run('pull', 'ingot/thing', '--version', '1.0.0')
  assert.deepEqual(await readFile(join(reader.cwd, 'thing-1.0.0.tgz')), await readFile(join(own.cwd, 'thing-1.0.0.tgz')))
  assert.match(await reader.run('template', 'release', 'ingot/thing'), /helm\.sh\/chart: thing-1\.2\.0/)

  const [newest] = (await owner.get(`${project.url}/packages`, { package_version: '1.2.0' })).body.filter(
    ({ version }: { version: string }) => version === '1.2.0',
  )
  assert.equal((await owner.delete(`${project.url}/packages/${newest.id}`)).status, 204)
  await reader.run('repo', 'update')
  assert.match(await reader.run('template', 'release', 'ingot/thing'), /helm\.sh\/chart: thing-1\.0\.0/)
})

test('a job publishes, a deploy token fetches, and a stranger sees no repository', { skip }, async () => {
  const { project, owner } = await scene.project()
  const job = await runningJob(scene, project, owner)
  const own = await user()
  const file = await own.pack('2.0.0')
  assert.equal(await publish(file, project, `gitlab-ci-token:${job.token}`), 201)
  const token = (await owner.post(`${project.url}/deploy_tokens`, { name: 'helm', scopes: ['read_package_registry'] })).body
  const reader = await user()
  assert.equal((await add(reader, project, token.username, token.token)).code, 0)
  await reader.run('pull', 'ingot/thing')
  assert.equal(await publish(file, project, `${token.username}:${token.token}`), 403)
  const outsider = await scene.user()
  const stranger = await user()
  assert.match((await add(stranger, project, outsider.username, outsider.token)).stderr, /404/)
  assert.match((await add(await user(), project, outsider.username, 'wrong')).stderr, /401/)
})

test('charts are pushed to the container registry, fetched and rendered, by those who may', { skip }, async () => {
  const { project, owner } = await scene.project()
  const own = await user()
  const chart = await own.pack('3.1.0')
  await own.run('registry', 'login', host, '--username', owner.username, '--password', owner.token, '--insecure')
  await own.run('push', chart, `oci://${host}/${project.full_path}`)
  const outsider = await scene.user()
  const stranger = await user()
  await stranger.run('registry', 'login', host, '--username', outsider.username, '--password', outsider.token, '--insecure')
  assert.notEqual((await stranger.attempt('pull', `oci://${host}/${project.full_path}/thing`, '--version', '3.1.0')).code, 0)
  const token = (await owner.post(`${project.url}/deploy_tokens`, { name: 'oci', scopes: ['read_registry'] })).body
  const reader = await user()
  await reader.run('registry', 'login', host, '--username', token.username, '--password', token.token, '--insecure')
  await reader.run('pull', `oci://${host}/${project.full_path}/thing`, '--version', '3.1.0')
  assert.deepEqual(await readFile(join(reader.cwd, 'thing-3.1.0.tgz')), await readFile(chart))
  // What is there already would not be sent.
  assert.notEqual((await reader.attempt('push', await reader.pack('3.2.0'), `oci://${host}/${project.full_path}`)).code, 0)
  assert.match(await reader.run('template', 'release', `oci://${host}/${project.full_path}/thing`), /helm\.sh\/chart: thing-3\.1\.0/)
})
