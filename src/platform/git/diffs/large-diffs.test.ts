import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { gitProcesses } from '../process/run.ts'
import { git, importCommits, openScene } from '../scene.ts'
import { diffBetween, diffPage, streamDiff } from './diffs.ts'
import { defaultDiffLimits, rawDiffLimits } from './limits.ts'
import { countChangedFiles, listChangedFiles } from './raw-entries.ts'

const long = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join('')

test('pages of a diff together are the diff, whatever the names', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const from = importCommits(repository, 'main', [
    { files: { 'old name': long, gone: 'x\n', '-dash': '1\n', mode: '1\n', tool: 'was a file\n', 'z/last': '1\n' } },
  ])
  importCommits(repository, 'main', [
    {
      files: {
        'old name': null,
        'new "name"\n': `${long}more\n`,
        gone: null,
        '-dash': '2\n',
        mode: { mode: '100755', content: '1\n' },
        tool: { mode: '120000', content: 'mode' },
        'z/last': '2\n',
      },
    },
  ])
  // Names that are not UTF-8: one in the middle, and (renamed) one whose old name is.
  const blob = git(repository, ['hash-object', '-w', '--stdin'], 'latin\n')
  const listing = git(repository, ['ls-tree', '-z', 'main'])
    .split('\0')
    .filter(entry => entry !== '')
    .map(entry => `${entry}\0`)
  const tree = git(
    repository,
    ['mktree', '-z'],
    Buffer.concat([Buffer.from(listing.join('')), Buffer.from(`100644 blob ${blob}\tnam\xe9\0`, 'latin1')]),
  )
  const to = git(repository, ['commit-tree', '-m', 'latin', tree])

  const whole = await diffBetween(repository, from, to)
  const names = whole.entries.map(({ new_path }) => new_path)
  assert.deepEqual(names, ['-dash', 'gone', 'mode', 'namé', 'new "name"\n', 'tool', 'z/last'])
  assert.deepEqual(JSON.parse(JSON.stringify(names)), names)
  for (const limit of [1, 2, 3, 100]) {
    const pages = []
    for (let offset = 0; offset < names.length; offset += limit) {
      const before = gitProcesses.started
      const page = await diffPage(repository, from, to, { offset, limit })
      assert.equal(gitProcesses.started, before + (offset === 0 ? 1 : 2))
      assert.equal(page.files, names.length)
      pages.push(...page.entries)
    }
    assert.deepEqual(pages, whole.entries)
  }
  const beyond = await diffPage(repository, from, to, { offset: 7, limit: 20 })
  assert.deepEqual(beyond, { entries: [], files: 7 })
  // Only what cannot be named comes before the page.
  const first = git(repository, [
    'commit-tree',
    '-m',
    'only',
    git(repository, ['mktree', '-z'], Buffer.from(`100644 blob ${blob}\t\xe9\0`, 'latin1')),
  ])
  const second = git(repository, [
    'commit-tree',
    '-m',
    'none',
    git(repository, ['mktree', '-z'], Buffer.from(`100644 blob ${blob}\t\xe8\0` + `100644 blob ${blob}\t\xe7\0`, 'latin1')),
  ])
  const unnamed = await diffPage(repository, first, second, { offset: 1, limit: 1 })
  assert.deepEqual([unnamed.files, unnamed.entries.map(({ new_path }) => new_path)], [2, ['è']])

  const files = await listChangedFiles(repository, from, to)
  assert.deepEqual(
    files.map(({ file }) => file),
    whole.entries.map(({ diff: _diff, too_large: _tooLarge, collapsed: _collapsed, ...file }) => file),
  )
})

test('a raw diff is what git writes, byte by byte', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const from = importCommits(repository, 'main', [{ files: { a: long, b: Buffer.from([0xe9, 10]), gone: 'x\n' } }])
  const to = importCommits(repository, 'main', [{ files: { a: null, c: `${long}x\n`, b: Buffer.from([0xe8, 10]), gone: null } }])
  const before = gitProcesses.started
  const raw = await textOf(streamDiff(repository, from, to))
  assert.equal(gitProcesses.started, before + 1)
  assert.equal(raw.toString('utf8'), `${git(repository, ['diff', '--full-index', from, to])}\n`)
  assert.equal(raw.includes(Buffer.from([0xe8, 10])), true)
  assert.equal((await textOf(streamDiff(repository, to, to))).length, 0)
})

test('a diff of ten thousand files is counted, cut, paged and streamed within bounds', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const count = 10_000
  const from = importCommits(repository, 'main', [{ files: { keep: '1\n' } }])
  const to = importCommits(repository, 'main', [
    { files: Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index % 100}/f${index}`, `${index}\n${long}`])) },
  ])
  const started = gitProcesses.started

  assert.equal(await countChangedFiles(repository, from, to), count)
  const cut = await diffBetween(repository, from, to)
  assert.deepEqual([cut.entries.length, cut.files, cut.overflow, cut.exceeded], [defaultDiffLimits.files, count, true, 'files'])
  const all = await diffBetween(repository, from, to, { limits: rawDiffLimits })
  assert.deepEqual([all.entries.length, all.overflow], [count, false])
  const page = await diffPage(repository, from, to, { offset: 9_990, limit: 20 })
  assert.deepEqual(page, { entries: all.entries.slice(9_990), files: count })

  // Heap and buffers while it is streamed, with a reader that is slower than git.
  const hash = createHash('sha256')
  let most = 0
  const memory = process.memoryUsage()
  for await (const chunk of streamDiff(repository, from, to)) {
    hash.update(chunk)
    await new Promise(setImmediate)
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }
  assert.ok(most - memory.arrayBuffers < 16 * 1024 * 1024, `${most - memory.arrayBuffers} bytes more`)
  assert.equal(
    hash.digest('hex'),
    createHash('sha256')
      .update(`${git(repository, ['diff', '--full-index', from, to])}\n`)
      .digest('hex'),
  )
  // None of them by the file.
  assert.equal(gitProcesses.started - started, 6)
})

async function textOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}
