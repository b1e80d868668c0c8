/** Images at their limits: ten thousand tags, the longest names and uploads that are cut off or go on at the wrong place. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { openScene, type Person } from '../../../../test/scene.ts'
import { places } from '../../../platform/config.ts'
import { clientOfImage, digestOfBytes, tokenFor } from './scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

async function image(below = '') {
  const { project, owner } = await scene.project()
  return { project, owner, ...(await clientOf([project.full_path, below].filter(Boolean).join('/'), owner)) }
}

async function clientOf(name: string, { username, token }: Person) {
  const { body } = await tokenFor(scene, { username, password: token }, [`repository:${name}:pull,push,delete`])
  const authorization = `Bearer ${body.token}`
  return { name, authorization, registry: clientOfImage(scene, name, scene.as({ authorization })) }
}

const errorOf = ({ status, body }: { status: number; body: { errors: { code: string }[] } }) => [status, body.errors[0]?.code]

test('a repository of ten thousand tags is listed by pages of each client, and counted', async () => {
  const { project, owner, registry, name } = await image()
  await registry.image('t')
  const { repository_id, manifest_id } = await db.selectFrom('container_tags').selectAll().where('name', '=', 't').executeTakeFirstOrThrow()
  const names = Array.from({ length: 9_999 }, (_, index) => `t${String(index).padStart(4, '0')}`)
  const at = new Date()
  await db
    .insertInto('container_tags')
    .values(names.map(name => ({ repository_id, manifest_id, name, created_at: at, updated_at: at })))
    .execute()

  const pages: string[][] = []
  for (let path: string | undefined = 'tags/list'; path !== undefined; ) {
    const { body, headers } = await registry.get(path)
    pages.push(body.tags)
    path = /^<([^>]*)>/.exec(headers.link ?? '')?.[1]
  }
  assert.deepEqual(
    pages.map(page => page.length),
    Array(10).fill(1_000),
  )
  assert.deepEqual(pages.flat(), ['t', ...names])
  const whole = await registry.get('tags/list?n=999999999')
  assert.deepEqual([whole.body.name, whole.body.tags.length, whole.headers.link], [name, 10_000, undefined])

  const [{ id, tags_count }] = (await owner.get(`${project.url}/registry/repositories`, { tags_count: true })).body
  assert.equal(tags_count, 10_000)
  const last = await owner.get(`${project.url}/registry/repositories/${id}/tags`, { per_page: 100, page: 100 })
  assert.deepEqual([last.body.length, last.body.at(-1).name, last.headers['x-total']], [100, 't9998', '10000'])
})

test('tags, and images below a project, have names up to their limits and no longer ones', async () => {
  const { project, owner, registry } = await image()
  const content = await registry.document(Buffer.from('layer'))
  const longest = `v${'1'.repeat(127)}`
  assert.equal((await registry.manifest(longest, content)).status, 201)
  assert.deepEqual((await registry.get('tags/list')).body.tags, [longest])
  for (const wrong of [`${longest}1`, '.a', '-a', 'a%00', 'a%20b', 'ä']) {
    const { status } = await registry.manifest(wrong, content)
    assert.ok(status === 400 || status === 404, `${wrong}: ${status}`)
  }

  const room = 255 - project.full_path.length - 1
  const { registry: long } = await clientOf(`${project.full_path}/${'a'.repeat(room)}`, owner)
  await long.image('latest')
  assert.deepEqual((await long.get('tags/list')).body.tags, ['latest'])
  const { registry: longer } = await clientOf(`${project.full_path}/${'a'.repeat(room + 1)}`, owner)
  const { status } = await longer.post('blobs/uploads/')
  assert.ok(status === 401 || status === 404, String(status))
})

/** Sends the beginning of a body and goes away. */
async function cutOff(method: string, url: string, authorization: string, bytes: Buffer): Promise<void> {
  const { hostname, port, pathname, search } = new URL(url)
  const headers = { authorization, 'content-type': 'application/octet-stream', 'content-length': String(bytes.length * 2) }
  const request = httpRequest({ hostname, port, method, path: pathname + search, headers, agent: false })
  // It is destroyed below, which raises an error on it.
  request.on('error', () => {})
  const before = await unfinished()
  request.write(bytes)
  await eventually(async () => (await unfinished()) > before, 'an unfinished object')
  request.destroy()
  await eventually(async () => (await unfinished()) === before, 'no unfinished object')
}

