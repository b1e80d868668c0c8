import assert from 'node:assert/strict'
import { test } from 'node:test'
import { git, importCommits, openScene } from '../scene.ts'
import type { Repository } from '../storage/repository.ts'
import { listTree } from '../trees/trees.ts'
import { lastCommitsOfEntries } from './entries.ts'

const entriesAt = async (repository: Repository, commit: string, path: string) => (await listTree(repository, { commit, path }))?.rows ?? []

/** As a page asks for them, to their end. */
const lastCommits = async (repository: Repository, commit: string, path = 'd') =>
  Object.fromEntries((await lastCommitsOfEntries(repository, commit, path, await entriesAt(repository, commit, path))).found)

test('a walk that may take no time answers what it found, and the next one to its end the commit of every entry', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const first = importCommits(repository, 'main', [{ files: { 'd/old': '1', 'd/new': '1' } }])
  const changes = Array.from({ length: 5_000 }, (_, number) => ({ files: { 'd/new': String(number) } }))
  const last = importCommits(repository, 'main', changes, first)
  const entries = await entriesAt(repository, last, 'd')

  const early = await lastCommitsOfEntries(repository, last, 'd', entries, 1)
  assert.equal(early.isComplete, false)
  assert.equal(early.found.get('old'), undefined)

  const all = await lastCommitsOfEntries(repository, last, 'd', entries)
  assert.ok(all.isComplete)
  assert.deepEqual(Object.fromEntries(all.found), { new: last, old: first })
  // What is known takes no time.
  assert.equal((await lastCommitsOfEntries(repository, last, 'd', entries, 1_000)).isComplete, true)
})

test('a walk ends within its time, and is complete where that suffices', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const head = importCommits(repository, 'main', [{ files: { a: '1' } }, { files: { 'b/c': '2' } }])
  const { found, isComplete } = await lastCommitsOfEntries(repository, head, '', await entriesAt(repository, head, ''), 10_000)
  assert.ok(isComplete)
  assert.equal(found.get('b'), head)
})

test('after a push only what came with it is walked: a moment suffices for a long history that was walked before', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const first = importCommits(repository, 'main', [{ files: { 'd/old': '1', 'd/new': '1', 'd/gone': '1', 'd/mode': '1' } }])
  const changes = Array.from({ length: 5_000 }, (_, number) => ({ files: { 'd/new': String(number) } }))
  const before = importCommits(repository, 'main', changes, first)
  await lastCommits(repository, before)

  const revert = importCommits(repository, 'main', [{ files: { 'd/old': '2' } }, { files: { 'd/old': '1' } }], before)
  const head = importCommits(
    repository,
    'main',
    [{ files: { 'd/gone': null, 'd/mode': { mode: '100755', content: '1' }, 'd/made': '1', e: '1' } }],
    revert,
  )
  const { found, isComplete } = await lastCommitsOfEntries(repository, head, 'd', await entriesAt(repository, head, 'd'), 1_000)
  assert.ok(isComplete)
  assert.deepEqual(Object.fromEntries(found), { old: revert, new: before, mode: head, made: head })
  // A commit that is not in the history of what is known, and one before it.
  const other = importCommits(repository, 'other', [{ files: { 'd/old': '3' } }], first)
  assert.deepEqual(await lastCommits(repository, other), { old: other, new: first, gone: first, mode: first })
})

test('the answer by an earlier one is that of the whole history, also where branches were merged', async () => {
  await using scene = await openScene()
  const [known, other] = [await scene.repository(), await scene.repository()]
  const base = importCommits(known, 'main', [{ files: { 'd/a': '1', 'd/b': '1', 'd/c': '1' } }])
  const main = importCommits(known, 'main', [{ files: { 'd/a': '2' }, date: '1600000500 +0000' }], base)
  const side = importCommits(known, 'side', [{ files: { 'd/b': '2', 'd/a': '3' } }], base)
  await lastCommits(known, main)
  const mergeOf = (a: string) => {
    const tree = ['a', 'b', 'c'].map(name => `100644 blob ${git(known, ['rev-parse', `${name === 'a' ? a : side}:d/${name}`])}\t${name}\n`)
    const root = git(known, ['mktree'], `040000 tree ${git(known, ['mktree'], tree.join(''))}\td\n`)
    return git(known, ['commit-tree', '-m', 'Merge', '-p', main, '-p', side, root])
  }
  // One takes what the branch made of `a`, too; in the other the branch has lost it.
  for (const from of [side, main]) {
    const merge = mergeOf(from)
    git(known, ['update-ref', 'refs/heads/merged', merge])
    git(other, ['fetch', '--quiet', known.path, 'merged'])
    const answer = await lastCommits(known, merge)
    assert.deepEqual([answer.b, answer.c], [side, base])
    if (from === side) assert.equal(answer.a, side)
    assert.deepEqual(await lastCommits(other, merge), answer)
  }
})
