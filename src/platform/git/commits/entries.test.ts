import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importCommits, openScene } from '../scene.ts'
import { lastCommitsOfEntries } from './entries.ts'

test('a walk that may take no time answers what it found, and the next one to its end the commit of every entry', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const first = importCommits(repository, 'main', [{ files: { 'd/old': '1', 'd/new': '1' } }])
  const changes = Array.from({ length: 5_000 }, (_, number) => ({ files: { 'd/new': String(number) } }))
  const last = importCommits(repository, 'main', changes, first)
  const names = ['old', 'new']

  const early = await lastCommitsOfEntries(repository, last, 'd', names, 1)
  assert.equal(early.isComplete, false)
  assert.equal(early.found.get('old'), undefined)

  const all = await lastCommitsOfEntries(repository, last, 'd', names)
  assert.ok(all.isComplete)
  assert.deepEqual(Object.fromEntries(all.found), { new: last, old: first })
  // What is known takes no time.
  assert.equal((await lastCommitsOfEntries(repository, last, 'd', names, 1_000)).isComplete, true)
})

test('a walk ends within its time, and is complete where that suffices', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const head = importCommits(repository, 'main', [{ files: { a: '1' } }, { files: { 'b/c': '2' } }])
  const { found, isComplete } = await lastCommitsOfEntries(repository, head, '', ['a', 'b'], 10_000)
  assert.ok(isComplete)
  assert.equal(found.get('b'), head)
})
