import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { answerOf } from './client.ts'
import { watchRefusals } from './unread_refusals.ts'

const refused = () => answerOf(404, { 'content-type': 'application/json' }, Buffer.from('{"message":"404 Not Found"}'))

suite('a refusal', () => {
  test('that no test looked at fails the scene, by its request', () => {
    const refusals = watchRefusals()
    refusals.watch(refused(), 'PUT /api/v4/projects/7')

    assert.throws(() => refusals.assertNone(), /PUT \/api\/v4\/projects\/7 answered 404 \{"message":"404 Not Found"\}/)
  })

  const looks: Readonly<Record<string, (answer: ReturnType<typeof refused>) => unknown>> = {
    'its status': answer => answer.status,
    'its body': answer => answer.body.message,
    'a header': answer => answer.headers['content-type'],
    'all of it': answer => assert.deepEqual(answer, { status: 404, body: { message: '404 Not Found' } }),
  }
  for (const [part, look] of Object.entries(looks))
    test(`is looked at by ${part}`, () => {
      const refusals = watchRefusals()
      look(refusals.watch(refused(), 'GET /api/v4/projects/7'))

      refusals.assertNone()
    })

  test('is compared as any answer is', () => {
    assert.throws(() => assert.deepEqual(watchRefusals().watch(refused(), ''), { status: 403, body: { message: '404 Not Found' } }))
  })
})

test('an answer that is no refusal is nobody’s duty to read', () => {
  const refusals = watchRefusals()
  refusals.watch(answerOf(200, {}, Buffer.alloc(0)), 'GET /api/v4/version')

  refusals.assertNone()
})
