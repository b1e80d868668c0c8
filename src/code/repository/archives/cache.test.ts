import assert from 'node:assert/strict'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { testFolder } from '../../../../test/folder.ts'
import { mountDisk } from '../../../../test/small_disk.ts'
import { ArchiveCache, type Found } from './cache.ts'

const now = () => new Date()

async function textOf(found: Found): Promise<string> {
  return (await buffer('bytes' in found ? found.bytes : found.whole.createReadStream())).toString()
}

/** Produces the pieces on demand, and counts how often it was started. */
function maker(pieces: readonly string[]) {
  const gate = Promise.withResolvers<void>()
  const made = { begun: 0, isGivenUp: false, go: gate.resolve }
  async function* make(signal: AbortSignal) {
    made.begun += 1
    signal.addEventListener('abort', () => {
      made.isGivenUp = true
      gate.reject(new Error('given up'))
    })
    for (const [index, piece] of pieces.entries()) {
      if (index === 1) await gate.promise
      yield Buffer.from(piece)
    }
  }
  return Object.assign(made, { make })
}

test('an archive is created once for concurrent and later requests', async () => {
  const directory = join(await testFolder(), 'archives')
  const cache = new ArchiveCache(directory, 1_000, now)
  const work = maker(['begin ', 'end'])

  const [one, other] = await Promise.all([cache.get('a', work.make), cache.get('a', work.make)])
  const texts = Promise.all([one, other].map(textOf))
  work.go()
  assert.deepEqual(await texts, ['begin end', 'begin end'])
  assert.ok('work' in one)
  await one.work
  const later = await cache.get('a', work.make)

  assert.deepEqual(['whole' in later, await textOf(later), work.begun], [true, 'begin end', 1])
})

test('an archive without waiting clients is cancelled and leaves nothing', async () => {
  const directory = join(await testFolder(), 'archives')
  const cache = new ArchiveCache(directory, 1_000, now)
  const work = maker(['begin ', 'end'])
  const [one, other] = await Promise.all([cache.get('a', work.make), cache.get('a', work.make)])
  assert.ok('bytes' in one && 'bytes' in other)

  await one.bytes[Symbol.asyncIterator]().return?.()
  assert.equal(work.isGivenUp, false)
  await other.bytes[Symbol.asyncIterator]().return?.()

  assert.equal(work.isGivenUp, true)
  await assert.rejects(one.work)
  await eventually(async () => (await readdir(directory)).length === 0, 'the empty directory')
})

test('a request that comes while an archive is being cancelled gets one of its own', async () => {
  const cache = new ArchiveCache(join(await testFolder(), 'archives'), 1_000, now)
  const isStopped = Promise.withResolvers<void>()
  // Git takes a while to end.
  async function* slow(signal: AbortSignal) {
    yield Buffer.from('begin ')
    await isStopped.promise
    signal.throwIfAborted()
  }
  const left = await cache.get('a', slow)
  assert.ok('bytes' in left)
  await left.bytes[Symbol.asyncIterator]().return?.()
  const work = maker(['begin ', 'end'])

  const next = await cache.get('a', work.make)
  isStopped.resolve()
  await assert.rejects(left.work)
  const joined = await cache.get('a', work.make)
  work.go()

  assert.deepEqual(await Promise.all([next, joined].map(textOf)), ['begin end', 'begin end'])
  assert.equal(work.begun, 1)
})

test('a failure is reported to the waiting clients, and the next request tries again', async () => {
  const cache = new ArchiveCache(join(await testFolder(), 'archives'), 1_000, now)
  // biome-ignore lint/correctness/useYield: it fails before it has anything
  async function* fail(): AsyncGenerator<Buffer> {
    throw new Error('no such commit')
  }

  await assert.rejects(cache.get('a', fail), /no such commit/)
  const work = maker(['whole'])

  assert.equal(await textOf(await cache.get('a', work.make)), 'whole')
})

test('the cache evicts the least recently used and the expired archives, and keeps none that are too large', async () => {
  const directory = join(await testFolder(), 'archives')
  const cache = new ArchiveCache(directory, 10, now)
  const make = async (name: string, text: string) => {
    const found = await cache.get(name, maker([text]).make)
    await textOf(found)
    if ('work' in found) await found.work
  }
  await make('a', '12345')
  await writeFile(join(directory, 'old'), 'old')
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
  await utimes(join(directory, 'old'), yesterday, yesterday)
  const [kept] = (await readdir(directory)).filter(name => name !== 'old')
  const earlier = new Date(Date.now() - 60_000)
  await utimes(join(directory, kept as string), earlier, earlier)

  await make('b', '123456')
  await make('c', '12345678901')

  await eventually(async () => (await readdir(directory)).length === 1, 'one file')
  const counted = maker(['123456'])
  assert.equal(await textOf(await cache.get('b', counted.make)), '123456')
  assert.equal(counted.begun, 0)
})

test('an archive for which the disk has no room fails, and what there was room for is not kept', async t => {
  const directory = join(await testFolder(), 'archives')
  await mkdir(directory)
  if (!(await mountDisk(directory, 'size=16k'))) return t.skip('a file system cannot be mounted here')
  const cache = new ArchiveCache(directory, 1_000_000, now)
  const work = maker(['x'.repeat(12_000), 'y'.repeat(12_000)])
  work.go()

  const found = await cache.get('a', work.make)

  await assert.rejects(textOf(found), { code: 'ENOSPC' })
  await eventually(async () => (await readdir(directory)).length === 0, 'the file to go')
})
