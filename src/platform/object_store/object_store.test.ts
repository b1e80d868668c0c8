/** The object store: the same rules for a folder and for a bucket of an S3 server. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import pino from 'pino'
import S3rver from 's3rver'
import { atEnd } from '../../../test/at_end.ts'
import { openScene } from '../../../test/scene.ts'
import { localStore } from './local.ts'
import { ObjectMismatch } from './measured.ts'
import { recordObject } from './rows.ts'
import { parseS3Address, type S3Address } from './s3/address.ts'
import { s3Store } from './s3/store.ts'
import { isKey, newKey, ObjectMissing, type ObjectStore, ObjectStoreUnfit } from './store.ts'
import { dropUnusedObjects, sweepObjects } from './unused.ts'

const scene = await openScene()
const directory = await mkdtemp(join(tmpdir(), 'ingot-objects-'))
const root = join(directory, 'local')
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: join(directory, 's3'),
  configureBuckets: [{ name: 'files' }],
})
const { port } = await server.run()
const address = parseS3Address(`s3://S3RVER:S3RVER@127.0.0.1:${port}/files?prefix=ingot&tls=false`) as S3Address
const bucket = new S3Client({
  endpoint: address.endpoint,
  region: 'us-east-1',
  forcePathStyle: true,
  credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  requestChecksumCalculation: 'WHEN_REQUIRED',
})
const stores: Readonly<Record<string, ObjectStore>> = { 'a folder': localStore(root), 'a bucket': s3Store(address) }
atEnd(async () => {
  for (const store of Object.values(stores)) await store.close()
  bucket.destroy()
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const keysOf = async (store: ObjectStore) => {
  const keys: string[] = []
  for await (const { key } of store.list()) keys.push(key)
  return keys
}
const content = async (store: ObjectStore, key: string, range?: { start: number; end: number }) => buffer(await store.read(key, range))

/** Pieces of some size, as they come from a connection. */
const inPieces = (bytes: Buffer, size = 65_536) =>
  Readable.from(Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size)))

