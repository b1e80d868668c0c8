/** Searches in many texts and in long ones: the process goes on with other work, and all of them have a time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RE2JS } from 're2js'
import { workFor } from '../kernel/request/bounds/holder.ts'
import { compiledPattern, PatternTooCostly } from './patterns.ts'
import { PatternSearch } from './search.ts'

/** An expression that no search in texts of `a` and `b` ends soon with, and never finds: each text is another one. */
const costly = compiledPattern('(?s)b.{400}c') as RE2JS
const hostile = (length: number, seed: number): string =>
  `c${Array.from({ length }, (_, at) => ((at * at + at * seed * 7919) % 31 < 15 ? 'a' : 'b')).join('')}`

/** What `work` comes to, and how many turns the event loop has taken meanwhile. */
async function withTurns<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number }> {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    return { result: await work(), turns }
  } finally {
    isOver = true
  }
}

test('long texts are read by ordinary expressions, with the flags of the expression', async () => {
  const search = new PatternSearch()
  try {
    const text = `${'a line\n'.repeat(100_000)}Fixes #1`
    assert.equal(await search.isFound(compiledPattern('(?m)^(Fixes|Closes) #\\d+$') as RE2JS, text), true)
    assert.equal(await search.isFound(compiledPattern('(?m)^fixes') as RE2JS, text), false)
    assert.equal(await search.isFound(compiledPattern('FIXES', 1) as RE2JS, text), true)
  } finally {
    search.close()
  }
})

test('between many short searches other work is done', async () => {
  const search = new PatternSearch({ inline: Number.POSITIVE_INFINITY, time: 60_000 })
  const { turns } = await withTurns(async () => {
    for (let seed = 0; seed < 60; seed++) assert.equal(await search.isFound(costly, hostile(1_000, seed)), false)
  })
  assert.ok(turns >= 3, `${turns} turns`)
})

test('all searches together have a time, in a thread and outside of one, and the next work has its own', async () => {
  for (const inline of [0, Number.POSITIVE_INFINITY]) {
    const search = new PatternSearch({ inline, time: 20 })
    const { result, turns } = await withTurns(async () => {
      for (let seed = 0; ; seed++) {
        const found = await search.isFound(costly, hostile(20_000, seed)).catch(error => error)
        if (found !== false) return found
      }
    })
    search.close()
    assert.ok(result instanceof PatternTooCostly, String(result))
    assert.ok(turns >= 1)
  }
  const next = new PatternSearch({ inline: 0, time: 60_000 })
  assert.equal(await next.isFound(costly, `b${'a'.repeat(400)}c`), true)
  next.close()
})

test('a caller whose thread searches keeps no other caller waiting', async () => {
  const limits = { inline: 0, time: 60_000 }
  const [first, second] = [new PatternSearch(limits), new PatternSearch(limits)]
  await workFor('user:1', () => first.isFound(costly, 'b'))
  assert.equal(await workFor('user:2', () => second.isFound(costly, 'b')), false)
  first.close()
  second.close()
})
