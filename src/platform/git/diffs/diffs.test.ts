import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCommit } from '../objects/objects.ts'
import { gitProcesses } from '../process/run.ts'
import { git, type ImportedCommit, importCommits, openScene } from '../scene.ts'
import type { Repository } from '../storage/repository.ts'
import { compare, diffBetween, diffOfCommit, diffPage } from './diffs.ts'
import { type DiffLimits, defaultDiffLimits } from './limits.ts'
import { hunksOf } from './lines.ts'
import { countChangedLines, unquote } from './raw-entries.ts'

async function change(
  repository: Repository,
  before: ImportedCommit['files'],
  after: ImportedCommit['files'],
  limits?: Partial<DiffLimits>,
) {
  const from = importCommits(repository, 'main', [{ files: { ...before } }])
  const to = importCommits(repository, 'main', [{ files: { ...after } }])
  return diffBetween(repository, from, to, { limits: { ...defaultDiffLimits, ...limits } })
}

const unchanged = { new_file: false, renamed_file: false, deleted_file: false, too_large: false, collapsed: false }

test('new, changed, deleted and renamed files, and changes of mode', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const long = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('')
  const { entries, files, overflow } = await change(
    repository,
    { changed: 'a\n', gone: 'x\n', old: long, tool: '#!\n' },
    { changed: 'b\n', gone: null, old: null, new: `${long}more\n`, added: 'y', tool: { mode: '100755', content: '#!\n' } },
  )

  assert.deepEqual({ files, overflow }, { files: 5, overflow: false })
  assert.deepEqual(entries, [
    {
      ...unchanged,
      old_path: 'added',
      new_path: 'added',
      a_mode: '0',
      b_mode: '100644',
      new_file: true,
      diff: '--- /dev/null\n+++ b/added\n@@ -0,0 +1 @@\n+y\n\\ No newline at end of file\n',
    },
    {
      ...unchanged,
      old_path: 'changed',
      new_path: 'changed',
      a_mode: '100644',
      b_mode: '100644',
      diff: '--- a/changed\n+++ b/changed\n@@ -1 +1 @@\n-a\n+b\n',
    },
    {
      ...unchanged,
      old_path: 'gone',
      new_path: 'gone',
      a_mode: '100644',
      b_mode: '0',
      deleted_file: true,
      diff: '--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
    },
    {
      ...unchanged,
      old_path: 'old',
      new_path: 'new',
      a_mode: '100644',
      b_mode: '100644',
      renamed_file: true,
      diff: '--- a/old\n+++ b/new\n@@ -18,3 +18,4 @@ line 16\n line 17\n line 18\n line 19\n+more\n',
    },
    { ...unchanged, old_path: 'tool', new_path: 'tool', a_mode: '100644', b_mode: '100755', diff: '' },
  ])
})

test('binary files, links, submodules, and contents that are not UTF-8', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const commit = importCommits(repository, 'other', [{ message: 'sub' }])
  const { entries } = await change(
    repository,
    { bin: Buffer.from([0, 1]), latin: Buffer.from([0xe9, 10]), link: 'was a file\n', z: '1\n' },
    {
      bin: Buffer.from([0, 2]),
      latin: Buffer.from([0xe8, 10]),
      link: { mode: '120000', content: 'z' },
      sub: { mode: '160000', content: commit },
      z: '2\n',
    },
  )
  const diffs = Object.fromEntries(entries.map(({ new_path, diff }) => [new_path, diff]))

  assert.equal(diffs.bin, 'Binary files a/bin and b/bin differ\n')
  assert.equal(diffs.latin, '--- a/latin\n+++ b/latin\n@@ -1 +1 @@\n-é\n+è\n')
  assert.equal(
    diffs.link,
    '--- a/link\n+++ /dev/null\n@@ -1 +0,0 @@\n-was a file\n--- /dev/null\n+++ b/link\n@@ -0,0 +1 @@\n+z\n\\ No newline at end of file\n',
  )
  assert.equal(diffs.sub, `--- /dev/null\n+++ b/sub\n@@ -0,0 +1 @@\n+Subproject commit ${commit}\n`)
  assert.equal(diffs.z, '--- a/z\n+++ b/z\n@@ -1 +1 @@\n-1\n+2\n')
})

test('names of every kind, and contents that look like a diff', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const names = ['ü', 'a "b"', 'x\ndiff --git a/q b/q', 'tab\t', '-x', 'back\\slash', ' space ', 'a b/c d', '\u0001']
  const text = 'diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n:100644 100644 x y M\tf\nBinary files a and b differ\n'
  const { entries } = await change(repository, { keep: '' }, Object.fromEntries(names.map(name => [name, text])))

  assert.deepEqual(entries.map(({ new_path }) => new_path).sort(), [...names].sort())
  for (const { diff } of entries) assert.equal(diff.split('\n').slice(3, -1).join('\n'), text.trimEnd().replace(/^/gm, '+'))
})

test('quoted names are read as git writes them', () => {
  for (const [quoted, name] of [
    ['plain', 'plain'],
    ['"a\\"b\\\\c\\n\\t\\001"', 'a"b\\c\n\t\u0001'],
    ['"\\303\\274"', 'ü'],
    ['"ü\\n"', 'ü\n'],
  ] as const) {
    assert.equal(unquote(quoted), name)
  }
})

