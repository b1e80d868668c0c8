/**
 * Every change of weight leaves an entry in the audit log: the valid request of each writing endpoint is sent by whoever may, and must have
 * written one. What needs none is everyday work, by ability, or stands on a list with its reason (issue "Doors", 17).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ability } from '../../src/access/abilities.ts'
import { recordStatements } from '../../src/db/statements.ts'
import { endpoints } from '../../src/endpoints.ts'
import { isAuditStatement } from '../../src/events/audit/record.ts'
import type { Endpoint } from '../../src/kernel/endpoint.ts'
import { ablest, openWorld, type Persona, requestFor } from './world.ts'

/** What members do all day. Its history is the activity of the project, system notes and the pipelines themselves. */
const everyday: readonly Ability[] = []

/** Endpoints with another ability that need no entry, and why. May only shrink. */
const unaudited: Readonly<Record<string, string>> = {}

const world = await openWorld()

const writing = endpoints.filter(({ method }) => method !== 'GET')

/** Who sends the request, the ablest first: some endpoints are for one of them alone. */
const senders = (endpoint: Endpoint): Persona[] => [ablest(endpoint), 'owner', 'maintainer', 'developer', 'job', 'outsider', 'anonymous']

/** Whether the first request that succeeds writes an entry; undefined where none does. */
async function isAudited(endpoint: Endpoint): Promise<boolean | undefined> {
  for (const persona of senders(endpoint)) {
    const { result, statements } = await recordStatements(() => world.send(persona, requestFor(world, endpoint, persona, 'private')))
    if (result.status < 400) return statements.some(isAuditStatement)
  }
  return undefined
}

const outcomes = new Map<Endpoint, boolean | undefined>()
for (const endpoint of writing) outcomes.set(endpoint, await isAudited(endpoint))

test('every write that is no everyday work leaves an entry in the audit log', () => {
  const missing = writing.filter(
    endpoint => outcomes.get(endpoint) !== true && !everyday.includes(endpoint.can) && !(endpoint.route in unaudited),
  )
  assert.deepEqual(
    missing.map(({ route, can }) => `${route} (${can})`),
    [],
    'you are here because these writes leave nothing in the audit log: record an event that has a rule in src/events/audit, or say in `unaudited` why there is nothing to tell',
  )
})

test('every exception is needed', () => {
  const needless = Object.keys(unaudited).filter(route => {
    const endpoint = writing.find(candidate => candidate.route === route)
    return !endpoint || outcomes.get(endpoint) === true || everyday.includes(endpoint.can)
  })
  assert.deepEqual(needless, [], 'these endpoints are gone, or leave entries: remove them from `unaudited`')
})
