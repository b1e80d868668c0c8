/** The same object, brought by two requests. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene } from '../../../test/scene.ts'
import { storedBytes } from '../../../test/stored_bytes.ts'
import { places } from '../../platform/config.ts'

const scene = await openScene()

test('bytes that another request has brought meanwhile are not kept twice', async () => {
  const { project, owner } = await scene.project()
  const bytes = randomBytes(50_000)
  const url = `${scene.url}/${project.full_path}.git/gitlab-lfs/objects/${createHash('sha256').update(bytes).digest('hex')}/${bytes.length}`
  const authorization = `Basic ${Buffer.from(`${owner.username}:${owner.token}`).toString('base64')}`
  const begin = () => {
    const rest = Promise.withResolvers<void>()
    async function* halves() {
      yield bytes.subarray(0, 25_000)
      await rest.promise
      yield bytes.subarray(25_000)
    }
    const body = Readable.toWeb(Readable.from(halves())) as ReadableStream
    const headers = { authorization, 'content-type': 'application/octet-stream' }
    const answered = fetch(url, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit)
    return async () => {
      rest.resolve()
      return (await answered).status
    }
  }
  const before = await storedBytes(scene.deps.config)
  const [first, second] = [begin(), begin()]
  const unfinished = () => readdir(join(places(scene.deps.config).objects, 'tmp')).catch(() => [])
  await eventually(async () => (await unfinished()).length === 2, 'two unfinished objects')

  assert.deepEqual([await first(), await second()], [200, 200])
  assert.equal((await storedBytes(scene.deps.config)) - before, bytes.length)
})
