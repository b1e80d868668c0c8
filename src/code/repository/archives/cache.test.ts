import assert from 'node:assert/strict'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { testFolder } from '../../../../test/folder.ts'
import { mountDisk } from '../../../../test/small_disk.ts'
import { workFor } from '../../../platform/kernel/request/bounds/holder.ts'
import { ArchiveCache, type Found } from './cache.ts'

const now = () => new Date()

async function textOf(found: Found): Promise<string> {
  return (await buffer('bytes' in found ? found.bytes : found.whole.createReadStream())).toString()
}

/** The work of git for those who share an archive: one of them began it, which one is not said. */
async function workOf(...all: readonly Found[]): Promise<void> {
  const works = all.flatMap(found => ('work' in found ? [found.work] : []))
  assert.equal(works.length, 1)
  await works[0]
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
  await workOf(one, other)
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
  await assert.rejects(workOf(one, other))
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
  await assert.rejects(workOf(left))
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

/** Bytes of an archive that is larger than what is kept, in pieces that fit no boundary. */
const large = Buffer.from(Array.from({ length: 10_000 }, (_, at) => at % 251))

/** Produces them as fast as they are taken. */
function fast() {
  const made = { bytes: 0, isGivenUp: false }
  async function* make(signal: AbortSignal) {
    signal.addEventListener('abort', () => {
      made.isGivenUp = true
    })
    for (let at = 0; at < large.length; at += 70) {
      made.bytes = at
      yield large.subarray(at, at + 70)
    }
  }
  return Object.assign(made, { make })
}

const sizesIn = async (directory: string) =>
  Promise.all((await readdir(directory)).map(async name => (await stat(join(directory, name))).size))

async function bytesOf(found: Found): Promise<AsyncIterator<Buffer>> {
  assert.ok('bytes' in found)
  return found.bytes[Symbol.asyncIterator]()
}

/** Reads so many pieces; all, unless a number is given. */
async function read(bytes: AsyncIterator<Buffer>, pieces = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const taken: Buffer[] = []
  while (taken.length < pieces) {
    const { done, value } = await bytes.next()
    if (done) break
    taken.push(value)
  }
  return Buffer.concat(taken)
}

test('an archive above the limit takes no more than that of the disk, and its slow readers get all of it', async () => {
  const directory = join(await testFolder(), 'archives')
  const cache = new ArchiveCache(directory, 1_000, now, 100)
  const git = fast()
  const followed = { begun: 0, ended: 0 }
  const follows = async () => {
    followed.begun += 1
    return () => {
      followed.ended += 1
    }
  }
  const found = await cache.get('a', git.make, { follows })
  const [one, other] = await Promise.all([bytesOf(found), bytesOf(await cache.get('a', git.make))])

  // Git runs ahead up to the limit; the slot of its work is free then, and it follows the readers.
  assert.ok('work' in found)
  await found.work
  assert.deepEqual([await sizesIn(directory), followed], [[1_000], { begun: 1, ended: 0 }])
  assert.ok(git.bytes <= 1_000)

  // The fast one is no further ahead of the slow one than the file is large.
  const [first, begin] = [await read(one, 1), await read(other, 1)]
  const rest = Promise.all([read(one), read(other)])
  assert.ok((await sizesIn(directory)).every(size => size <= 1_000))
  const [end, others] = await rest

  assert.ok(Buffer.concat([first, end]).equals(large) && Buffer.concat([begin, others]).equals(large))
  await eventually(async () => (await readdir(directory)).length === 0, 'the file to go')
  assert.deepEqual(followed, { begun: 1, ended: 1 })
})

test('a reader that leaves does not hold up another one, and the last one that leaves ends a production that waits', async () => {
  const cache = new ArchiveCache(join(await testFolder(), 'archives'), 1_000, now, 100)
  const git = fast()
  const found = await cache.get('a', git.make)
  const [one, other, third] = await Promise.all([
    bytesOf(found),
    ...[1, 2].map(async () => bytesOf(await cache.get('a', git.make))),
  ] as const)
  assert.ok('work' in found)
  await found.work

  const all = read(one as AsyncIterator<Buffer>)
  await other?.return?.()
  await third?.return?.()
  assert.ok((await all).equals(large))

  const again = fast()
  const left = await cache.get('a', again.make)
  assert.ok('work' in left)
  await left.work
  await (await bytesOf(left)).return?.()
  assert.equal(again.isGivenUp, true)
})

test('a production that may not follow its readers fails them', async () => {
  const cache = new ArchiveCache(join(await testFolder(), 'archives'), 1_000, now, 100)
  const follows = async () => {
    throw new Error('no slot')
  }

  const found = await cache.get('a', fast().make, { follows })

  await assert.rejects(textOf(found), /no slot/)
})

test('archives that are read slowly take a bounded room together, one caller has a third of it, and those without an account half', async () => {
  const directory = join(await testFolder(), 'archives')
  // 2 times 1 000 while they grow, and 64 times 100: 8 400.
  const cache = new ArchiveCache(directory, 1_000, now, 100)
  const opened: AsyncIterator<Buffer>[] = []
  const get = async (holder: string) =>
    workFor(holder, async () => {
      const found = await cache.get(String(opened.length), fast().make)
      if ('work' in found) await found.work
      opened.push(await bytesOf(found))
    })
  const fill = async (holder: string) => {
    for (let count = 0; ; count += 1) {
      const error = await get(holder).catch(refusal => refusal)
      if (error) return { count, status: error.status, wait: error.headers['retry-after'] }
    }
  }

  // Two of 1 000 and then windows, as files no longer grow.
  assert.deepEqual(await fill('user:1'), { count: 2 + 8, status: 429, wait: '5' })
  assert.deepEqual((await sizesIn(directory)).sort((left, right) => right - left).slice(0, 3), [1_000, 1_000, 100])
  assert.deepEqual(await fill('ip:1'), { count: 28, status: 429, wait: '5' })
  assert.deepEqual(await fill('ip:2'), { count: 14, status: 503, wait: '5' })
  assert.deepEqual(await fill('user:2'), { count: 14, status: 503, wait: '5' })

  // What readers leave is free again.
  await Promise.all(opened.splice(0).map(bytes => bytes.return?.()))
  await eventually(async () => (await readdir(directory)).length === 0, 'the files to go')
  await get('user:2')
  await opened[0]?.return?.()
})

test('a file that is read takes its room, also after the cache has evicted it', async () => {
  const directory = join(await testFolder(), 'archives')
  const cache = new ArchiveCache(directory, 100, now, 1)
  const take = async (name: string) => workFor(`user:${name}`, () => cache.get(name, maker(['x'.repeat(90)]).make))
  for (const name of ['a', 'b', 'c']) {
    await textOf(await take(name))
    await eventually(async () => (await readdir(directory)).length === 1, 'the earlier ones to go')
    assert.ok('whole' in (await take(name)))
  }

  // 270 bytes are open, of 2 times 100 and 64.
  await assert.rejects(take('d'), { status: 503 })
})
