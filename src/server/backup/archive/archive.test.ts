import assert from 'node:assert/strict'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { testFolder } from '../../../../test/folder.ts'
import { Secret } from '../../../platform/secret.ts'
import { nothing } from '../scene.ts'
import { layoutOf } from './contents.ts'
import { FORMAT } from './format.ts'
import { archiveInFile } from './places.ts'
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
