/** The check that all tests run under, tested itself: what it must notice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { choice, plain } from '../../src/platform/kernel/answer/entity.ts'
import { rest } from '../../src/platform/kernel/declaration/dialect.ts'
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

const declare = (answers: object, more: Partial<Parameters<typeof endpoint>[0]> = {}) =>
  endpoint({
    route: 'POST /things',
    summary: 'x',
    scope: inInstance,
    can: 'read_instance',
    answers: answers as Nothing,
    run: () => {},
    ...more,
  } as Parameters<typeof endpoint>[0])
const check = (answers: object, value: unknown, status = 201, tier: 'free' | 'ultimate' = 'ultimate') =>
  checkOf(declare(answers), tier)(status, value === undefined ? undefined : Buffer.from(JSON.stringify(value)))

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

/** What is noticed of a refusal with this status and body. */
const refusal = (more: object, status: number, body: unknown) =>
  checkOf(declare(nothing, more), 'ultimate')(status, body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
const says = { message: 'Words' }

test('a refusal that the declaration does not name is noticed', () => {
  assert.match(refusal({}, 409, says) ?? '', /name it in `errors`/)
  assert.match(refusal({}, 404, says) ?? '', /name it in `errors`/)
  assert.equal(refusal({ errors: ['conflict', 'not_found'] }, 409, says), undefined)
  assert.equal(refusal({ errors: ['conflict', 'not_found'] }, 404, says), undefined)
})

test('what follows from the rest of the declaration is not named: credentials, parameters, the ids of the path, the scope', () => {
  for (const status of [400, 401, 403, 413, 429]) assert.equal(refusal({}, status, says), undefined)
  assert.equal(refusal({}, 415, { error: 'Words' }), undefined)
  assert.equal(refusal({ route: 'GET /things/:id', scope: { ...inInstance, path: { id: Type.Integer() } } }, 404, says), undefined)
  assert.equal(refusal({ scope: { ...inInstance, errors: () => ['conflict'] } }, 409, says), undefined)
  assert.match(refusal({ route: 'GET /things' }, 400, says) ?? '', /name it/)
  assert.match(refusal({ route: 'DELETE /things' }, 412, says) ?? '', /name it/)
  assert.equal(refusal({ route: 'DELETE /things', scope: { ...inInstance, modifiedAt: () => '' } }, 412, says), undefined)
})

test('the body of a refusal is in the words of its dialect', () => {
  assert.match(refusal({ errors: ['conflict'] }, 409, { reason: 'Words' }) ?? '', /its body/)
  assert.match(refusal({ errors: ['conflict'] }, 409, { message: 'Words', more: 1 }) ?? '', /its body/)
  assert.equal(refusal({ errors: ['conflict'] }, 409, { message: ['One', 'Other'] }), undefined)
  assert.equal(refusal({ errors: ['not_modified'] }, 304, undefined), undefined)
  const dialect = { ...rest, statuses: { bad_request: 422 }, refusalBody: Type.Object({ error: Type.String() }) }
  assert.equal(refusal({ dialect }, 422, { error: 'Words' }), undefined)
  assert.match(refusal({ dialect }, 422, says) ?? '', /its body/)
  assert.match(refusal({ dialect }, 400, { error: 'Words' }) ?? '', /name it/)
})
