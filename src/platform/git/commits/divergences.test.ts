import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gitProcesses } from '../process/run.ts'
import { git, importCommits, openScene } from '../scene.ts'
import { heldBy } from './divergences.ts'

test('the commits that another one holds are found by one process, and by none the next time', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{}, {}])
  const old = git(repository, ['rev-parse', `${base}~1`])
  const open = importCommits(repository, 'open', [{ message: 'open' }], base)
  const side = importCommits(repository, 'side', [{ message: 'side' }], base)
  const tip = git(repository, ['commit-tree', `${base}^{tree}`, '-p', base, '-p', side, '-m', 'Merge'])
  const alone = git(repository, ['commit-tree', `${base}^{tree}`, '-m', 'Alone'])

  const started = gitProcesses.started
  assert.deepEqual(await heldBy(repository, [old, open, side, alone, base, tip], tip), new Set([old, side, base, tip].sort()))
  assert.equal(gitProcesses.started - started, 1)
  assert.deepEqual(await heldBy(repository, [tip, alone, base, side, open, old, old], tip), new Set([old, side, base, tip].sort()))
  assert.equal(gitProcesses.started - started, 1)
  assert.deepEqual(await heldBy(repository, [], tip), new Set())
})
