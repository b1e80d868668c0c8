/** Uploads of images and packages for which the disk has no room. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { mountDisk } from '../../../../test/small_disk.ts'
import { places } from '../../../platform/config.ts'
import { digestOfBytes, imageClient } from './scene.ts'

// The log says what the disk does not take.
const scene = await openScene({ failuresExpected: true })

test('where the disk is full an upload is 507, whole or in part, and leaves nothing; it stays where it was', async t => {
  const { project, owner } = await scene.project()
  const registry = await imageClient(scene, project.full_path, { username: owner.username, password: owner.token })
  // The folder of objects that are on their way exists from the first one on.
  await registry.blob(randomBytes(10))
  const location = (await registry.post('blobs/uploads/')).headers.location as string
  const folder = join(places(scene.deps.config).objects, 'tmp')
  if (!(await mountDisk(folder, 'size=64k'))) return t.skip('a file system cannot be mounted here')
  const bytes = randomBytes(300_000)
  const digest = digestOfBytes(bytes)

  const answers = [
    await registry.send('PATCH', location, bytes),
    await registry.send('PUT', `${location}?digest=${digest}`, bytes),
    await registry.send('POST', `blobs/uploads/?digest=${digest}`, bytes),
    await owner.request('PUT', `${project.url}/packages/generic/tool/1.0/a.bin`, { body: bytes }),
  ]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [507, 507, 507, 507],
  )
  assert.deepEqual(
    answers.map(({ body }) => body.errors?.[0].code ?? body.message),
    ['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE', '507 Insufficient Storage - the disk of the server is full'],
  )
  assert.deepEqual(await readdir(folder), [])
  assert.equal((await registry.get(location)).headers.range, '0-0')
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
  assert.equal((await owner.get(project.url, { statistics: true })).body.statistics.packages_size, 0)
})
