import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImmutableCache } from './immutable_cache.ts'

/** Answers with the question in capitals, and counts how often it was asked. */
function asker() {
  const asked: string[] = []
  const ask = (question: string) => async () => {
    asked.push(question)
    return question.toUpperCase()
  }
  return { asked, ask }
}

test('a question is asked once, by however many at the same time', async () => {
  const { asked, ask } = asker()
  const lasting = new ImmutableCache<string>(10)

  const answers = await Promise.all([lasting.get('a', ask('a')), lasting.get('a', ask('a'))])

  assert.deepEqual(answers, ['A', 'A'])
  assert.equal(await lasting.get('a', ask('a')), 'A')
  assert.deepEqual(asked, ['a'])
})

test('the answer not asked for the longest makes room', async () => {
  const { asked, ask } = asker()
  const lasting = new ImmutableCache<string>(2)
  for (const question of ['a', 'b', 'a', 'c']) await lasting.get(question, ask(question))

  for (const question of ['a', 'c', 'b']) await lasting.get(question, ask(question))

  assert.deepEqual(asked, ['a', 'b', 'c', 'b'])
})

test('a failure reaches those who wait, and the next to ask asks again', async () => {
  const { ask } = asker()
  const lasting = new ImmutableCache<string>(2)
  const fail = () => Promise.reject(new Error('no'))

  await Promise.all([assert.rejects(lasting.get('a', fail)), assert.rejects(lasting.get('a', ask('a')))])

  assert.equal(await lasting.get('a', ask('a')), 'A')
})

test("an answer that is too large is everyone's who waits for it, and not kept", async () => {
  const { asked, ask } = asker()
  const lasting = new ImmutableCache<string>(10, answer => answer.length < 2)

  const answers = await Promise.all(['ab', 'ab', 'c'].map(question => lasting.get(question, ask(question))))
  for (const question of ['ab', 'c']) await lasting.get(question, ask(question))

  assert.deepEqual(answers, ['AB', 'AB', 'C'])
  assert.deepEqual(asked, ['ab', 'c', 'ab'])
})
