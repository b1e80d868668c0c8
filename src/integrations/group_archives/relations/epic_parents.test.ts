import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ArchivedEpic, fittingParents } from './epic_parents.ts'

const top = { id: 1, traversal_ids: [1] }
const below = { id: 2, traversal_ids: [1, 2] }

/** Epics by their ids in the archive; those here are a hundred more. */
const epicsOf = (given: Readonly<Record<number, Partial<ArchivedEpic>>>) =>
  new Map(
    Object.entries(given).map(([id, epic]) => [
      Number(id),
      { id: 100 + Number(id), group: top, confidential: false, parent: undefined, place: Number(id), ...epic },
    ]),
  )

test('parents that fit are taken, in the order of the siblings', () => {
  const { fitting, refused } = fittingParents(epicsOf({ 1: {}, 2: { parent: 1, place: 9 }, 3: { parent: 1, group: below, place: 2 } }))
  assert.deepEqual(fitting, [
    { id: 103, parent_id: 101 },
    { id: 102, parent_id: 101 },
  ])
  assert.deepEqual(refused, [])
})

test('circles, groups below, secrets, depth and strangers are refused', () => {
  const circle = fittingParents(epicsOf({ 1: { parent: 3 }, 2: { parent: 1 }, 3: { parent: 2 }, 4: { parent: 4 } }))
  assert.deepEqual(
    [circle.fitting, circle.refused.map(({ id }) => id)],
    [
      [
        { id: 102, parent_id: 101 },
        { id: 103, parent_id: 102 },
      ],
      [1, 4],
    ],
  )
  const others = fittingParents(
    epicsOf({ 1: { group: below, confidential: true }, 2: { parent: 1 }, 3: { parent: 1, group: below }, 4: { parent: 9 } }),
  )
  assert.deepEqual(
    others.refused.map(({ why }) => why),
    ['its group is not above', 'it is confidential, and the epic is not', 'it is not in the archive'],
  )
  const deep = fittingParents(epicsOf(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [at + 1, at === 0 ? {} : { parent: at }]))))
  assert.deepEqual(
    deep.refused.map(({ id }) => id),
    [8],
    'the eighth begins a line of its own',
  )
})
