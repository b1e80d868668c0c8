/** What a group keeps of the registry behind its dependency proxy has a bound. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openScene } from '../../../../test/scene.ts'
import { digestOfBytes, manifestType, tokenFor } from '../distribution/scene.ts'
import { keepManifest } from './cache.ts'

const blobs = new Map<string, Buffer>()

/** The registry behind, which asks for no token. */
const server = createServer(({ url = '' }, response) => {
  const found = blobs.get(url.split('/').at(-1) ?? '')
  response.writeHead(found ? 200 : 404, { 'content-length': found?.length ?? 0 }).end(found)
})
server.listen(0, '127.0.0.1')
await new Promise(done => server.once('listening', done))
atEnd(async () => {
  server.close()
  server.closeAllConnections()
})

const { port } = server.address() as AddressInfo
const scene = await openScene({ settings: { dependencyProxyUrl: `http://127.0.0.1:${port}`, dependencyProxySize: '1' } })
const { db } = scene.deps.database
const YESTERDAY = '2020-01-02'

const bytesOf = (letter: string, size: number): string => {
  const bytes = Buffer.from(letter.repeat(size))
  const digest = digestOfBytes(bytes)
  blobs.set(digest, bytes)
  return digest
}

test('what was not pulled for longest makes room, and what is larger than the room is not kept', async () => {
  const [small, a, b, c, d] = [100, ...Array(4).fill(400 * 1024)].map((size, at) => bytesOf(`${at}`, size)) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const large = bytesOf('l', 1024 * 1024 + 1)
  const place = async () => {
    const { group, owner } = await scene.group()
    const name = `${group.full_path}/dependency_proxy/containers/library/room`
    const login = { username: owner.username, password: owner.token }
    const { body } = await tokenFor(scene, login, [`repository:${name}:pull`])
    const client = scene.as({ authorization: `Bearer ${body.token}` })
    const id = Number(group.id)
    const kept = async () => {
      const rows = await db.selectFrom('dependency_proxy_blobs').select('digest').where('namespace_id', '=', id).orderBy('id').execute()
      return rows.map(({ digest }) => digest)
    }
    const pull = async (digest: string) => {
      const { bytes } = await client.get(`${scene.url}/v2/${name}/blobs/${digest}`)
      assert.equal(digestOfBytes(bytes), digest)
      if (digest !== large) await eventually(async () => (await kept()).includes(digest), 'it to be kept')
    }
    const age = (...digests: string[]) =>
      db
        .updateTable('dependency_proxy_blobs')
        .set({ read_on: YESTERDAY })
        .where('namespace_id', '=', id)
        .where('digest', 'in', digests)
        .execute()
    return { id, kept, pull, age }
  }
  const [one, other] = [await place(), await place()]
  await other.pull(a)
  for (const digest of [a, b]) await one.pull(digest)
  await one.age(b)
  await one.pull(c)
  assert.deepEqual(await one.kept(), [a, c])
  await one.age(a, c)
  await one.pull(a)
  await one.pull(d)
  assert.deepEqual(await one.kept(), [a, d])
  assert.equal(
    (
      await db
        .selectFrom('stored_objects')
        .select('id')
        .where('size', '>', 1024 * 1024)
        .execute()
    ).length,
    0,
  )
  await one.pull(large)
  await one.pull(small)
  assert.deepEqual(await one.kept(), [a, d, small])
  // Manifests count too.
  await one.age(a)
  const payload = Buffer.alloc(500 * 1024, 'm')
  await keepManifest(
    scene.deps,
    one.id,
    { image: 'library/room', reference: 'v1' },
    { digest: digestOfBytes(payload), media_type: manifestType, payload },
  )
  assert.deepEqual(await one.kept(), [d, small])
  assert.deepEqual(await other.kept(), [a], 'the room of another group is its own')
})
