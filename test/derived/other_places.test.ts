/**
 * What is in one place is not found by the address of another: each endpoint is asked for a thing of the private place in the public one, by a caller
 * who may do everything in both.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../src/server/endpoints.ts'
import { pathFor } from './examples.ts'
import { ablest, addressFor, openWorld, requestFor } from './world.ts'

/** The parameters of a path that name the place. */
const placeNames = ['id', 'project_path', 'group_path', 'place_path', 'repository_path']

/** The last parameter of these names a thing of any place. May only shrink. */
const takesOthers: readonly string[] = [
  // An epic of another group: refused by its rules (400).
  'POST /groups/:id/epics/:epic_iid/epics/:child_epic_id',
]

/** Parameters that name a state of a thing, and nothing that lies in a place. */
const states = ['revision']

const world = await openWorld()

test('a thing of another place is not found', async () => {
  const found: string[] = []
  let tried = 0
  for (const endpoint of endpoints) {
    const persona = ablest(endpoint)
    const [here, there] = [pathFor(world, endpoint, persona, 'public'), pathFor(world, endpoint, persona, 'private')]
    const place = placeNames.find(name => name in here && here[name] !== there[name])
    const named = new Set(endpoint.route.match(/(?<=[:*])\w+/g))
    const things = Object.keys(here).filter(
      name => named.has(name) && name !== place && !states.includes(name) && here[name] !== there[name],
    )
    if (place === undefined || things.length === 0 || takesOthers.includes(endpoint.route)) continue
    tried++
    const path = addressFor(endpoint, { ...there, [place]: here[place] as string })
    const { status } = await world.send(persona, { ...requestFor(world, endpoint, persona, 'public'), path })
    if (status !== 404) found.push(`${endpoint.route}: ${status}`)
  }
  assert.ok(tried > 400, String(tried))
  assert.deepEqual(found, [], 'you are here because a scope finds a thing by its id alone, and not within the place of the address')
})
