import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TextCache } from './text_cache.ts'

test('an answer is made once for the same parts, and again once others took its room', async () => {
  const cache = new TextCache<string>(1_600, answer => answer.length)
  const made: string[] = []
  const ask = (...parts: string[]) =>
    cache.get(parts, async () => {
      made.push(parts.join('|'))
      return 'x'.repeat(50)
    })
  await ask('a', 'b')
  await ask('a', 'b')
  await ask('a|b')
  assert.deepEqual(made, ['a|b', 'a|b'], 'parts that read alike together are not the same')
  for (let number = 0; number < 14; number++) {
    await ask(String(number))
    await ask('a', 'b')
  }
  assert.equal(made.filter(name => name === 'a|b').length, 2, 'what is asked for again stays')
  for (let number = 20; number < 40; number++) await ask(String(number))
  await ask('a', 'b')
  assert.equal(made.filter(name => name === 'a|b').length, 3)
})

test('what is too long, or was refused, is not kept', async () => {
  const cache = new TextCache<string>(1_600, answer => answer.length)
  let asked = 0
  for (let round = 0; round < 2; round++)
    await cache.get(['long'], async () => {
      asked++
      return 'x'.repeat(101)
    })
  for (let round = 0; round < 2; round++)
    await assert.rejects(
      cache.get(['odd'], async () => {
        asked++
        throw new Error('odd')
      }),
    )
  assert.equal(asked, 4)
})

test('an answer that is made without waiting is kept as well', () => {
  const cache = new TextCache<string>(1_600, answer => answer.length)
  const made: string[] = []
  const ask = (text: string) =>
    cache.getNow([text], () => {
      made.push(text)
      return text.toUpperCase()
    })
  assert.deepEqual([ask('a'), ask('b'), ask('a')], ['A', 'B', 'A'])
  assert.deepEqual(made, ['a', 'b'])
})
