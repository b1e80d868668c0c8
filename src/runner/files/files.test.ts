import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { ZipFile } from 'yazl'
import { eventually } from '../../../test/eventually.ts'
import type { Coordinator } from '../coordinator.ts'
import type { Job } from '../payload.ts'
import { uploadArtifacts } from './artifacts.ts'
import { restoreCaches, saveCaches } from './cache.ts'
import { filesMatching, globExpression } from './globs.ts'
import { sortedByPlace } from './inside.ts'
import { unzipInto, writeGzip, writeRaw, writeZip } from './zip.ts'

const directory = await mkdtemp(join(tmpdir(), 'ingot-runner-files-'))
after(() => rm(directory, { recursive: true, force: true }))

/** Ends nothing. */
const never = new AbortController().signal

let made = 0
async function tree(files: Readonly<Record<string, string>>): Promise<string> {
  const root = join(directory, `tree-${++made}`)
  await mkdir(root)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  return root
}

const globs: readonly [pattern: string, yes: string[], no: string[]][] = [
  ['out', ['out', 'out/a', 'out/b/c'], ['outer', 'a/out']],
  ['*.txt', ['a.txt', '.txt'], ['b/a.txt', 'a.txt2']],
  ['**/*.txt', ['a.txt', 'b/a.txt', 'b/c/a.txt'], ['a.text']],
  ['a/**', ['a/b', 'a/b/c'], ['b/a']],
  ['a/**/z', ['a/z', 'a/b/c/z'], ['az', 'a/bz']],
  ['?.{js,ts}', ['a.js', 'b.ts'], ['ab.js', 'a.rb']],
  ['[a-c]x', ['ax', 'cx'], ['dx']],
  ['[!a]x', ['bx'], ['ax']],
  ['a+(b).c', ['a+(b).c'], ['aab.c']],
]

test('patterns of artifacts and caches mean what they mean elsewhere, `**` any number of folders', () => {
  for (const [pattern, yes, no] of globs) {
    const expression = globExpression(pattern)
    for (const path of yes) assert.ok(expression.test(path), `${pattern} is for ${path}`)
    for (const path of no) assert.ok(!expression.test(path), `${pattern} is not for ${path}`)
  }
})

test('files are found from the root of the working copy, what is excluded and `.git` left out, and nothing outside of it', async () => {
  const root = await tree({ 'out/a.txt': 'a', 'out/deep/b.log': 'b', '.git/config': 'c', 'top.txt': 't' })

  assert.deepEqual((await filesMatching(root, ['out/', 'out/**/*.log'])).files, ['out/a.txt', 'out/deep/b.log'])
  assert.deepEqual((await filesMatching(root, ['out'], ['**/*.log'])).files, ['out/a.txt'])
  assert.deepEqual((await filesMatching(root, ['.'])).files, ['out/a.txt', 'out/deep/b.log', 'top.txt'])
  assert.deepEqual((await filesMatching(root, [join(root, 'top.txt')])).files, ['top.txt'])
  assert.deepEqual(await filesMatching(root, ['../other', '/etc/passwd', 'not-there']), {
    files: [],
    missing: ['../other', '/etc/passwd', 'not-there'],
  })
})

test('a zip gives back what went into it: contents, permissions and links', async () => {
  const root = await tree({ 'a.txt': 'hello', 'deep/b': 'b' })
  await writeFile(join(root, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 })
  await symlink('a.txt', join(root, 'link'))
  const zip = join(directory, 'whole.zip')
  await writeZip(root, ['a.txt', 'deep/b', 'link', 'run.sh'], zip, never)
  const target = await tree({ 'a.txt': 'older and longer' })

  assert.equal(await unzipInto(zip, target, never), 4)

  assert.equal(await readFile(join(target, 'a.txt'), 'utf8'), 'hello')
  assert.equal(await readFile(join(target, 'link'), 'utf8'), 'hello')
  assert.equal(await readFile(join(target, 'deep/b'), 'utf8'), 'b')
  const { mode } = await (await import('node:fs/promises')).stat(join(target, 'run.sh'))
  assert.equal(mode & 0o777, 0o755)
})

/** A zip with one entry, whose name no library would write. */
async function zipWith(name: string, content: string, mode = 0o100644): Promise<string> {
  const zip = new ZipFile()
  const placeholder = 'x'.repeat(Buffer.byteLength(name))
  zip.addBuffer(Buffer.from(content), placeholder, { mode, compress: false })
  zip.end()
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(part as Buffer)
  const file = join(directory, `odd-${++made}.zip`)
  await writeFile(file, Buffer.from(Buffer.concat(parts).toString('latin1').replaceAll(placeholder, name), 'latin1'))
  return file
}

