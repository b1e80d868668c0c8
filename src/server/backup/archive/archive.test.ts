import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { testFolder } from '../../../../test/folder.ts'
import { Secret } from '../../../platform/secret.ts'
import { nothing } from '../scene.ts'
import { layoutOf } from './contents.ts'
import { FORMAT } from './format.ts'
import { type ArchivePlace, archiveInFile } from './places.ts'
import { ArchiveReader } from './reader.ts'
import { ArchiveWriter } from './writer.ts'

const folder = await testFolder()
const passphrase = new Secret('correct horse battery')

test('an archive is read entry by entry, and each is checked', async () => {
  const path = join(folder, 'small.backup')
  const writer = await ArchiveWriter.open(archiveInFile(path), passphrase)
  await writer.add('manifest.json', JSON.stringify({ format: FORMAT }))
  await writer.addParts('rows/a', Readable.from([Buffer.alloc(5_000_000, 1), Buffer.alloc(5_000_000, 2)]))
  await writer.finish({ missing_objects: [], damaged_repositories: [] }, nothing)
  const { entries } = (await layoutOf(archiveInFile(path)))!
  const reader = new ArchiveReader(await archiveInFile(path).read({ start: 0, end: entries - 1 }), passphrase)

  await reader.manifest()
  const bytes = await buffer(reader.parts('rows/a'))

  assert.deepEqual([bytes.length, bytes[0], bytes.at(-1)], [10_000_000, 1, 2])
  assert.equal(await reader.take(), undefined)
  assert.equal(reader.end.entries, 3)
})

test('a disk that is full while the bytes of a file are waited for fails the archive by its own reason', async () => {
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  const failed = Promise.withResolvers<void>()
  const target = new Writable({
    write(_chunk, _encoding, done) {
      done(full)
      setImmediate(failed.resolve)
    },
  })
  const place: ArchivePlace = {
    ...archiveInFile(join(folder, 'full.backup')),
    create: async () => ({ target, keep: async () => assert.fail('it is not whole'), discard: async () => {} }),
  }
  async function* slowly() {
    yield randomBytes(1_000_000)
    await failed.promise
    yield randomBytes(1_000_000)
  }
  const writer = await ArchiveWriter.open(place, undefined)

  await assert.rejects(() => writer.addKnown('objects/a', { size: 2_000_000, sha256: '' }, slowly()), full)

  await writer.abort()
})
