import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gitProcesses } from '../process/run.ts'
import { git, importCommits, openScene } from '../scene.ts'
import type { Repository } from '../storage/repository.ts'
import { pathParts } from './paths.ts'
import { entryAt, listTree } from './trees.ts'

const oddNames = ['ünï cödé', 'with "quotes"', 'line\nbreak', '-leading-dash', 'back\\slash', 'tab\there', '*', ':colon', "it's"]

test('directories come first, then files, then submodules', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const commit = importCommits(repository, 'main', [{ message: 'x' }])
  const head = importCommits(repository, 'main', [
    {
      files: {
        'b.txt': '1',
        'z/deep/file': '2',
        a: { mode: '100755', content: '#!' },
        link: { mode: '120000', content: 'a' },
        sub: { mode: '160000', content: commit },
        'c/file': '3',
      },
    },
  ])

  const page = await listTree(repository, { commit: head })
  assert.deepEqual(
    page?.rows.map(({ mode, type, path }) => `${mode} ${type} ${path}`),
    ['040000 tree c', '040000 tree z', '100755 blob a', '100644 blob b.txt', '120000 blob link', '160000 commit sub'],
  )
  assert.equal(page.total, 6)
  const deep = await listTree(repository, { commit: head, path: 'z/', recursive: true })
  assert.deepEqual(
    deep?.rows.map(({ path, name, id }) => ({ path, name, id })),
    [
      { path: 'z/deep', name: 'deep', id: git(repository, ['rev-parse', 'main:z/deep']) },
      { path: 'z/deep/file', name: 'file', id: git(repository, ['rev-parse', 'main:z/deep/file']) },
    ],
  )
})

test('names of every kind are found and listed', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const commit = importCommits(repository, 'main', [{ files: Object.fromEntries(oddNames.map(name => [`dir ${name}/${name}`, name])) }])

  const page = await listTree(repository, { commit, recursive: true })
  const files = page!.rows.filter(({ type }) => type === 'blob').map(({ path }) => path)

  assert.deepEqual(files.sort(), oddNames.map(name => `dir ${name}/${name}`).sort())
  for (const name of oddNames) {
    const entry = await entryAt(repository, commit, `dir ${name}/${name}`)
    assert.deepEqual(entry, { id: git(repository, ['hash-object', '--stdin'], name), type: 'blob', mode: '100644' })
  }
})

test('what is not there is undefined', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const commit = importCommits(repository, 'main', [{ files: { 'd/f': '1' } }])
  for (const path of ['x', 'd/x', 'd/f/x', 'x\ny/z', '', '/', 'd//f', './d', 'd/../d/f'])
    assert.equal(await entryAt(repository, commit, path), undefined, path)
  assert.equal(await listTree(repository, { commit, path: 'd/f' }), undefined)
  assert.equal(await listTree(repository, { commit, path: 'nope' }), undefined)
  assert.equal(await listTree(repository, { commit: 'a'.repeat(40) }), undefined)
})

test('a tree of 10,000 files is paged without starting a process', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const files = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`d${index % 100}/f${index}`, `${index % 7}`]))
  const commit = importCommits(repository, 'main', [{ files }])
  await entryAt(repository, commit, 'd0')
  const before = gitProcesses.started

  const seen = new Set<string>()
  for (let offset = 0; offset < 10_100; offset += 1000) {
    const page = await listTree(repository, { commit, recursive: true, offset, limit: 1000 })
    assert.equal(page?.total, 10_100)
    for (const { path } of page.rows) seen.add(path)
  }

  assert.equal(seen.size, 10_100)
  assert.deepEqual([...seen].sort(), git(repository, ['ls-tree', '-r', '-t', '--name-only', 'main']).split('\n').sort())
  assert.equal(gitProcesses.started, before)
})

test('paths that no file can have are refused', () => {
  for (const path of [
    '',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    'a/../b',
    './a',
    'a\0b',
    '.git',
    '.GIT/config',
    'a/.Git',
    'git~1',
    '.git ',
    '.git.',
    '.g\u200cit',
    '.git::$INDEX_ALLOCATION',
    'GIT~1:x/config',
    'a\\.git',
    '.git\\hooks',
    `${'x/'.repeat(2000)}y`,
    'x'.repeat(5000),
  ]) {
    assert.equal(pathParts(path), undefined, JSON.stringify(path))
  }
  for (const path of ['a', 'a/b', '.gitignore', '.github/x', 'a..b', '...', '-x', ' ']) assert.deepEqual(pathParts(path), path.split('/'))
})

/** A commit whose root has ten directories with ten directories each, and so on: equal directories are one object. */
function commitOfMany(repository: Repository, depth: number): string {
  const blob = git(repository, ['hash-object', '-w', '--stdin'], 'x').trim()
  const lines = (mode: string, type: string, id: string) =>
    Array.from({ length: 10 }, (_, index) => `${mode} ${type} ${id}\tn${index}\n`).join('')
  let tree = git(repository, ['mktree'], lines('100644', 'blob', blob)).trim()
  for (let level = 1; level < depth; level++) tree = git(repository, ['mktree'], lines('040000', 'tree', tree)).trim()
  return git(repository, ['commit-tree', tree], 'many').trim()
}

test('a repository of few bytes with more files than memory can hold is not listed as a whole', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()

  const listed = await listTree(repository, { commit: commitOfMany(repository, 4), recursive: true, limit: 1 })
  assert.equal(listed?.total, 11_110)
  await assert.rejects(listTree(repository, { commit: commitOfMany(repository, 12), recursive: true, limit: 1 }), { kind: 'too_large' })
  assert.equal((await listTree(repository, { commit: commitOfMany(repository, 12) }))?.total, 10)
})

test('directories within each other are listed to a depth', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const deep = importCommits(repository, 'deep', [{ files: { [`${'d/'.repeat(2_100)}f`]: '1' } }])

  await assert.rejects(listTree(repository, { commit: deep, recursive: true }), { kind: 'too_large' })
})