test('an archive writes nothing outside of the working copy: names, links, and names behind links', async () => {
  const outside = join(directory, 'outside')
  await mkdir(outside)
  for (const name of ['../outside/evil', '/tmp/evil-evil-evil', 'a/../../outside/evil']) {
    const target = await tree({})
    await assert.rejects(unzipInto(await zipWith(name, 'evil'), target, never), name)
  }
  const linked = await tree({})
  await symlink(outside, join(linked, 'way'))
  await assert.rejects(unzipInto(await zipWith('way/evil', 'evil'), linked, never))
  await assert.rejects(unzipInto(await zipWith('leaving', '../outside', 0o120777), await tree({}), never))

  assert.deepEqual((await filesMatching(outside, ['.'])).files, [])
})

/** A zip of these entries in their order, of which names may come twice. Targets begin with `->`; folders end with a slash. */
async function zipOf(entries: readonly (readonly [name: string, content: string])[]): Promise<string> {
  const zip = new ZipFile()
  for (const [name, content] of entries) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name)
    else if (content.startsWith('->')) zip.addBuffer(Buffer.from(content.slice(2)), name, { mode: 0o120777 })
    else zip.addBuffer(Buffer.from(content), name)
  }
  zip.end()
  const file = join(directory, `several-${++made}.zip`)
  await pipeline(zip.outputStream, createWriteStream(file))
  return file
}

test('a link of an archive or of the working copy places no other entry outside: neither link, nor folder, nor what is replaced', async () => {
  const archives: readonly (readonly [name: string, content: string])[][] = [
    [
      ['deep/a', '->../out'],
      ['deep/a/kept', '->../../mine'],
    ],
    [['out/new/', '']],
    [['out/new/file', 'evil']],
    [['out/kept', '->../mine']],
    [
      ['one/two/a', '->../..'],
      ['one/two/a/leaving', '->../../../kept'],
    ],
  ]
  for (const entries of archives) {
    const outside = await tree({ kept: 'kept' })
    const target = await tree({ mine: 'mine' })
    await symlink(outside, join(target, 'out'))
    await assert.rejects(unzipInto(await zipOf(entries), target, never), /leads out of the working copy/, JSON.stringify(entries))
    assert.deepEqual(await readdir(outside), ['kept'], JSON.stringify(entries))
    assert.equal(await readFile(join(outside, 'kept'), 'utf8'), 'kept')
    assert.ok((await lstat(join(outside, 'kept'))).isFile())
  }
})

test('an archive is unpacked through links that stay in the working copy', async () => {
  const target = await tree({ 'builds/1/old': 'old' })
  await symlink('builds/1', join(target, 'current'))
  assert.equal(
    await unzipInto(
      await zipOf([
        ['current/deep/new', 'new'],
        ['current/way', '->deep/new'],
      ]),
      target,
      never,
    ),
    2,
  )
  assert.equal(await readFile(join(target, 'builds/1/way'), 'utf8'), 'new')
})

test('several files become members of one gzip stream', async () => {
  const root = await tree({ one: '1', two: '2' })
  const target = join(directory, 'both.gz')
  await writeGzip(root, ['one', 'two'], target, never)
  assert.equal(gunzipSync(await readFile(target)).toString(), '12')
})

test('patterns take no longer than the paths are long, and what is no pattern is said to be none', () => {
  const path = `${'a/'.repeat(500)}b`
  assert.ok(!globExpression(`${'**/'.repeat(100)}c`).test(path))
  assert.ok(!globExpression(`${'{a,*}/'.repeat(60)}*c`).test(path))
  for (const pattern of ['[z-a]', 'a'.repeat(3000)]) assert.throws(() => globExpression(pattern), /no pattern of files, or too long/)
})

test('what cannot be read is an error of its archive, and a pipe that nobody writes to is no file', async () => {
  const root = await tree({ plain: 'plain' })
  await promisify(execFile)('mkfifo', [join(root, 'pipe')])
  await symlink('pipe', join(root, 'to-pipe'))
  const target = join(directory, 'unreadable')

  assert.deepEqual(await filesMatching(root, ['pipe', '*']), { files: ['plain', 'to-pipe'], missing: ['pipe'] })
  for (const name of ['pipe', 'gone']) await assert.rejects(writeZip(root, ['plain', name], target, never), /is no plain file|ENOENT/)
  for (const name of ['pipe', 'to-pipe']) {
    await assert.rejects(writeGzip(root, ['plain', name], target, never), /is no plain file/)
    await assert.rejects(writeRaw(join(root, name), target, never), /is no plain file/)
  }
})