test('what is over the limits is left out and said so', async () => {
  await using scene = await openScene()
  const lines = (count: number) => 'x\n'.repeat(count)
  const cases = [
    { limits: { fileBytes: 100 }, too_large: ['b'], collapsed: [], entries: 3, exceeded: 'fileBytes' },
    { limits: { lines: 50 }, too_large: [], collapsed: ['c'], entries: 3, exceeded: 'lines' },
    { limits: { bytes: 50 }, too_large: [], collapsed: ['c'], entries: 3, exceeded: 'bytes' },
    { limits: { files: 2 }, too_large: [], collapsed: [], entries: 2, exceeded: 'files' },
    { limits: { files: 3 }, too_large: [], collapsed: [], entries: 3, exceeded: undefined },
  ]
  for (const expected of cases) {
    const repository = await scene.repository()
    const { entries, files, overflow, exceeded } = await change(repository, {}, { a: lines(1), b: lines(60), c: lines(1) }, expected.limits)
    const namesWhere = (flag: 'too_large' | 'collapsed') => entries.filter(entry => entry[flag]).map(({ new_path }) => new_path)
    assert.deepEqual(
      {
        limits: expected.limits,
        too_large: namesWhere('too_large'),
        collapsed: namesWhere('collapsed'),
        entries: entries.length,
        exceeded,
      },
      expected,
    )
    assert.equal(files, 3)
    assert.equal(overflow, exceeded !== undefined)
    for (const { diff, too_large, collapsed } of entries) assert.equal(diff === '', too_large || collapsed)
  }
})

test('a line without end is too large without being kept', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const { entries } = await change(repository, {}, { big: 'x'.repeat(4 * 1024 * 1024), small: 'y\n' })
  assert.deepEqual(
    entries.map(({ new_path, too_large }) => [new_path, too_large]),
    [
      ['big', true],
      ['small', false],
    ],
  )
})

test('a diff is one process, however many files', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const files = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 'x\n']))
  const id = importCommits(repository, 'main', [{ files }])
  const commit = (await readCommit(repository, id))!
  const before = gitProcesses.started
  const { entries } = await diffOfCommit(repository, commit)
  assert.equal(entries.length, 500)
  assert.equal(gitProcesses.started, before + 1)
})

test('a comparison begins at the common ancestor, unless it is straight', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{ files: { a: '1\n' } }])
  const main = importCommits(repository, 'main', [{ files: { b: '1\n' } }])
  const topic = importCommits(
    repository,
    'topic',
    [
      { message: 't1', files: { c: '1\n' } },
      { message: 't2', files: { c: '2\n' } },
    ],
    base,
  )

  const around = await compare(repository, main, topic)
  assert.equal(around.base, base)
  assert.deepEqual(
    around.commits.map(({ title }) => title),
    ['t1', 't2'],
  )
  assert.deepEqual(
    around.diff.entries.map(({ new_path }) => new_path),
    ['c'],
  )
  const straight = await compare(repository, main, topic, { straight: true })
  assert.deepEqual(
    straight.diff.entries.map(({ new_path }) => new_path),
    ['b', 'c'],
  )
  const same = await compare(repository, main, main)
  assert.deepEqual(same, {
    commits: [],
    diff: { entries: [], files: 0, overflow: false, exceeded: undefined },
    base: main,
    same_ref: true,
    timed_out: false,
  })
  git(repository, ['fsck'])
})

test('where white space is ignored, each file has its own lines, also after files in which nothing else differs', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const long = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('')
  const from = importCommits(repository, 'main', [
    { files: { a: 'x y\n', b: 'one\n', c: 'p\n', d: long, e: 'z\n', f: '#!\n', link: 'was a file\n', z: 'q\n' } },
  ])
  const after: ImportedCommit['files'] = {
    a: 'x  y\n',
    b: 'two\n',
    c: '  p\n',
    d: null,
    e: 'z \n',
    f: { mode: '100755', content: '#!\n' },
    link: { mode: '120000', content: 'elsewhere' },
    moved: long,
    z: ' q\n',
  }
  const to = importCommits(repository, 'main', [{ files: after }])
  const { entries } = await diffBetween(repository, from, to, { ignoresWhitespace: true })
  const shown = entries.map(({ new_path, diff }) => [new_path, diff.split('\n').filter(line => /^[+-][^+-]/.test(line))] as const)
  assert.deepEqual(shown, [
    ['a', []],
    ['b', ['-one', '+two']],
    ['c', []],
    ['e', []],
    ['f', []],
    ['link', ['-was a file', '+elsewhere']],
    ['moved', []],
    ['z', []],
  ])
  for (let offset = 0; offset < shown.length; offset++) {
    const page = await diffPage(repository, from, to, { offset, limit: 2 }, { ignoresWhitespace: true })
    assert.deepEqual(page.entries, entries.slice(offset, offset + 2), `from ${offset}`)
  }
  const counted = await countChangedLines(repository, from, to, { ignoresWhitespace: true, timeoutMs: 10_000 })
  assert.deepEqual(counted.get('b'), { added: 1, removed: 1 })
  assert.deepEqual(
    await countChangedLines(repository, from, to, { ignoresWhitespace: false, timeoutMs: 10_000 }).then(all => all.get('moved')),
    {
      added: 0,
      removed: 0,
    },
  )
})

test('a hunk has the heading that git gives it, and its last line says that no line end follows', () => {
  const [hunk] = hunksOf('@@ -1 +1 @@ function lamp() {\n-a\n\\ No newline at end of file\n+b\n')
  assert.equal(hunk?.heading, 'function lamp() {')
  assert.deepEqual(
    hunk.lines.map(({ type, without_end }) => [type, without_end]),
    [
      ['removed', true],
      ['added', undefined],
    ],
  )
})