/** Objects on their way into the store. */
const unfinished = async (): Promise<number> => (await readdir(join(places(scene.deps.config).objects, 'tmp'))).length

test('an upload that is cut off at any step keeps what was answered and nothing else, and goes on from there', async () => {
  const { registry, authorization } = await image()
  const bytes = randomBytes(1_500_000)
  const digest = digestOfBytes(bytes)
  const half = bytes.subarray(0, 750_000)

  await cutOff('POST', registry.at(`blobs/uploads/?digest=${digest}`), authorization, half)
  assert.deepEqual(errorOf(await registry.get(`blobs/${digest}`)), [404, 'BLOB_UNKNOWN'])

  const location = (await registry.post('blobs/uploads/')).headers.location as string
  const rangeNow = async () => (await registry.get(location)).headers.range
  await cutOff('PATCH', registry.at(location), authorization, half)
  assert.equal(await rangeNow(), '0-0')
  assert.equal((await registry.send('PATCH', location, half, { 'content-range': '0-749999' })).status, 202)
  await cutOff('PATCH', registry.at(location), authorization, half)
  await cutOff('PUT', registry.at(`${location}?digest=${digest}`), authorization, half)
  assert.equal(await rangeNow(), '0-749999')

  const rest = bytes.subarray(750_000)
  // Again, with a gap, overlapping, backwards, of another length, and none at all.
  for (const [range, status] of [
    ['0-749999', 416],
    ['750001-1500000', 416],
    ['749999-1499998', 416],
    ['1499999-750000', 416],
    ['750000-1499998', 400],
    ['all of it', 416],
  ] as const) {
    assert.equal((await registry.send('PATCH', location, rest, { 'content-range': range })).status, status, range)
    assert.equal(await rangeNow(), '0-749999', range)
  }
  assert.equal((await registry.send('PUT', `${location}?digest=${digest}`, rest, { 'content-range': '750000-1499999' })).status, 201)
  assert.ok((await registry.get(`blobs/${digest}`)).bytes.equals(bytes))
})

test('two that go on with one upload at the same place: one of them is refused, and the blob is whole', async () => {
  const { registry } = await image()
  const bytes = randomBytes(60_000)
  const location = (await registry.post('blobs/uploads/')).headers.location as string
  const send = () => registry.send('PATCH', location, bytes, { 'content-range': '0-59999' })

  const answers = await Promise.all([send(), send(), send()])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 416, 416])
  const digest = digestOfBytes(bytes)
  assert.equal((await registry.send('PUT', `${location}?digest=${digest}`, Buffer.alloc(0))).status, 201)
  assert.ok((await registry.get(`blobs/${digest}`)).bytes.equals(bytes))
})

test('the time of an image is read from its configuration up to a length that no image needs', async () => {
  const { registry } = await image()
  const content = await registry.document(Buffer.from('layer'))
  const yearOf = async (length: number) => {
    const start = '{"created":"2021-05-01T10:00:00Z","x":"'
    const config = Buffer.from(`${start}${'x'.repeat(length - start.length - 2)}"}`)
    const digest = await registry.blob(config)
    const manifest = { ...content, config: { ...content.config, digest, size: config.length } }
    assert.equal((await registry.manifest(`c${length}`, manifest)).status, 201)
    const { image_created_at } = await db
      .selectFrom('container_manifests')
      .select('image_created_at')
      .where('digest', '=', digestOfBytes(JSON.stringify(manifest)))
      .executeTakeFirstOrThrow()
    return new Date(image_created_at).getUTCFullYear()
  }
  assert.equal(await yearOf(256 * 1024), 2021)
  assert.equal(await yearOf(256 * 1024 + 1), new Date().getUTCFullYear())
})