test('what ends a job ends its archives, in both directions, and nothing goes on reading', async () => {
  // A hole of this size takes no room, and a minute to be read.
  const root = await tree({ small: 's', 'cache/large': '', 'cache/next': 'n' })
  await truncate(join(root, 'cache/large'), 2 ** 35)
  const target = join(directory, 'unfinished')
  const readers = async () =>
    (await Promise.all((await readdir('/proc/self/fd')).map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => '')))).filter(path =>
      path.startsWith(root),
    )
  const files = ['small', 'cache/large', 'cache/next']
  const writers = {
    zip: (signal: AbortSignal) => writeZip(root, files, target, signal),
    gzip: (signal: AbortSignal) => writeGzip(root, files, target, signal),
    raw: (signal: AbortSignal) => writeRaw(join(root, 'cache/large'), target, signal),
  }
  for (const [format, write] of Object.entries(writers)) {
    const ending = new AbortController()
    const writing = write(ending.signal)
    await Promise.race([writing, eventually(async () => (await readers()).length > 0, 'the large file to be read')])
    ending.abort(new Error('canceled'))
    await assert.rejects(writing, { name: 'AbortError' }, format)
    await eventually(async () => (await readers()).length === 0, `the end of reading for ${format}`)
  }

  const said: string[] = []
  const over = AbortSignal.abort(new Error('canceled'))
  const options = {
    directory: join(root, 'caches'),
    project: root,
    expanded: (text: string) => text,
    fallbackKey: undefined,
    untracked: async () => [],
  }
  const caches = [{ key: 'k', paths: ['small'], untracked: false, policy: 'pull-push', when: 'always' }] as const
  const say = (line: string) => void said.push(line)
  await saveCaches(caches, true, { ...options, say, signal: never })
  await assert.rejects(saveCaches(caches, true, { ...options, say, signal: over }), /canceled/)
  await assert.rejects(restoreCaches(caches, { ...options, say, signal: over }), /canceled/)
  assert.deepEqual(
    said.filter(line => line.startsWith('WARNING')),
    [],
  )
  assert.deepEqual(await readdir(join(root, 'caches')), ['k.zip'])
})

test('a file behind a link that leads out of the working copy does not lie in it, nor does a link that will be followed', async () => {
  const [root, other] = [await tree({ 'deep/a.txt': 'a' }), await tree({ secret: 's' })]
  await symlink(other, join(root, 'way-out'))
  await symlink(join(other, 'secret'), join(root, 'link'))
  await symlink('deep', join(root, 'within'))
  const files = ['deep/a.txt', 'within/a.txt', 'way-out/secret', 'link', `../${other.split('/').at(-1)}/secret`, 'gone/a']

  const [kept, followed] = [await sortedByPlace(root, files, false), await sortedByPlace(root, files, true)]

  assert.deepEqual(kept.inside, ['deep/a.txt', 'within/a.txt', 'link'])
  assert.deepEqual(followed.inside, ['deep/a.txt', 'within/a.txt'])
  assert.deepEqual(followed.outside, files.slice(2))
})

test('patterns name nothing behind a link out of the working copy, whether it is there or not, and the link itself as a link', async () => {
  const [root, other] = [await tree({ 'deep/a.txt': 'a', plain: 'p' }), await tree({ secret: 's', 'private/name': 'n' })]
  await symlink(other, join(root, 'up'))
  await symlink(join(other, 'secret'), join(root, 'file'))
  await symlink(join(other, 'gone'), join(root, 'nowhere'))
  await symlink('deep', join(root, 'within'))
  const hidden = ['up/**', 'up/*', 'up/**/*', 'up/private/**', 'up/secret', 'up/gone', 'up/private', 'file/a', 'plain/a', 'gone/a']

  assert.deepEqual(await filesMatching(root, hidden), { files: [], missing: hidden })
  assert.deepEqual(await filesMatching(root, ['up', 'file', 'nowhere']), { files: ['file', 'nowhere', 'up'], missing: [] })
  assert.deepEqual((await filesMatching(root, ['within/**', 'deep'])).files, ['deep/a.txt', 'within/a.txt'])
  const throughLink = join(directory, 'way-to-root')
  await symlink(root, throughLink)
  assert.deepEqual((await filesMatching(throughLink, ['deep/**'])).files, ['deep/a.txt'], 'the root may be reached by a link')
})

test('the log of a job names nothing that a cache or artifacts find behind a link', async () => {
  const [root, other] = [await tree({}), await tree({ 'private/secret-name': 's' })]
  await symlink(other, join(root, 'up'))
  const said: string[] = []
  const options = {
    project: root,
    expanded: (text: string) => text,
    untracked: async () => [],
    say: (line: string) => void said.push(line),
    signal: never,
  }
  const paths = ['up/**/*']

  const caches = [{ key: 'k', paths, untracked: false, policy: 'pull-push', when: 'always' }] as const
  await saveCaches(caches, true, { ...options, directory: join(directory, 'caches-of-links'), fallbackKey: undefined })
  const job = { artifacts: [{ paths, when: 'always', artifact_format: 'zip', artifact_type: 'archive' }] } as unknown as Job
  await uploadArtifacts(true, { ...options, job, coordinator: {} as Coordinator, temporary: directory })

  assert.doesNotMatch(said.join('\n'), /secret-name|private/)
  assert.ok(said.includes('No files to upload'))
})