for (const [name, store] of Object.entries(stores))
  describe(`an object store in ${name}`, () => {
    test('gives back what was put, measured, whole and in parts', async () => {
      const bytes = randomBytes(300_000)
      const stored = await store.put(inPieces(bytes))
      assert.deepEqual({ ...stored, key: isKey(stored.key) }, { key: true, size: bytes.length, sha256: sha256Of(bytes) })
      assert.ok((await content(store, stored.key)).equals(bytes))
      assert.ok((await content(store, stored.key, { start: 10, end: 99_999 })).equals(bytes.subarray(10, 100_000)))
      assert.ok((await keysOf(store)).includes(stored.key))
    })

    test('keeps an empty object', async () => {
      const { key, size } = await store.put(Readable.from([]))
      assert.deepEqual([size, (await content(store, key)).length], [0, 0])
    })

    test('keeps an object of several parts', async () => {
      const bytes = randomBytes(20 * 1024 * 1024)
      const { key, size, sha256 } = await store.put(inPieces(bytes), { size: bytes.length, sha256: sha256Of(bytes) })
      assert.deepEqual([size, sha256], [bytes.length, sha256Of(bytes)])
      assert.equal(sha256Of(await content(store, key)), sha256)
    })

    test('leaves nothing of bytes that are not those announced', async () => {
      const bytes = randomBytes(100_000)
      const before = await keysOf(store)
      const wrong = [
        [{ size: bytes.length - 1 }, 'size'],
        [{ size: bytes.length + 1 }, 'size'],
        [{ limit: bytes.length - 1 }, 'limit'],
        [{ sha256: sha256Of(Buffer.from('other')) }, 'sha256'],
      ] as const
      for (const [expected, what] of wrong)
        await assert.rejects(
          () => store.put(inPieces(bytes), expected),
          (error: unknown) => error instanceof ObjectMismatch && error.what === what,
        )
      const gone = (await keysOf(store)).filter(key => !before.includes(key))
      assert.deepEqual(gone, [])
    })

    test('refuses what fails before it is read, and what has failed already', async () => {
      const before = await keysOf(store)
      const [failing, failed] = [new PassThrough(), new PassThrough()]
      failed.on('error', () => {}).destroy(new Error('the body is no form'))

      const putting = store.put(failing)
      failing.destroy(new Error('the client has gone'))

      await assert.rejects(putting, /the client has gone/)
      await assert.rejects(() => store.put(failed), /the body is no form/)
      assert.deepEqual(await keysOf(store), before)
    })

    test('shows nothing before all bytes are there, and leaves nothing when they break off', async () => {
      const before = await keysOf(store)
      const source = new PassThrough()
      const putting = store.put(source)
      // More than a part of an upload, so that some of it has been sent.
      for (let sent = 0; sent < 12; sent++)
        if (!source.write(randomBytes(1024 * 1024))) await new Promise(resolve => source.once('drain', resolve))
      assert.deepEqual(await keysOf(store), before)
      source.destroy(new Error('the client has gone'))
      await assert.rejects(putting, /the client has gone/)
      assert.deepEqual(await keysOf(store), before)
    })

    test('forgets what is deleted, also when it is deleted again', async () => {
      const { key } = await store.put(Readable.from([Buffer.from('x')]))
      await store.delete([key])
      await store.delete([key, newKey()])
      await assert.rejects(() => store.read(key), ObjectMissing)
      assert.ok(!(await keysOf(store)).includes(key))
    })

    test('drops what no row names any more, and keeps what one names', async () => {
      const { database, now, log } = scene.deps
      const user = await scene.user()
      const [kept, unnamed, recent] = await Promise.all([1, 2, 3].map(async number => store.put(Readable.from([Buffer.from([number])]))))
      const id = await recordObject(database.db, kept!)
      await database.db
        .insertInto('avatars')
        .values({ user_id: user.id, object_id: id, filename: 'a.png', media_type: 'image/png' })
        .execute()
      await recordObject(database.db, unnamed!)
      const old = new Date(now().getTime() - 3_600_000)
      const both = [kept!.key, unnamed!.key]
      await database.db.updateTable('stored_objects').set({ created_at: old }).where('key', 'in', both).execute()
      await recordObject(database.db, recent!)

      await dropUnusedObjects({ database, objects: store, log, now })

      const rows = await database.db.selectFrom('stored_objects').select('key').execute()
      const named = new Set(rows.map(row => row.key))
      const left = new Set(await keysOf(store))
      for (const [{ key }, expected] of [
        [kept!, true],
        [unnamed!, false],
        [recent!, true],
      ] as const)
        assert.deepEqual([named.has(key), left.has(key)], [expected, expected])
      await database.db.deleteFrom('avatars').where('user_id', '=', user.id).execute()
      await database.db.deleteFrom('stored_objects').where('key', 'in', [kept!.key, recent!.key]).execute()
    })

    test('sweeps bytes that got no row within a day, and nothing else', async () => {
      const { database } = scene.deps
      const others = (await keysOf(store)).length
      const [unnamed, named, ...more] = await Promise.all(
        Array.from({ length: others + 3 }, (_, number) => store.put(Readable.from([Buffer.from([number])]))),
      )
      const rows = [named!, ...more]
      for (const stored of rows) await recordObject(database.db, stored)
      const sweep = (now: Date, log = scene.deps.log) => sweepObjects({ database, objects: store, log, now: () => now })

      await sweep(new Date(Date.now() + 23 * 3_600_000))
      assert.ok((await keysOf(store)).includes(unnamed!.key))
      await sweep(new Date(Date.now() + 25 * 3_600_000))

      const left = await keysOf(store)
      assert.deepEqual([left.includes(named!.key), left.includes(unnamed!.key)], [true, false])

      // As with the database of another instance.
      await database.db
        .deleteFrom('stored_objects')
        .where(
          'key',
          'in',
          rows.map(({ key }) => key),
        )
        .execute()
      await sweep(new Date(Date.now() + 25 * 3_600_000), pino({ level: 'silent' }))
      assert.deepEqual(await keysOf(store), left)
      for (const stored of rows) await recordObject(database.db, stored)
    })
  })

test('a folder is swept of what a crash left half-written, when it is old', async () => {
  const folder = join(directory, 'crashed')
  const store = localStore(folder)
  await mkdir(join(folder, 'tmp'), { recursive: true })
  for (const name of ['old', 'new']) await writeFile(join(folder, 'tmp', name), 'half')
  await utimes(join(folder, 'tmp', 'old'), 1_000, 1_000)
  await store.removeUnfinished(new Date(2_000_000))
  assert.deepEqual(await readdir(join(folder, 'tmp')), ['new'])
})

test('a bucket’s objects that are not Ingot’s are left alone', async () => {
  const at = { Bucket: 'files', Key: 'ingot/notes.txt' }
  await bucket.send(new PutObjectCommand({ ...at, Body: 'mine' }))
  await sweepObjects({ ...scene.deps, objects: stores['a bucket'] as ObjectStore, now: () => new Date(Date.now() + 25 * 3_600_000) })
  const { Contents = [] } = await bucket.send(new ListObjectsV2Command({ Bucket: 'files', Prefix: at.Key }))
  assert.equal(Contents.length, 1)
  await bucket.send(new DeleteObjectCommand(at))
})

test('a store that cannot be used says so at the start', async () => {
  await stores['a folder']?.check()
  await stores['a bucket']?.check()
  const absent = s3Store({ ...address, bucket: 'absent' })
  const silent = s3Store({ ...address, endpoint: 'http://127.0.0.1:1' })
  const blocked = join(directory, 'blocked')
  await writeFile(blocked, '')
  await chmod(blocked, 0o600)
  for (const store of [absent, silent, localStore(join(blocked, 'below'))]) {
    await assert.rejects(() => store.check(), ObjectStoreUnfit)
    await store.close()
  }
})
