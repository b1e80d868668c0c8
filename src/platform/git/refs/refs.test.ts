import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { readRefs } from '../objects/objects.ts'
import { zeroId } from '../objects/oid.ts'
import { gitProcesses } from '../process/run.ts'
import { git, importCommits, openScene } from '../scene.ts'
import { allRefs, listBranches, listTags, mergedBranches, nameFilter, refsContaining } from './list.ts'
import { isValidRefName, isValidShortName } from './names.ts'
import { stateOfRefs } from './state.ts'
import { outcomesOf, RefConflict, updateRefs } from './update.ts'

const shortNames: readonly [string, boolean][] = [
  ['main', true],
  ['feature/ä-1', true],
  ['a@b', true],
  ['{x}', true],
  ['a.b', true],
  ['deadbeef', true],
  ['', false],
  ['a b', false],
  ['a..b', false],
  ['a.', false],
  ['.a', false],
  ['a/.b', false],
  ['a//b', false],
  ['/a', false],
  ['a/', false],
  ['a.lock', false],
  ['a.lock/b', false],
  ['a~1', false],
  ['a^', false],
  ['a:b', false],
  ['a?', false],
  ['a*', false],
  ['a[', false],
  ['a\\b', false],
  ['a\u007f', false],
  ['a\tb', false],
  ['a@{1}', false],
]

test('the names that references may have are those of git', () => {
  for (const [name, valid] of shortNames) {
    let says = true
    try {
      git('/', ['check-ref-format', `refs/heads/${name}`])
    } catch {
      says = false
    }
    assert.equal(says, valid, `git on ${name}`)
    assert.equal(isValidRefName(`refs/heads/${name}`), valid, name)
  }
})

test('some names that git allows are refused for branches and tags', () => {
  for (const name of ['-x', 'HEAD', '@', 'refs/heads/x', 'a'.repeat(40), 'A'.repeat(40)]) assert.equal(isValidShortName(name), false, name)
  for (const name of ['refs/refs/x', 'refs/heads/refs/heads/x', 'HEAD', 'heads/x', 'refs/heads'])
    assert.equal(isValidRefName(name), false, name)
})

test('search takes a part of the name, its start, its end, or all of it', () => {
  const fits = (search: string) => ['Alpha', 'beta', 'alphabet'].filter(nameFilter(search))
  assert.deepEqual(fits('alpha'), ['Alpha', 'alphabet'])
  assert.deepEqual(fits('^al'), ['Alpha', 'alphabet'])
  assert.deepEqual(fits('bet$'), ['alphabet'])
  assert.deepEqual(fits('^ALPHA$'), ['Alpha'])
  assert.deepEqual(fits(''), ['Alpha', 'beta', 'alphabet'])
})

test('branches and tags are listed in the asked order, each list by one process', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const old = importCommits(repository, 'b', [{ date: '1600000000 +0000' }])
  const young = importCommits(repository, 'a', [{ date: '1700000000 +0000' }])
  for (const name of ['v1.10', 'v1.9', 'v1.2']) git(repository, ['tag', name, old])
  git(repository, ['tag', '-a', '-m', 'note', 'note', young])
  const before = gitProcesses.started

  const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
  assert.deepEqual(await listBranches(repository), [
    { name: 'a', commit: young },
    { name: 'b', commit: old },
  ])
  assert.deepEqual(names(await listBranches(repository, { order: 'updated' })), ['b', 'a'])
  assert.deepEqual(names(await listBranches(repository, { order: 'updated', sort: 'desc' })), ['a', 'b'])
  assert.deepEqual(names(await listTags(repository, { order: 'version', search: '^v' })), ['v1.2', 'v1.9', 'v1.10'])
  const [note] = await listTags(repository, { search: 'note' })
  assert.equal(note?.commit, young)
  assert.notEqual(note?.target, young)
  assert.equal(gitProcesses.started, before + 5)
})

test('merged branches of a page and references that contain a commit', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const first = importCommits(repository, 'main', [{}])
  const second = importCommits(repository, 'main', [{}])
  git(repository, ['branch', 'done', first])
  const open = importCommits(repository, 'open', [{ message: 'open' }], first)
  git(repository, ['tag', 'v1', second])

  assert.deepEqual(await mergedBranches(repository, ['done', 'open'], second), new Set(['done']))
  assert.deepEqual(await refsContaining(repository, second), [
    { type: 'branch', name: 'main' },
    { type: 'tag', name: 'v1' },
  ])
  assert.deepEqual(await refsContaining(repository, open, ['branch']), [{ type: 'branch', name: 'open' }])
})

