import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCommits } from '../objects/objects.ts'
import { gitProcesses } from '../process/run.ts'
import { git, importCommits, openScene } from '../scene.ts'
import { blame } from './blame.ts'
import {
  commitStats,
  countCommits,
  divergence,
  isAncestor,
  lastCommitFor,
  lastCommitsFor,
  listCommitIds,
  listCommits,
  mergeBase,
} from './history.ts'

test('a page of commits starts at most one process, and is what git says', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const head = importCommits(
    repository,
    'main',
    Array.from({ length: 300 }, (_, index) => ({ files: { f: `${index}` } })),
  )
  await listCommits(repository, { from: [head], limit: 1 })
  for (const [offset, processes] of [
    [0, 0],
    [10, 0],
    [250, 1],
  ] as const) {
    const before = gitProcesses.started
    const page = await listCommits(repository, { from: [head], offset, limit: 20 })
    assert.equal(gitProcesses.started, before + processes)
    assert.deepEqual(
      page.map(({ id }) => id),
      git(repository, ['rev-list', `--skip=${offset}`, '-20', 'main']).split('\n'),
    )
  }
  assert.equal(await countCommits(repository, { from: [head] }), 300)
  assert.equal(await countCommits(repository, { from: [head] }, 7), 7)
})

test('a walk through tangled history has the order of git, equal dates included', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  // A history of merges whose dates repeat and run backwards, the same at every run.
  const stream: string[] = []
  for (let mark = 1; mark <= 120; mark += 1) {
    const date = 1_600_000_000 + ((mark * 7919) % 13) * 100 + Math.floor(mark / 10) * 60
    const parents = [...new Set([mark - 1, mark - 1 - ((mark * 31) % 9), mark - 1 - ((mark * 17) % 5)])].filter(parent => parent > 0)
    const [first, ...others] = mark % 11 === 0 ? [] : parents
    stream.push(`commit refs/heads/${mark % 3 === 0 ? 'main' : 'topic'}\nmark :${mark}\ncommitter A <a@b> ${date} +0000\ndata 1\nx\n`)
    stream.push(first === undefined ? '' : `from :${first}\n`, ...others.map(parent => `merge :${parent}\n`))
  }
  git(repository, ['fast-import', '--quiet', '--force'], stream.join(''))
  const from = git(repository, ['rev-parse', 'main', 'topic']).split('\n')

  for (const flags of [[], ['--first-parent']]) {
    const walked = await listCommits(repository, { from, limit: 150, firstParent: flags.length > 0 })
    assert.deepEqual(
      walked.map(({ id }) => id),
      git(repository, ['rev-list', ...flags, ...from]).split('\n'),
    )
  }
})

test('commits are filtered by path, time, author, first parent and what they are not in', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const [ada, bob] = ['Ada <ada@example.com>', 'Bob --all <bob@example.com>']
  const first = importCommits(repository, 'main', [{ message: 'one', files: { a: '1' }, author: ada, date: '1600000000 +0000' }])
  const second = importCommits(repository, 'main', [{ message: 'two', files: { 'd/b*': '1' }, author: bob, date: '1600000100 +0000' }])
  const third = importCommits(repository, 'main', [{ message: 'three', files: { a: '2' }, author: ada, date: '1600000200 +0000' }])
  git(repository, ['update-ref', 'refs/keep-around/x', importCommits(repository, 'gone', [{ message: 'hidden' }])])
  git(repository, ['branch', '-D', 'gone'])
  const ids = (options: object) => listCommitIds(repository, { from: [third], limit: 10, ...options })

  assert.deepEqual(await ids({ path: 'a' }), [third, first])
  assert.deepEqual(await ids({ path: 'd' }), [second])
  assert.deepEqual(await ids({ path: '*' }), [])
  assert.deepEqual(await ids({ author: 'Bob --all' }), [second])
  assert.deepEqual(await ids({ author: '--all' }), [second])
  assert.deepEqual(await ids({ since: new Date(1_600_000_100_000) }), [third, second])
  assert.deepEqual(await ids({ until: new Date(1_600_000_100_000) }), [second, first])
  assert.deepEqual(await ids({ except: [first] }), [third, second])
  assert.deepEqual(await ids({ from: 'all' }), [third, second, first])
  assert.deepEqual(await ids({ from: [] }), [])
})

