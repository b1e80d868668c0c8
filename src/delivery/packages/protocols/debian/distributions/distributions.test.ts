/** Distributions of projects and groups, and when their indexes are made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, openScene } from '../../../../../../test/scene.ts'
import { at, deb, digest, into, upload, withDistribution } from '../scene.ts'

const scene = await openScene()

test('distributions have names, components and architectures, and a key of their own', async () => {
  const { project, owner } = await scene.project()
  const path = `${project.url}/debian_distributions`
  const made = await owner.post(path, { codename: 'sid' })
  const { id, ...rest } = made.body
  assert.deepEqual(
    [made.status, rest],
    [
      201,
      {
        codename: 'sid',
        suite: null,
        origin: null,
        label: null,
        version: null,
        description: null,
        valid_time_duration_seconds: null,
        components: ['main'],
        architectures: ['all', 'amd64'],
      },
    ],
  )
  const other = await owner.post(path, {
    codename: 'stable-1.0',
    suite: 'stable',
    components: 'main,contrib',
    architectures: ['arm64', 'all', 'arm64'],
  })
  assert.deepEqual(
    [other.body.components, other.body.architectures],
    [
      ['main', 'contrib'],
      ['all', 'arm64'],
    ],
  )
  assert.deepEqual(
    (await owner.get(path)).body.map((row: { codename: string }) => row.codename),
    ['sid', 'stable-1.0'],
  )
  assert.deepEqual((await owner.get(path, { suite: 'stable' })).body, [other.body])
  assert.deepEqual((await owner.get(`${path}/sid`)).body, made.body)
  const keys = await Promise.all(['sid', 'stable-1.0'].map(name => owner.get(`${path}/${name}/key.asc`)))
  for (const { status, body } of keys) assert.match(`${status} ${body}`, /^200 -----BEGIN PGP PUBLIC KEY BLOCK-----\n/)
  assert.notEqual(keys[0]?.body, keys[1]?.body)

  const changed = await owner.put(`${path}/sid`, { suite: 'unstable', valid_time_duration_seconds: 86_400, description: 'One\n\nTwo' })
  assert.deepEqual(changed.body, { ...made.body, suite: 'unstable', valid_time_duration_seconds: 86_400, description: 'One\n\nTwo' })
  assert.deepEqual(await owner.delete(`${path}/sid`), { status: 202, body: { message: '202 Accepted' } })
  assert.deepEqual(await owner.get(`${path}/sid`), { status: 404, body: { message: '404 Distribution Not Found' } })
  assert.equal(id < other.body.id, true)
})

test('names of distributions are free or refused', async () => {
  const { project, owner } = await withDistribution(scene)
  const path = `${project.url}/debian_distributions`
  const refused: [object, object][] = [
    [{ codename: 'sid' }, { codename: ['has already been taken'] }],
    [{ codename: 'unstable' }, { codename: ['has already been taken'] }],
    [{ codename: 'new', suite: 'sid' }, { suite: ['has already been taken'] }],
  ]
  for (const [body, message] of refused) assert.deepEqual(await owner.post(path, body), { status: 400, body: { message } })
  for (const codename of ['', '.', '../sid', 'a/b', 'a b', 'a\nb', '-a', 'x'.repeat(256)])
    assert.equal((await owner.post(path, { codename })).status, 400, JSON.stringify(codename))
  for (const attributes of [
    { components: ['../main'] },
    { architectures: ['AMD 64'] },
    { valid_time_duration_seconds: 10 },
    { origin: 'a\nb' },
  ])
    assert.equal((await owner.post(path, { codename: 'new', ...attributes })).status, 400, JSON.stringify(attributes))
  const both = await Promise.all([1, 2].map(() => owner.post(path, { codename: 'twice' })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 400])
})

test('an index is made again before it is no longer valid', async () => {
  const { project, owner } = await withDistribution(scene, {}, { valid_time_duration_seconds: 86_400 })
  const first = (await at(owner, project, 'Release')).body
  assert.equal((await at(owner, project, 'Release')).body, first)
  scene.setTime(new Date(Date.now() + 13 * 3_600_000).toISOString())
  try {
    assert.notEqual((await at(owner, project, 'Release')).body, first)
  } finally {
    scene.setTime(undefined)
  }
})

test('a distribution of a group lists what the caller may read in its projects, and no more', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const [open, hidden] = [
    await withDistribution(scene, { group, owner, visibility: 'public' }),
    await withDistribution(scene, { group, owner, visibility: 'private' }),
  ]
  await upload(owner, open.project, 'open_1.0_amd64.deb', deb('open', '1.0'), into())
  const secret = deb('hidden', '1.0')
  await upload(owner, hidden.project, 'hidden_1.0_amd64.deb', secret, into())
  const { status } = await owner.post(`${group.url}/-/debian_distributions`, { codename: 'sid', suite: 'unstable' })
  assert.equal(status, 201)
  const base = `${group.url}/-/packages/debian`
  const names = async (client: Client) =>
    ((await client.get(`${base}/dists/unstable/main/binary-amd64/Packages`)).body as string).match(/(?<=Package: ).*/g)
  assert.deepEqual(await names(owner), ['open', 'hidden'])
  assert.deepEqual(await names(scene.anonymous), ['open'])
  const { body } = await owner.get(`${base}/dists/sid/main/binary-amd64/Packages`)
  const [, filename] = /Filename: (pool\/sid\/\d+\/h\/hidden\/1\.0\/hidden_1\.0_amd64\.deb)/.exec(body) ?? []
  assert.ok((await owner.get(`${base}/${filename}`)).bytes.equals(secret))
  assert.equal((await (await scene.user()).get(`${base}/${filename}`)).status, 404)
  const byHash = `${base}/dists/sid/main/binary-amd64/by-hash/SHA256/${digest('sha256', Buffer.from(body))}`
  assert.equal((await owner.get(byHash)).body, body)
  assert.equal((await (await scene.user()).get(byHash)).status, 404)
})
