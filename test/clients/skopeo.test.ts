/** The real `skopeo` against the registry: images for several machines in and out, by a user, a deploy token and a job. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Gitlab } from '@gitbeaker/rest'
import { runningJob } from '../../src/ci/jobs/scene.ts'
import { Ending } from '../at_end.ts'
import { eventually } from '../eventually.ts'
import { openScene } from '../scene.ts'
import { openWorkbench } from './workbench.ts'

const scene = await openScene()
const workbench = await openWorkbench()
const skip = (await workbench.has('skopeo', ['--version'])) ? false : 'skopeo is not installed on this machine'
const host = new URL(scene.url).host

let folders = 0

/** A folder in the layout of OCI images, with an image of one layer for each of these machines. */
async function layout(machines: readonly string[], layerBytes = 20_000): Promise<string> {
  const path = join(workbench.directory, `layout-${++folders}`)
  await mkdir(join(path, 'blobs/sha256'), { recursive: true })
  const put = async (content: Buffer | object, mediaType: string) => {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content))
    const hex = createHash('sha256').update(bytes).digest('hex')
    await writeFile(join(path, 'blobs/sha256', hex), bytes)
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length }
  }
  const image = 'application/vnd.oci.image'
  const manifests = []
  for (const architecture of machines) {
    const layer = await put(randomBytes(layerBytes), `${image}.layer.v1.tar`)
    const rootfs = { type: 'layers', diff_ids: [layer.digest] }
    const config = await put({ created: '2021-05-01T10:00:00Z', architecture, os: 'linux', rootfs }, `${image}.config.v1+json`)
    const manifest = { schemaVersion: 2, mediaType: `${image}.manifest.v1+json`, config, layers: [layer] }
    manifests.push({ ...(await put(manifest, manifest.mediaType)), platform: { architecture, os: 'linux' } })
  }
  const only = manifests.length === 1 ? manifests[0] : undefined
  const root = only ?? (await put({ schemaVersion: 2, mediaType: `${image}.index.v1+json`, manifests }, `${image}.index.v1+json`))
  await writeFile(join(path, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  await writeFile(join(path, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [root] }))
  return path
}

const rootOf = async (path: string): Promise<string> => JSON.parse(await readFile(join(path, 'index.json'), 'utf8')).manifests[0].digest

/** Copies between a layout and the registry, or within the registry. */
const copy = (login: readonly [string, string], from: string, to: string, ...options: string[]) => {
  const side = (name: string, place: string) =>
    place.startsWith('docker:') ? [`--${name}-tls-verify=false`, `--${name}-creds=${login.join(':')}`] : []
  const args = [
    '--insecure-policy',
    'copy',
    '--quiet',
    '--preserve-digests',
    ...options,
    ...side('src', from),
    ...side('dest', to),
    from,
    to,
  ]
  return workbench.attempt('skopeo', args)
}

test('an image for several machines is pushed and pulled unchanged, copied between repositories, listed and deleted', {
  skip,
}, async () => {
  const { project, owner } = await scene.project()
  const login = [owner.username, owner.token] as const
  const source = await layout(['amd64', 'arm64'])
  const image = `docker://${host}/${project.full_path}/tool`
  const pushed = await copy(login, `oci:${source}`, `${image}:v1`, '--all')
  assert.deepEqual([pushed.code, pushed.stderr], [0, ''])
  const back = join(workbench.directory, `layout-${++folders}`)
  const pulled = await copy(login, `${image}:v1`, `oci:${back}:v1`, '--all')
  assert.deepEqual([pulled.code, pulled.stderr], [0, ''])
  assert.equal(await rootOf(back), await rootOf(source))
  const mounted = await copy(login, `${image}:v1`, `docker://${host}/${project.full_path}/other:v2`, '--all')
  assert.deepEqual([mounted.code, mounted.stderr], [0, ''])

  const flags = ['--tls-verify=false', `--creds=${login.join(':')}`]
  assert.deepEqual(JSON.parse(await workbench.run('skopeo', ['list-tags', ...flags, `docker://${host}/${project.full_path}/other`])).Tags, [
    'v2',
  ])
  const shown = JSON.parse(
    await workbench.run('skopeo', ['inspect', ...flags, '--override-arch', 'arm64', '--override-os', 'linux', `${image}:v1`]),
  )
  assert.deepEqual([shown.Digest, shown.Architecture], [await rootOf(source), 'arm64'])
  await workbench.run('skopeo', ['delete', ...flags, `${image}:v1`])
  assert.match((await workbench.attempt('skopeo', ['inspect', ...flags, `${image}:v1`])).stderr, /manifest unknown/)
})

