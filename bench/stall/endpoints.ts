/** The valid request of every endpoint, in the world of the derived tests. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../../src/server/endpoints.ts'
import { ablest, openWorld, requestFor } from '../../test/derived/world.ts'
import { LIMIT, longestHold } from './hold.ts'

const world = await openWorld()

test(`no endpoint holds the event loop for ${LIMIT} ms`, async t => {
  const holds: { readonly route: string; readonly hold: number }[] = []
  for (const endpoint of endpoints) {
    const persona = ablest(endpoint)
    const request = requestFor(world, endpoint, persona, 'private')
    holds.push({ route: endpoint.route, hold: await longestHold(() => world.send(persona, request)) })
  }
  const longest = holds.sort((one, other) => other.hold - one.hold)
  for (const { route, hold } of longest.slice(0, 10)) t.diagnostic(`${hold.toFixed(1).padStart(7)} ms  ${route}`)
  assert.deepEqual(
    longest.filter(({ hold }) => hold > LIMIT).map(({ route }) => route),
    [],
  )
})
