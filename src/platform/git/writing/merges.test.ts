import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gitProcesses } from '../process/run.ts'
import { git, importCommits, openScene } from '../scene.ts'
import { checkMerge, mergeCommit } from './merges.ts'

const now = new Date('2021-06-01T10:00:00Z')
const ada = { name: 'Ada', email: 'ada@example.com' }
const bob = { name: 'Bob', email: 'bob@example.com' }
const text = { author: ada, committer: bob, message: 'Bring it in', now }

/** Two branches that fit together, and one that does not fit `main`. */
async function diverged(repository: Parameters<typeof git>[0] & object) {
  const base = importCommits(repository, 'main', [{ files: { a: '1\n', b: '1\n', ü: '1\n' } }])
  const source = importCommits(repository, 'topic', [{ files: { b: '2\n' } }, { files: { c: '1\n' } }], base)
  const clashing = importCommits(repository, 'clash', [{ files: { a: 'x\n', ü: 'x\n' } }], base)
  const target = importCommits(repository, 'main', [{ files: { a: '2\n', ü: '2\n' } }])
  return { base, source, clashing, target }
}

test('whether two commits merge is found out by one process, and nothing moves', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const { base, source, clashing, target } = await diverged(repository)
  const references = git(repository, ['for-each-ref'])
  const before = gitProcesses.started

  const clean = await checkMerge(repository, { target, source })
  const conflict = await checkMerge(repository, { target, source: clashing })

  assert.equal(gitProcesses.started, before + 2)
  assert.deepEqual(clean, { kind: 'clean', tree: git(repository, ['merge-tree', '--write-tree', target, source]) })
  assert.deepEqual(conflict, { kind: 'conflict', paths: ['a', 'ü'] })
  assert.deepEqual(await checkMerge(repository, { target, source: base }), {
    kind: 'clean',
    tree: git(repository, ['rev-parse', `${target}^{tree}`]),
  })
  assert.equal(git(repository, ['for-each-ref']), references)
  await assert.rejects(checkMerge(repository, { target, source: 'f'.repeat(40) }), { kind: 'corrupt' })
  await assert.rejects(checkMerge(repository, { target, source: 'topic' }), { kind: 'invalid' })
})

test('a merge has the target as its first parent', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const { source, clashing, target } = await diverged(repository)
  const before = gitProcesses.started
  const id = await mergeCommit(repository, { target, source, ...text })
  assert.equal(gitProcesses.started, before + 1)

  assert.equal(
    git(repository, ['show', '--no-patch', '--format=%P|%T|%an %cn|%B', id]),
    `${target} ${source}|${git(repository, ['merge-tree', '--write-tree', target, source])}|Ada Bob|Bring it in`,
  )
  await assert.rejects(mergeCommit(repository, { target, source: clashing, ...text }), { name: 'MergeConflict', paths: ['a', 'ü'] })
  git(repository, ['fsck', '--strict', '--no-dangling'])
})

test('what a merge comes to is asked of git once, as long as its tree is there', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const { source, clashing, target } = await diverged(repository)
  const first = await checkMerge(repository, { target, source })
  const clash = await checkMerge(repository, { target, source: clashing })
  const before = gitProcesses.started

  assert.deepEqual(await checkMerge(repository, { target, source }), first)
  assert.deepEqual(await checkMerge(repository, { target, source: clashing }), clash)
  assert.equal(gitProcesses.started, before)

  git(repository, ['prune', '--expire=now'])
  assert.deepEqual(await checkMerge(repository, { target, source }), first)
  assert.ok(gitProcesses.started > before)
  assert.equal(git(repository, ['cat-file', '-t', (first as { tree: string }).tree]), 'tree')
})

test('a repository that lacks objects is corrupt, and its branches are not said to conflict', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const { base, source, target } = await diverged(repository)
  for (const name of [base, `${source}^{tree}`, source]) {
    const id = git(repository, ['rev-parse', name])
    const file = join(repository.path, 'objects', id.slice(0, 2), id.slice(2))
    await rename(file, join(scene.directory, id))
    await assert.rejects(checkMerge(repository, { target, source }), { kind: 'corrupt' })
    await rename(join(scene.directory, id), file)
  }
  assert.equal((await checkMerge(repository, { target, source })).kind, 'clean')
})
