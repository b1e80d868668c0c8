/** The file of the configuration, and which source wins. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from '../../test/folder.ts'
import { ConfigError, loadConfig, parseConfig } from './config.ts'

const directory = await testFolder()

test('flags win over the environment, the environment over the file, the file over what is standard', () => {
  assert.equal(parseConfig({ INGOT_PORT: '2' }, { port: '1' }, { port: '3' }, { port: '0' }).port, 3)
  assert.equal(parseConfig({ INGOT_PORT: '2' }, { port: '1' }, {}, { port: '0' }).port, 2)
  assert.equal(parseConfig({}, { port: '1' }, {}, { port: '0' }).port, 1)
  assert.equal(parseConfig({}, {}, {}, { port: '0' }).port, 0)
  assert.equal(parseConfig({}).port, 8080)
})

test('a configuration file holds settings by name, as texts, numbers or booleans', async () => {
  const file = join(directory, 'good.json')
  await writeFile(file, JSON.stringify({ port: 4711, impersonationEnabled: false, tier: 'free' }))

  const { port, impersonationEnabled, tier } = loadConfig({}, file)

  assert.deepEqual({ port, impersonationEnabled, tier }, { port: 4711, impersonationEnabled: false, tier: 'free' })
})

test('a configuration file that cannot be used is refused in one line', async () => {
  const texts = { 'broken.json': '{', 'list.json': '[]', 'unknown.json': '{"prot": 1}', 'nested.json': '{"port": {"a": 1}}' }
  for (const [name, text] of Object.entries(texts)) {
    await writeFile(join(directory, name), text)
    assert.throws(() => loadConfig({}, join(directory, name)), ConfigError, name)
  }
  assert.throws(() => loadConfig({}, join(directory, 'absent.json')), ConfigError)
})
