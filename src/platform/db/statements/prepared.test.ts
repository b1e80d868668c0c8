import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planningOf, StatementNames } from './prepared.ts'

const list = (table: string) => `select id, name, path from ${table} order by id limit $1`

test('a statement that comes often keeps one name, and others have their own', () => {
  const names = new StatementNames()
  const first = Array.from({ length: 40 }, () => names.nameOf(list('projects')))
  const second = Array.from({ length: 40 }, () => names.nameOf(list('groups')))

  assert.equal(first[0], undefined)
  assert.match(String(first.at(-1)), /^ingot_[0-9a-f]{40}$/)
  assert.equal(new Set(first.slice(30)).size, 1)
  assert.notEqual(first.at(-1), second.at(-1))
})

test('rare statements stay without a name', () => {
  const names = new StatementNames()
  for (let i = 0; i < 5_000; i++) assert.equal(names.nameOf(list(`t${i}`)), undefined)
})

test('beyond the limit a statement takes the name of the one that has not come for the longest time', () => {
  const names = new StatementNames()
  const comeOften = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => Array.from({ length: 40 }, () => names.nameOf(list(`often_${from + i}`))).at(-1))
  const [first, second] = comeOften(0, 200)
  assert.equal(names.lost, 0)
  names.nameOf(list('often_0'))
  comeOften(200, 201)

  assert.equal(names.lost, 1)
  assert.ok(first && names.isInUse(first))
  assert.ok(second && !names.isInUse(second))
  assert.equal(names.nameOf(list('often_1')), undefined)
})

test('statements that control a transaction are not named', () => {
  const names = new StatementNames()
  for (let i = 0; i < 100; i++) assert.equal(names.nameOf('begin'), undefined)
})

test('statements that have a custom plan are not named', () => {
  const names = new StatementNames()
  for (let i = 0; i < 100; i++) assert.equal(names.nameOf(`${list('issues')} /* custom plan */`), undefined)
})

for (const [statement, planning] of [
  ['select * from projects where id = any($1)', 'force_generic_plan'],
  ['update projects set limits = $1 where id = $2', 'force_generic_plan'],
  ['select * from issues order by id limit $1', 'auto'],
  ['SELECT * FROM issues LIMIT $1', 'auto'],
  ['/* generic plan */ select * from queue limit 1', 'force_generic_plan'],
] as const)
  test(`${statement}: ${planning}`, () => assert.equal(planningOf(statement), planning))
