/** One object of a bucket as a stream: larger than a part, given up, and in a bucket that is not there. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import S3rver from 's3rver'
import { atEnd } from '../../../../test/at_end.ts'
import { ObjectStoreUnavailable } from '../store.ts'
import { parseS3Object, type S3Object } from './address.ts'
import { openS3Object } from './object.ts'

const directory = await mkdtemp(join(tmpdir(), 'ingot-objects-'))
const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets: [{ name: 'files' }] })
const { port } = await server.run()
atEnd(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

function open(path: string) {
  const object = openS3Object(parseS3Object(`s3://S3RVER:S3RVER@127.0.0.1:${port}/${path}?tls=false`) as S3Object)
  atEnd(async () => object.close())
  return object
}

test('an object of more than two parts comes back as it was', async () => {
  const object = open('files/large%20one')
  const bytes = randomBytes(70 * 1024 * 1024)
  assert.equal(await object.sizeOf(), undefined)
  assert.equal(await object.read(), undefined)

  const upload = object.write()
  await pipeline(Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]), upload.target)
  await upload.finish()

  assert.equal(await object.sizeOf(), bytes.length)
  assert.ok((await buffer((await object.read()) as Readable)).equals(bytes))
})

test('of an upload that is given up, or whose source fails, nothing is there', async () => {
  const object = open('files/given_up')
  const given = object.write()
  given.target.write(Buffer.alloc(40 * 1024 * 1024))
  await given.abort()
  const failing = object.write()
  const source = async function* () {
    yield Buffer.alloc(40 * 1024 * 1024)
    throw new Error('the disk is gone')
  }
  await assert.rejects(pipeline(Readable.from(source()), failing.target), /the disk is gone/)
  await assert.rejects(failing.finish(), ObjectStoreUnavailable)
  assert.equal(await object.sizeOf(), undefined)
})

test('a bucket that is not there is named, and who writes to it learns that', async () => {
  const object = open('none/one')
  await assert.rejects(object.sizeOf(), /the bucket none at http:\/\/127\.0\.0\.1:\d+ cannot be used/)
  const upload = object.write()
  await assert.rejects(pipeline(Readable.from([Buffer.alloc(8)]), upload.target).then(upload.finish), ObjectStoreUnavailable)
})

test('addresses of objects are read with all that those of buckets may have but a prefix', () => {
  const { key, bucket, region, credentials } = parseS3Object('s3://s3.example.com/files/a/b%2Bc.backup?region=eu-central-1') as S3Object
  assert.deepEqual([key, bucket, region, credentials], ['a/b+c.backup', 'files', 'eu-central-1', undefined])
  for (const wrong of [
    's3://host/files',
    's3://host/files/',
    's3://host/files/a/',
    's3://host/files/a?prefix=b',
    'https://host/files/a',
    's3:///files/a',
  ])
    assert.equal(parseS3Object(wrong), undefined, wrong)
})