test('references move by compare-and-swap, all or none', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const first = importCommits(repository, 'main', [{}])
  const second = importCommits(repository, 'main', [{}])

  await updateRefs(repository, [
    { ref: 'refs/heads/main', old: second, new: first },
    { ref: 'refs/tags/v1', old: zeroId, new: second },
  ])
  assert.deepEqual(await readRefs(repository, ['refs/heads/main', 'refs/tags/v1']), [first, second])

  const stale = [
    { ref: 'refs/tags/v1', old: second, new: zeroId },
    { ref: 'refs/heads/main', old: second, new: first },
  ]
  await assert.rejects(updateRefs(repository, stale), { kind: 'conflict', reason: 'moved', ref: 'refs/heads/main', actual: first })
  assert.deepEqual(await outcomesOf(repository, stale), ['not_made', 'made'])
  await assert.rejects(updateRefs(repository, [{ ref: 'refs/heads/main', old: zeroId, new: first }]), { reason: 'exists' })
  await assert.rejects(updateRefs(repository, [{ ref: 'refs/heads/main/x', old: zeroId, new: first }]), {
    reason: 'in_the_way',
    other: 'refs/heads/main',
  })
  await assert.rejects(updateRefs(repository, [{ ref: 'refs/heads/gone', old: first, new: second }]), { reason: 'moved', actual: zeroId })
  await assert.rejects(updateRefs(repository, [{ ref: 'refs/heads/x', old: zeroId, new: 'a'.repeat(40) }]), { kind: 'invalid' })
  await assert.rejects(updateRefs(repository, [{ ref: 'refs/heads/a b', old: zeroId, new: first }]), { kind: 'invalid' })
})

test('of twenty writers that want the same reference, one wins and the others hear it', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{}])
  const heads = Array.from({ length: 20 }, (_, index) => importCommits(repository, `writer-${index}`, [{ message: `by ${index}` }], base))

  const outcomes = await Promise.allSettled(heads.map(head => updateRefs(repository, [{ ref: 'refs/heads/main', old: base, new: head }])))

  const winners = heads.filter((_, index) => outcomes[index]!.status === 'fulfilled')
  assert.equal(winners.length, 1)
  assert.equal((await allRefs(repository)).get('refs/heads/main'), winners[0])
  for (const outcome of outcomes) if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof RefConflict)
})

test('a list is kept until a reference changes, however it changes', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const old = importCommits(repository, 'b', [{ date: '1600000000 +0000' }])
  const young = importCommits(repository, 'a', [{ date: '1700000000 +0000' }])
  const newestFirst = async () => (await listBranches(repository, { order: 'updated', sort: 'desc' })).map(({ name }) => name)
  const rested = () => eventually(async () => stateOfRefs(repository) !== undefined, 'the references to rest')

  const changes: readonly (readonly [of: string[], then: string[]])[] = [
    [
      ['pack-refs', '--all'],
      ['a', 'b'],
    ],
    [
      ['update-ref', 'refs/heads/c', young],
      ['a', 'c', 'b'],
    ],
    [
      ['update-ref', 'refs/heads/a', old],
      ['c', 'a', 'b'],
    ],
    [
      ['update-ref', '-d', 'refs/heads/b'],
      ['c', 'a'],
    ],
  ]
  for (const [change, then] of changes) {
    git(repository, change)
    assert.deepEqual(await newestFirst(), then, `just after ${change.join(' ')}`)
    await rested()
    assert.deepEqual(await newestFirst(), then, change.join(' '))
    const before = gitProcesses.started
    assert.deepEqual(await newestFirst(), then, 'kept')
    assert.deepEqual(await listBranches(repository, { order: 'updated', sort: 'desc', search: 'a' }), [
      { name: 'a', commit: change[1] === 'refs/heads/a' || change[1] === '-d' ? old : young },
    ])
    assert.equal(gitProcesses.started, before, 'no process')
  }
})
