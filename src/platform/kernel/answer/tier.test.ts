/** Document 1 "Notation": fields of a paid tier exist on that tier alone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type from 'typebox'
import { Nullable, onTier } from '../declaration/types.ts'
import { shownOn } from './tier.ts'

const Epic = Type.Object({ id: Type.Integer(), health: onTier('ultimate', Type.String()) })
const Issue = Type.Object({
  iid: Type.Integer(),
  weight: onTier('premium', Nullable(Type.Integer())),
  epic: onTier('premium', Nullable(Epic)),
  related: Type.Array(Type.Object({ iid: Type.Integer(), weight: onTier('premium', Type.Integer()) })),
})

const issue = { iid: 1, weight: 5, epic: { id: 2, health: 'good' }, related: [{ iid: 3, weight: 4 }] }

describe('an answer', () => {
  test('of the highest tier is whole, and no copy', () => assert.equal(shownOn('ultimate', Issue)(issue), issue))

  test('of a tier between lacks what is above it, inside of what is nullable too', () =>
    assert.deepEqual(shownOn('premium', Issue)(issue), { ...issue, epic: { id: 2 } }))

  test('of the lowest tier lacks all of it, inside of lists too', () =>
    assert.deepEqual(shownOn('free', Issue)(issue), { iid: 1, related: [{ iid: 3 }] }))

  test('with null where there could be more keeps it', () =>
    assert.deepEqual(shownOn('premium', Issue)({ ...issue, epic: null }), { ...issue, epic: null }))

  test('is made without a change to what it is made from', () => {
    shownOn('free', Issue)(issue)

    assert.deepEqual(Object.keys(issue), ['iid', 'weight', 'epic', 'related'])
  })
})
