/** Objects move between stores, and what the store lost is answered as such. */
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import S3rver from 's3rver'
import { atEnd } from '../../../test/at_end.ts'
import { testFolder } from '../../../test/folder.ts'
import { openScene } from '../../../test/scene.ts'
import { localStore } from '../../platform/object_store/local.ts'
import { recordObject } from '../../platform/object_store/rows.ts'
import { parseS3Address, type S3Address } from '../../platform/object_store/s3/address.ts'
import { s3Store } from '../../platform/object_store/s3/store.ts'
import type { ObjectStore } from '../../platform/object_store/store.ts'
import { formWith, png } from '../../spaces/uploads/scene.ts'
import { copyObjects, deleteCopied } from './move.ts'

const scene = await openScene({ failuresExpected: true })
const folder = await testFolder()
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: join(folder, 's3'),
  configureBuckets: [{ name: 'files' }],
})
const { port } = await server.run()
const bucket = s3Store(parseS3Address(`s3://S3RVER:S3RVER@127.0.0.1:${port}/files?prefix=moved&tls=false`) as S3Address)
const silent = s3Store(parseS3Address('s3://key:secret@127.0.0.1:1/files?tls=false') as S3Address)
atEnd(async () => {
  await bucket.close()
  await silent.close()
  await server.close()
})

/** Rows of objects with their bytes in the store, the only ones of the database. */
async function filled(store: ObjectStore, texts: readonly string[]) {
  const { db } = scene.deps.database
  const stored = await Promise.all(texts.map(text => store.put(Readable.from([Buffer.from(text)]))))
  const ids: number[] = []
  for (const each of stored) ids.push(await recordObject(db, each))
  return { stored, forget: () => db.deleteFrom('stored_objects').where('id', 'in', ids).execute() }
}

const textIn = async (store: ObjectStore, key: string) => (await buffer(await store.read(key))).toString()

test('objects move from a folder into a bucket, and an interrupted move goes on', async () => {
  const from = localStore(join(folder, 'from'))
  const { stored, forget } = await filled(from, ['one', 'two', 'three'])
  const keys = stored.map(({ key }) => key)
  const { database } = scene.deps
  await bucket.put(await from.read(keys[1] as string), {}, keys[1])

  const first = await copyObjects({ database, from, to: bucket })
  const second = await copyObjects({ database, from, to: bucket })
  const deleted = await deleteCopied({ database, from, to: bucket })

  assert.deepEqual(first, { copied: 2, bytes: 8, present: 1, missing: [], damaged: [] })
  assert.deepEqual([second.copied, second.present], [0, 3])
  assert.deepEqual(await Promise.all(keys.map(key => textIn(bucket, key))), ['one', 'two', 'three'])
  assert.deepEqual([deleted, await Promise.all(keys.map(key => from.sizeOf(key)))], [3, [undefined, undefined, undefined]])
  await forget()
})

test('a move names what no store has and what is damaged, copies the rest, and deletes only what was copied', async () => {
  const from = localStore(join(folder, 'damaged'))
  const { stored, forget } = await filled(from, ['kept', 'lost', 'hurt'])
  const [kept, lost, hurt] = stored.map(({ key }) => key) as [string, string, string]
  await rm(join(folder, 'damaged', lost))
  await writeFile(join(folder, 'damaged', hurt), 'HURT')
  const { database } = scene.deps

  const moved = await copyObjects({ database, from, to: bucket })
  const deleted = await deleteCopied({ database, from, to: bucket })

  assert.deepEqual(moved, { copied: 1, bytes: 4, present: 0, missing: [lost], damaged: [hurt] })
  assert.equal(await bucket.sizeOf(hurt), undefined)
  assert.deepEqual([deleted, await from.sizeOf(kept), await from.sizeOf(hurt)], [1, undefined, 4])
  await forget()
})

test('a move ends with the first failure of a store', async () => {
  const from = localStore(join(folder, 'unsent'))
  const { forget } = await filled(from, ['unsent'])
  await assert.rejects(() => copyObjects({ database: scene.deps.database, from, to: silent }), { name: 'ObjectStoreUnavailable' })
  await forget()
})

test('a file that the store has lost is a 404 that says so, and a store that does not answer a 503', async () => {
  const { project, owner } = await scene.project()
  await owner.put(project.url, formWith('avatar', 'a.png', png(8)))
  const { objects } = scene.deps
  const { key } = await scene.deps.database.db
    .selectFrom('avatars')
    .innerJoin('stored_objects', 'stored_objects.id', 'avatars.object_id')
    .select('key')
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()
  await objects.delete([key])

  const lost = await owner.get(`${project.url}/avatar`)
  const read = objects.read
  objects.read = (...range) => silent.read(...range)
  const unanswered = await owner.get(`${project.url}/avatar`).finally(() => {
    objects.read = read
  })

  assert.deepEqual(lost, { status: 404, body: { message: '404 File Not Found - the object store does not have this file any more' } })
  assert.deepEqual(unanswered, { status: 503, body: { message: '503 Service Unavailable - the object store does not answer' } })
})
