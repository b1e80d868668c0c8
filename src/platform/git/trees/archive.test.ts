import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { importCommits, openScene } from '../scene.ts'
import { archiveFormats, streamArchive } from './archive.ts'

const expected = ['-p x/', '-p x/a', '-p x/dir/', '-p x/dir/b']

for (const [name, compression] of [
  ['tar', []],
  ['tgz', ['-z']],
  ['tbz2', ['-j']],
] as const) {
  test(`an archive as ${name} holds the files of the commit below its prefix`, async () => {
    await using scene = await openScene()
    const repository = await scene.repository()
    const commit = importCommits(repository, 'main', [{ files: { a: '1', 'dir/b': '2' } }])
    const bytes = await buffer(streamArchive(repository, { commit, format: archiveFormats.get(name)!, prefix: '-p x' }))
    const file = join(scene.directory, 'archive')
    await writeFile(file, bytes)
    const listing = execFileSync('tar', ['-t', ...compression, '-f', file], { encoding: 'utf8' })
    assert.deepEqual(listing.trim().split('\n'), expected)
  })
}

test('an archive as zip, and one of a directory only', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const commit = importCommits(repository, 'main', [{ files: { a: '1', 'dir/b': '2' } }])
  const zip = await buffer(streamArchive(repository, { commit, format: 'zip', prefix: '-p x' }))
  assert.equal(zip.toString('latin1', 0, 4), 'PK\u0003\u0004')
  assert.ok(expected.every(name => zip.includes(name)))
  const part = await buffer(streamArchive(repository, { commit, format: 'zip', prefix: 'p', path: 'dir' }))
  assert.ok(part.includes('p/dir/b'))
  assert.ok(!part.includes('p/a'))
})
