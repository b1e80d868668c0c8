import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { git, importCommits, openScene } from '../scene.ts'
import { addPack, streamPack } from './packed_copy.ts'

test('a pack is taken whose source has no end yet when git has read the last byte of it', async () => {
  await using scene = await openScene()
  const [from, to] = [await scene.repository(), await scene.repository()]
  const id = importCommits(from, 'main', [{ files: { a: 'one' } }])
  async function* endingLate() {
    yield* streamPack(from, [id])
    await delay(500)
  }

  await addPack(to, endingLate())

  assert.equal(git(to, ['cat-file', '-t', id]), 'commit')
})

test('the failure of a source is thrown, and a pack that is cut off is refused', async () => {
  await using scene = await openScene()
  const [from, to] = [await scene.repository(), await scene.repository()]
  const id = importCommits(from, 'main', [{ files: { a: 'one' } }])
  const pack = await buffer(streamPack(from, [id]))
  async function* failing() {
    yield pack.subarray(0, 20)
    throw new Error('the disk is gone')
  }
  async function* short() {
    yield pack.subarray(0, pack.length - 5)
  }

  await assert.rejects(addPack(to, failing()), /the disk is gone/)
  await assert.rejects(addPack(to, short()), { name: 'GitProcessError' })
})
