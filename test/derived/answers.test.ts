/** The check that all tests run under, tested itself: what it must notice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { choice, plain } from '../../src/platform/kernel/answer/entity.ts'
import { endpoint, type Nothing, nothing, one, pageOf } from '../../src/platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../src/platform/kernel/declaration/scope.ts'
import { DateTime, Nullable, OneOf, onTier } from '../../src/platform/kernel/declaration/types.ts'
import { checkOf } from './answers.ts'

const Thing = plain(
  'Thing',
  Type.Object({
    id: Type.Integer(),
    state: OneOf(['open', 'closed']),
    at: Nullable(DateTime('When it was made')),
    owner: Type.Optional(Type.Object({ name: Type.String() })),
    labels: Type.Array(Type.Object({ name: Type.String() })),
    weight: onTier('premium', Type.Integer()),
  }),
)
const good = { id: 1, state: 'open', at: '2021-06-01T12:00:00.000Z', labels: [{ name: 'a' }], weight: 1 }

const declare = (answers: object) =>
  endpoint({ route: 'POST /things', summary: 'x', scope: inInstance, can: 'read_instance', answers: answers as Nothing, run: () => {} })
const check = (answers: object, value: unknown, status = 201, tier: 'free' | 'ultimate' = 'ultimate') =>
  checkOf(declare(answers), tier)?.(status, value === undefined ? undefined : Buffer.from(JSON.stringify(value)))

test('an answer that is as declared passes', () => {
  assert.equal(check(one(Thing), good), undefined)
  assert.equal(check(one(Thing), { ...good, at: null, owner: { name: 'a' } }), undefined)
})

const violations: [string, unknown, RegExp][] = [
  ['a field that is missing', { ...good, state: undefined }, /required.*state/],
  ['a field that is not declared', { ...good, extra: 1 }, /extra/],
  ['a field that is not declared, inside', { ...good, owner: { name: 'a', id: 1 } }, /\/owner .*id/],
  ['a field that is not declared, in a list', { ...good, labels: [{ name: 'a', id: 1 }] }, /\/labels\/0 .*id/],
  ['a wrong type', { ...good, id: '1' }, /\/id must be integer/],
  ['null where there is none', { ...good, state: null }, /\/state/],
  ['a value that is not listed', { ...good, state: 'other' }, /\/state/],
  ['a text that is no date', { ...good, at: 'yesterday' }, /\/at/],
]
for (const [name, value, words] of violations) test(`${name} is noticed`, () => assert.match(check(one(Thing), value) ?? '', words))

test('fields above the tier must not be there, and fields of the tier must', () => {
  const { weight: _, ...free } = good
  assert.match(check(one(Thing), good, 201, 'free') ?? '', /weight/)
  assert.equal(check(one(Thing), free, 201, 'free'), undefined)
  assert.match(check(one(Thing), free) ?? '', /weight/)
})

test('every row of a page is looked at', () => {
  assert.equal(check(pageOf(Thing), [good, good], 200), undefined)
  assert.match(check(pageOf(Thing), [good, { ...good, id: 'x' }], 200) ?? '', /\/id/)
  assert.match(check(pageOf(Thing), good, 200) ?? '', /list/)
})

test('one of several sizes must fit exactly', () => {
  const Small = plain('Small', Type.Object({ id: Type.Integer() }))
  const sizes = choice<never>([Thing, Small] as never, () => Small as never)
  assert.equal(check(one(sizes), { id: 1 }), undefined)
  assert.equal(check(one(sizes), good), undefined)
  assert.match(check(one(sizes), { id: 1, other: 1 }) ?? '', /no Small.*other/)
})

test('status and emptiness are part of the declaration (decision 14)', () => {
  assert.match(check(one(Thing), good, 200) ?? '', /says 201/)
  assert.equal(check(one(Thing, 200), good, 200), undefined)
  assert.equal(check(nothing, undefined, 204), undefined)
  assert.match(check(nothing, undefined, 200) ?? '', /says 204/)
  assert.match(check(nothing, {}, 204) ?? '', /nothing/)
})
