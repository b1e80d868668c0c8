/** The collector of garbage takes what nothing names, and never what is in use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { collectGarbage } from '../garbage.ts'
import { digestOfBytes, imageClient, indexType, manifestType } from './scene.ts'

const scene = await openScene()
const { db } = scene.deps.database
const HOUR = 3_600_000
const later = (hours: number) => ({ ...scene.deps, now: () => new Date(Date.now() + hours * HOUR) })

async function image() {
  const { project, owner } = await scene.project()
  return {
    project,
    registry: await imageClient(scene, project.full_path, { username: owner.username, password: owner.token }, 'pull,push,delete'),
  }
}

const has = async (registry: Awaited<ReturnType<typeof image>>['registry'], digest: string) =>
  (await registry.head(`blobs/${digest}`)).status === 200
const isKept = async (digest: string) =>
  (await db.selectFrom('container_blobs').select('id').where('digest', '=', digest).execute()).length > 0

test('blobs that a manifest names stay, others go after a day, and their bytes once no repository has them', async () => {
  const [one, two] = [await image(), await image()]
  const [used, loose] = [Buffer.from(`used ${one.project.id}`), Buffer.from(`loose ${one.project.id}`)]
  await one.registry.image('latest', used)
  for (const { registry } of [one, two]) await registry.blob(loose)
  const digest = digestOfBytes(loose)
  await two.registry.image('latest', loose)
  await collectGarbage(later(23))
  assert.deepEqual([await has(one.registry, digest), await has(one.registry, digestOfBytes(used))], [true, true])
  await collectGarbage(later(26))
  assert.deepEqual(
    [await has(one.registry, digest), await has(two.registry, digest), await has(one.registry, digestOfBytes(used))],
    [false, true, true],
  )
  await two.registry.delete('manifests/latest')
  await collectGarbage(later(30))
  assert.ok(await has(two.registry, digest))
  await two.registry.image('other', Buffer.from('something else'))
  await collectGarbage(later(8 * 24))
  assert.deepEqual([await isKept(digest), await isKept(digestOfBytes(used))], [false, true])
})

test('a blob that a client has asked for in order to push stays another day', async () => {
  const { registry } = await image()
  const digest = await registry.blob(Buffer.from('asked for'))
  await db
    .updateTable('container_repository_blobs')
    .set({ linked_at: new Date(Date.now() - 30 * HOUR) })
    .execute()
  assert.ok(await has(registry, digest))
  await collectGarbage(later(0))
  assert.ok(await has(registry, digest))
})

test('a manifest goes a week after its last tag, with what is about it; what an index names, and what never had a tag, stays', async () => {
  const { registry } = await image()
  const child = await registry.image('child')
  const size = (await registry.get(`manifests/${child}`)).bytes.length
  const index = { schemaVersion: 2, mediaType: indexType, manifests: [{ mediaType: manifestType, digest: child, size }] }
  await registry.manifest('index', index, indexType)
  await registry.delete('manifests/child')
  const old = await registry.image('moving', Buffer.from('old'))
  const about = { ...(await registry.document(Buffer.from('about'))), subject: { mediaType: manifestType, digest: old, size: 1 } }
  const aboutDigest = digestOfBytes(JSON.stringify(about))
  await registry.manifest(aboutDigest, about)
  await registry.image('moving', Buffer.from('new'))
  const document = await registry.document(Buffer.from('by digest'))
  const untagged = digestOfBytes(JSON.stringify(document))
  await registry.manifest(untagged, document)
  const there = async (...digests: string[]) =>
    Promise.all(digests.map(async digest => (await registry.head(`manifests/${digest}`)).status === 200))
  await collectGarbage(later(6 * 24))
  assert.deepEqual(await there(old, aboutDigest, child, untagged), [true, true, true, true])
  await collectGarbage(later(8 * 24))
  assert.deepEqual(await there(old, aboutDigest, child, untagged), [false, true, true, true])
  await registry.delete('manifests/index')
  await collectGarbage(later(16 * 24))
  await collectGarbage(later(24 * 24))
  assert.deepEqual(await there(aboutDigest, child, untagged), [false, false, true])
})

test('an upload that nobody goes on with ends after a day', async () => {
  const { registry } = await image()
  const { headers } = await registry.post('blobs/uploads/')
  await registry.send('PATCH', headers.location!, Buffer.from('some'))
  await collectGarbage(later(23))
  assert.equal((await registry.get(headers.location!)).status, 204)
  await collectGarbage(later(25))
  assert.equal((await registry.get(headers.location!)).status, 404)
})

test('a manifest that comes while the collector is at its blobs finds them or is refused', async () => {
  const { registry } = await image()
  const document = await registry.document(Buffer.from('raced'))
  await db
    .updateTable('container_repository_blobs')
    .set({ linked_at: new Date(Date.now() - 30 * HOUR) })
    .execute()
  const [{ status }] = await Promise.all([registry.manifest('raced', document), collectGarbage(later(0)), collectGarbage(later(0))])
  const blobs = await Promise.all([document.config.digest, document.layers[0]!.digest].map(digest => has(registry, digest)))
  if (status === 201) assert.deepEqual(blobs, [true, true])
  else assert.deepEqual([status, (await registry.get('manifests/raced')).status], [400, 404])
})

test('a project is deleted with its images, and blobs of others stay', async () => {
  const [one, two] = [await image(), await image()]
  const layer = Buffer.from('shared layer')
  for (const { registry } of [one, two]) await registry.image('latest', layer)
  await db.deleteFrom('projects').where('id', '=', one.project.id).execute()
  await collectGarbage(later(26))
  assert.ok(await has(two.registry, digestOfBytes(layer)))
})
