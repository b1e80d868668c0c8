import assert from 'node:assert/strict'
import { test } from 'node:test'
import { git, importCommits, openScene } from '../scene.ts'
import type { Repository } from '../storage/repository.ts'
import { type Descent, descentOf } from './ancestry.ts'

async function chunksOf(repository: Repository, tips: readonly string[], limit: number): Promise<(readonly Descent[])[]> {
  const chunks: (readonly Descent[])[] = []
  for await (const chunk of descentOf(repository, tips, limit)) chunks.push(chunk)
  return chunks
}

test('commits come with their parents, children first, merges of many among them, up to the limit', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const base = importCommits(repository, 'main', [{}, {}])
  const sides = ['a', 'b', 'c'].map((name, index) => importCommits(repository, name, [{ message: `${index}` }], base))
  const tree = git(repository, ['rev-parse', `${base}^{tree}`])
  const octopus = git(repository, ['commit-tree', tree, ...sides.flatMap(side => ['-p', side]), '-m', 'All'])
  const all = (await chunksOf(repository, [octopus, base], 100)).flat()

  assert.equal(all.length, 6)
  assert.deepEqual(all[0], { id: octopus, parents: sides })
  const place = new Map(all.map(({ id }, index) => [id, index]))
  for (const [index, { parents }] of all.entries()) for (const parent of parents) assert.ok((place.get(parent) as number) > index)
  assert.equal((await chunksOf(repository, [octopus], 2)).flat().length, 2)
})

test('a history of more than one chunk comes whole', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const head = importCommits(
    repository,
    'main',
    Array.from({ length: 2_500 }, () => ({})),
  )
  const chunks = await chunksOf(repository, [head], 10_000)
  assert.deepEqual(
    chunks.map(({ length }) => length),
    [1_000, 1_000, 500],
  )
})