test('a deploy token and a job push and pull what they may, and nobody else sees it', { skip }, async () => {
  const { project, owner } = await scene.project()
  const image = `docker://${host}/${project.full_path}`
  const make = async (scopes: string[]) => {
    const { username, token } = (await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes })).body
    return [username, token] as const
  }
  const [reading, writing] = [await make(['read_registry']), await make(['read_registry', 'write_registry'])]
  const job = await runningJob(scene, project, owner)
  const source = await layout(['amd64'])
  for (const [login, tag] of [
    [writing, 'by-token'],
    [['gitlab-ci-token', job.token], 'by-job'],
  ] as const) {
    const pushed = await copy(login, `oci:${source}`, `${image}:${tag}`)
    assert.deepEqual([pushed.code, pushed.stderr], [0, ''])
    const pulled = await copy(reading, `${image}:${tag}`, `oci:${join(workbench.directory, `layout-${++folders}`)}`)
    assert.deepEqual([pulled.code, pulled.stderr], [0, ''])
  }
  assert.notEqual((await copy(reading, `oci:${source}`, `${image}:refused`)).code, 0)
  const outsider = await scene.user()
  const refused = await workbench.attempt('skopeo', [
    'inspect',
    '--tls-verify=false',
    `--creds=${outsider.username}:${outsider.token}`,
    `${image}:by-job`,
  ])
  assert.notEqual(refused.code, 0)
  const unknown = await workbench.attempt('skopeo', ['inspect', '--tls-verify=false', `--creds=${owner.username}:wrong`, `${image}:by-job`])
  assert.match(unknown.stderr, /unauthorized|invalid username\/password/)
})

test('gitbeaker lists what skopeo has pushed, and deletes it', { skip }, async () => {
  const { project, owner } = await scene.project()
  const source = await layout(['amd64'])
  const image = `docker://${host}/${project.full_path}/tool`
  for (const tag of ['v1', 'v2', 'latest'])
    assert.equal((await copy([owner.username, owner.token], `oci:${source}`, `${image}:${tag}`)).code, 0)
  const { ContainerRegistry: registry } = new Gitlab({ host: scene.url, token: owner.token })
  const [repository] = await registry.allRepositories({ projectId: project.id, tags: true, tagsCount: true })
  assert.ok(repository)
  assert.deepEqual([repository.name, repository.tags_count, (repository.tags as unknown[]).length], ['tool', 3, 3])
  assert.equal((await registry.showRepository(repository.id)).path, `${project.full_path}/tool`)
  assert.equal((await registry.showTag(project.id, repository.id, 'v1')).digest, await rootOf(source))
  await registry.removeTag(project.id, repository.id, 'v1')
  assert.deepEqual(
    (await registry.allTags(project.id, repository.id)).map(({ name }) => name),
    ['latest', 'v2'],
  )
  await registry.removeTags(project.id, repository.id, '.*', { keepN: '5' })
  await registry.removeRepository(project.id, repository.id)
  assert.deepEqual(await registry.allRepositories({ projectId: project.id }), [])
})

test('an image for several machines is pulled through a group, and again when the registry behind is gone', { skip }, async () => {
  const ending = new Ending()
  const behind = await openScene({ atEnd: ending.add })
  try {
    const { project, owner } = await behind.project({ visibility: 'public' })
    const source = await layout(['amd64', 'arm64'], 300_000)
    const name = `${project.full_path}/tool`
    const pushed = await copy([owner.username, owner.token], `oci:${source}`, `docker://${new URL(behind.url).host}/${name}:v1`, '--all')
    assert.deepEqual([pushed.code, pushed.stderr], [0, ''])

    const before = await openScene({ settings: { dependencyProxyUrl: behind.url } })
    const { group, owner: puller, ...people } = await before.group({ members: ['guest'] })
    const image = `docker://${new URL(before.url).host}/${group.full_path}/dependency_proxy/containers/${name}:v1`
    const pull = async ({ username, token }: { username: string; token: string }) => {
      const back = join(workbench.directory, `layout-${++folders}`)
      return { ...(await copy([username, token], image, `oci:${back}:v1`, '--all')), back }
    }
    const first = await pull(puller)
    assert.deepEqual([first.code, first.stderr], [0, ''])
    assert.equal(await rootOf(first.back), await rootOf(source))
    // Two configurations and two layers: they are kept beside the answers.
    const kept = async () => (await before.deps.database.db.selectFrom('dependency_proxy_blobs').select('digest').execute()).length === 4
    await eventually(kept, 'all blobs to be kept')

    await ending.run()
    const second = await pull(people.guest)
    assert.deepEqual([second.code, second.stderr], [0, ''])
    assert.equal(await rootOf(second.back), await rootOf(source))
    assert.notEqual((await pull(await before.user())).code, 0, 'who is no member gets nothing')
  } finally {
    await ending.run()
  }
})