test('merge bases, ancestors and divergence', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{ message: 'base' }])
  const left = importCommits(repository, 'left', [{ message: 'l1' }, { message: 'l2' }], base)
  const right = importCommits(repository, 'right', [{ message: 'r1' }], base)
  git(repository, [
    'update-ref',
    'refs/heads/alone',
    git(repository, ['commit-tree', '-m', 'alone', '4b825dc642cb6eb9a060e54bf8d69288fbee4904']),
  ])
  const alone = git(repository, ['rev-parse', 'alone'])

  assert.equal(await mergeBase(repository, [left, right]), base)
  assert.equal(await mergeBase(repository, [left, right, base]), base)
  assert.equal(await mergeBase(repository, [left, alone]), undefined)
  assert.equal(await isAncestor(repository, base, left), true)
  assert.equal(await isAncestor(repository, left, right), false)
  assert.deepEqual(await divergence(repository, left, right), { ahead: 2, behind: 1 })

  // Asked again, nothing is started; a history with a hole has no answer.
  const before = gitProcesses.started
  assert.equal(await mergeBase(repository, [left, right]), base)
  assert.deepEqual(await divergence(repository, left, right), { ahead: 2, behind: 1 })
  assert.equal(gitProcesses.started, before)
  const other = importCommits(repository, 'other', [{}, {}], base)
  await rm(join(repository.path, 'objects', base.slice(0, 2), base.slice(2)))
  await assert.rejects(mergeBase(repository, [left, other]), { kind: 'corrupt' })
  await assert.rejects(isAncestor(repository, left, other), { kind: 'corrupt' })
})

test('line counts of a page of commits are one process, renames and merges included', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{ files: { a: '1\n2\n3\n4\n5\n6\n', bin: Buffer.from([0, 1, 2]) } }])
  const renamed = importCommits(repository, 'main', [{ files: { a: null, 'new\nname': '1\n2\n3\n4\n5\nsix\n' } }])
  const side = importCommits(repository, 'side', [{ message: 'side', files: { s: 'x\ny\n' } }], base)
  const tree = git(repository, ['merge-tree', '--write-tree', renamed, side])
  const merge = git(repository, ['commit-tree', '-p', renamed, '-p', side, '-m', 'merge', tree])
  const empty = git(repository, ['commit-tree', '-p', merge, '-m', 'empty', tree])
  const commits = (await readCommits(repository, [base, renamed, merge, empty])).map(commit => commit!)
  const before = gitProcesses.started

  const stats = await commitStats(repository, commits)

  assert.equal(gitProcesses.started, before + 1)
  assert.deepEqual(stats.get(base), { additions: 6, deletions: 0, total: 6 })
  assert.deepEqual(stats.get(renamed), { additions: 1, deletions: 1, total: 2 })
  assert.deepEqual(stats.get(merge), { additions: 2, deletions: 0, total: 2 })
  assert.deepEqual(stats.get(empty), { additions: 0, deletions: 0, total: 0 })
})

test('the last commits of several files are found in one process, odd names too', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const names = ['a', 'ü', '\nfirst', '\nsecond', '-x', '"q"', '*']
  const first = importCommits(repository, 'main', [{ message: 'all', files: Object.fromEntries(names.map(name => [name, '1'])) }])
  const second = importCommits(repository, 'main', [{ message: 'a', files: { a: '2' } }])
  const side = importCommits(repository, 'side', [{ message: 'side', files: { '\nsecond': '3', '\nfirst': '3' } }], second)
  const merge = git(repository, ['commit-tree', '-p', second, '-p', side, '-m', 'merge', `${side}^{tree}`])
  await lastCommitFor(repository, merge, 'a')
  const before = gitProcesses.started

  const found = await lastCommitsFor(repository, merge, [...names, 'missing'])

  assert.equal(gitProcesses.started, before + 1)
  assert.deepEqual(Object.fromEntries(found), {
    a: second,
    ü: first,
    '\nfirst': side,
    '\nsecond': side,
    '-x': first,
    '"q"': first,
    '*': first,
  })
  assert.equal((await lastCommitFor(repository, merge, '\nfirst'))?.id, side)
  assert.equal(await lastCommitFor(repository, merge, 'missing'), undefined)
})

test('blame names the commit of each run of lines', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const first = importCommits(repository, 'main', [{ files: { '-f': 'one\ntwo\nthree\n' } }])
  const head = importCommits(repository, 'main', [{ files: { '-f': Buffer.from('one\n\tTW\xd6\nthree\n', 'latin1') } }])
  const parts = async (range?: { start: number; end: number }) =>
    (await blame(repository, head, '-f', range)).map(({ commit, lines }) => ({ id: commit.id, lines }))

  assert.deepEqual(await parts(), [
    { id: first, lines: ['one'] },
    { id: head, lines: ['\tTWÖ'] },
    { id: first, lines: ['three'] },
  ])
  assert.deepEqual(await parts({ start: 2, end: 2 }), [{ id: head, lines: ['\tTWÖ'] }])
})

test('blame says what a file was before a commit, also under another name, and not for what the commit created', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  const first = importCommits(repository, 'main', [{ files: { 'old "name"\tö.txt': lines.join('\n') } }])
  const head = importCommits(repository, 'main', [{ files: { 'old "name"\tö.txt': null, 'new.txt': lines.with(3, 'changed').join('\n') } }])

  const parts = await blame(repository, head, 'new.txt')

  assert.deepEqual(
    parts.map(({ commit, lines: { length }, previous }) => ({ id: commit.id, length, previous })),
    [
      { id: first, length: 3, previous: undefined },
      { id: head, length: 1, previous: { commit: first, path: 'old "name"\tö.txt' } },
      { id: first, length: 16, previous: undefined },
    ],
  )
})
