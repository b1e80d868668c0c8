import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError, parseConfig } from '../../platform/config.ts'
import { loadInstanceKeys } from './instance_key.ts'

const parent = await mkdtemp(join(tmpdir(), 'ingot-key-'))
after(() => rm(parent, { recursive: true }))

const newDirectory = () => mkdtemp(join(parent, 'data-'))

test('the key is made once, for the eyes of one user, with nothing left beside it', async () => {
  const dataDir = await newDirectory()
  const config = parseConfig({}, {}, { dataDir })

  const keys = await Promise.all(Array.from({ length: 8 }, () => loadInstanceKeys(config)))

  assert.equal(new Set(keys.map(([key]) => key.toString('hex'))).size, 1)
  assert.deepEqual(
    keys[0]?.map(key => key.length),
    [32],
  )
  assert.deepEqual(await readdir(dataDir), ['secret.key'])
  assert.equal((await stat(join(dataDir, 'secret.key'))).mode & 0o777, 0o600)
  assert.deepEqual(await loadInstanceKeys(config), keys[0])
})

test('a given key is used and not written down', async () => {
  const dataDir = await newDirectory()

  const [key] = await loadInstanceKeys(parseConfig({ INGOT_SECRET_KEY: 'ab'.repeat(32) }, {}, { dataDir }))

  assert.deepEqual(key, Buffer.alloc(32, 0xab))
  assert.deepEqual(await readdir(dataDir), [])
})

test('a damaged key is never replaced, since secrets could not be read back', async () => {
  const dataDir = await newDirectory()
  await writeFile(join(dataDir, 'secret.key'), 'ab\n')

  await assert.rejects(loadInstanceKeys(parseConfig({}, {}, { dataDir })), ConfigError)
})

test('former keys follow the one that encrypts, with commas or one a line', async () => {
  const keys = ['ab', 'cd', 'ef'].map(byte => byte.repeat(32))
  const dataDir = await newDirectory()
  await writeFile(join(dataDir, 'secret.key'), `${keys.join('\n')}\n`)

  const expected = keys.map(key => Buffer.from(key, 'hex'))
  assert.deepEqual(await loadInstanceKeys(parseConfig({}, {}, { dataDir })), expected)
  assert.deepEqual(await loadInstanceKeys(parseConfig({ INGOT_SECRET_KEY: keys.join(',') }, {}, { dataDir })), expected)
  await writeFile(join(dataDir, 'secret.key'), `${keys[0]}\nab\n`)
  await assert.rejects(loadInstanceKeys(parseConfig({}, {}, { dataDir })), ConfigError)
})
