import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StatementNames } from './prepared.ts'

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

test('rare statements, and those beyond the limit, stay without a name', () => {
  const names = new StatementNames()
  for (let i = 0; i < 5_000; i++) assert.equal(names.nameOf(list(`t${i}`)), undefined)
  const named = Array.from({ length: 100 }, (_, i) => Array.from({ length: 40 }, () => names.nameOf(list(`often_${i}`))).at(-1))
  assert.equal(named.filter(name => name !== undefined).length, 60)
})

test('statements that control a transaction are not named', () => {
  const names = new StatementNames()
  for (let i = 0; i < 100; i++) assert.equal(names.nameOf('begin'), undefined)
})

test('statements that are planned anew for their values are not named', () => {
  const names = new StatementNames()
  for (let i = 0; i < 100; i++) assert.equal(names.nameOf(`${list('issues')} /* planned anew */`), undefined)
})
