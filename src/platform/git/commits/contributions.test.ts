import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gitProcesses } from '../process/run.ts'
import { importCommits, openScene } from '../scene.ts'
import { contributions, contributors } from './contributions.ts'

const day = (date: string) => `${Date.parse(`${date}T12:00:00Z`) / 1000} +0000`

test('contributors are one row per address, by the name that most commits have', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const people = [
    'Ada L <ada@example.com>',
    'Zoe <zoe@example.com>',
    'Bob <bob@example.com>',
    'Ada <ada@example.com>',
    'Ada <ada@example.com>',
  ]
  const head = importCommits(
    repository,
    'main',
    people.map(author => ({ author })),
  )
  assert.deepEqual(await contributors(repository, head), [
    { name: 'Ada', email: 'ada@example.com', commits: 3 },
    { name: 'Bob', email: 'bob@example.com', commits: 1 },
    { name: 'Zoe', email: 'zoe@example.com', commits: 1 },
  ])
})

test('the first contributors have the days of their commits, the others share theirs; asked again it costs no process', async () => {
  await using scene = await openScene()
  const repository = await scene.repository()
  const commits = ['a', 'b', 'c', 'd', 'e'].flatMap(name => [
    { author: `${name} <${name}@example.com>`, date: day('2021-04-01') },
    { author: `${name} <${name}@example.com>`, date: day('2021-04-03') },
  ])
  const head = importCommits(repository, 'main', [
    ...commits,
    { author: 'f <f@example.com>', date: day('2021-04-03') },
    { author: 'g <g@example.com>', date: day('2021-04-03') },
  ])
  const { people, days, otherDays } = await contributions(repository, head)
  assert.equal(people.length, 7)
  assert.equal(days.length, 5)
  assert.deepEqual(Object.fromEntries(days[4] ?? []), { '2021-04-01': 1, '2021-04-03': 1 })
  assert.deepEqual(Object.fromEntries(otherDays), { '2021-04-03': 2 })

  const before = gitProcesses.started
  await contributions(repository, head)
  assert.equal(gitProcesses.started, before)
})
