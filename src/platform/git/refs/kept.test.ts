import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveCommit } from '../objects/objects.ts'
import { zeroId } from '../objects/oid.ts'
import { gitProcesses } from '../process/run.ts'
import { git, importCommits, openScene } from '../scene.ts'
import { copyCommits } from '../storage/copies.ts'
import { housekeeping } from '../storage/maintenance.ts'
import { keepAround, keepAroundRef, mergeRequestRef } from './kept.ts'
import { allRefs } from './list.ts'
import { updateRefs } from './update.ts'

test('the references of a merge request and of a kept commit have one name each', () => {
  assert.equal(mergeRequestRef(7, 'head'), 'refs/merge-requests/7/head')
  assert.equal(mergeRequestRef(7, 'merge'), 'refs/merge-requests/7/merge')
  assert.throws(() => mergeRequestRef(0, 'head'), { kind: 'invalid' })
  assert.throws(() => keepAroundRef('main'), { kind: 'invalid' })
})

test('many commits are kept by one process, and again by none', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  importCommits(
    repository,
    'main',
    Array.from({ length: 50 }, () => ({})),
  )
  const ids = git(repository, ['rev-list', 'main']).split('\n')
  // The reader, which stays.
  await resolveCommit(repository, 'f'.repeat(40))

  const before = gitProcesses.started
  await keepAround(repository, [...ids.slice(10), ...ids.slice(20)])
  assert.equal(gitProcesses.started, before + 1)
  // At the same time by two: both succeed.
  await Promise.all([keepAround(repository, ids), keepAround(repository, ids)])
  const after = gitProcesses.started
  await keepAround(repository, ids)
  assert.equal(gitProcesses.started, after)

  const refs = await allRefs(repository)
  for (const id of ids) assert.equal(refs.get(`refs/keep-around/${id}`), id)
  await assert.rejects(keepAround(repository, ['f'.repeat(40)]), { kind: 'invalid' })
})

test('what a kept commit reaches survives housekeeping and a prune of everything else', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  importCommits(repository, 'main', [{ files: { a: '1' } }])
  const [kept, shown, lost] = ['kept', 'shown', 'lost'].map(name => importCommits(repository, name, [{ files: { [name]: name } }]))
  await keepAround(repository, [kept!])
  await updateRefs(repository, [
    { ref: mergeRequestRef(1, 'head'), old: zeroId, new: shown! },
    ...['kept', 'shown', 'lost'].map((name, index) => ({ ref: `refs/heads/${name}`, old: [kept!, shown!, lost!][index]!, new: zeroId })),
  ])

  await housekeeping(repository)
  git(repository, ['repack', '-A', '-d', '-q', '--unpack-unreachable=now'])
  git(repository, ['prune', '--expire=now'])

  assert.equal(git(repository, ['show', `${kept}:kept`]), 'kept')
  assert.equal(git(repository, ['show', `${shown}:shown`]), 'shown')
  assert.throws(() => git(repository, ['cat-file', '-e', lost!]))
  git(repository, ['fsck', '--strict', '--connectivity-only'])
})

test('commits of a fork are brought with all that they reach, and survive the fork', async () => {
  await using scene = await openScene()
  const [target, fork] = [await scene.repository(), await scene.repository()]
  const base = importCommits(target, 'main', [{ files: { a: '1' } }])
  git(fork, ['fetch', '-q', target.path, 'main:main'])
  const first = importCommits(fork, 'topic', [{ files: { b: '1' } }], base)
  const second = importCommits(fork, 'topic', [{ files: { b: '2' } }], base)
  const references = await allRefs(target)

  // `first` is on no branch any more.
  await resolveCommit(fork, 'main')
  const before = gitProcesses.started
  await copyCommits(target, fork, [first, second, second])
  assert.equal(gitProcesses.started, before + 1)
  await copyCommits(target, fork, [second])
  await assert.rejects(copyCommits(target, fork, [base, 'f'.repeat(40)]), { kind: 'not_found' })
  await scene.storage.remove(fork)
  git(target, ['prune', '--expire=now'])

  assert.deepEqual(
    await allRefs(target),
    new Map(
      [...[first, second].sort().map(id => [`refs/keep-around/${id}`, id] as const), ...references].sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  )
  assert.equal(git(target, ['show', `${first}:b`]), '1')
  assert.equal(git(target, ['show', `${second}:b`]), '2')
  // Within one repository nothing has to be brought.
  await copyCommits(target, target, [base])
  assert.equal((await allRefs(target)).get(keepAroundRef(base)), base)
})
