import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pino from 'pino'
import { atEnd } from '../../../test/at_end.ts'
import { startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { migrate } from '../../platform/db/migrating/migrate.ts'
import { preparedDatabase } from './prepared_database.ts'

const log = pino({ level: 'silent' })

async function makeDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'ingot-test-prepared-'))
  atEnd(() => rm(dir, { recursive: true, force: true }))
  return dir
}

test('the first ephemeral start keeps an empty, migrated database for the next ones, and removes what has been there for long', async () => {
  const folder = await makeDir()
  const former = join(folder, 'former.tar')
  await writeFile(former, '')
  await utimes(former, 1_000_000, 1_000_000)

  const prepared = await preparedDatabase(log, folder)
  const made = await stat(prepared!)
  assert.equal(await preparedDatabase(log, folder), prepared)
  assert.equal((await stat(prepared!)).mtimeMs, made.mtimeMs, 'it is made once')
  assert.deepEqual((await readdir(folder)).length, 1)

  const dataDir = await makeDir()
  const { url, stop } = await startEmbedded({ dataDir, log, isEphemeral: true, prepared })
  atEnd(stop)
  assert.deepEqual(await migrate({ url, log }), [], 'nothing is left to migrate')
})

test('where nothing can be kept, a database is made each time', async () => {
  const file = join(await makeDir(), 'file')
  await writeFile(file, '')
  assert.equal(await preparedDatabase(log, join(file, 'folder')), undefined)
})
