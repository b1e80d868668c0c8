/**
 * The examples of the API's description are taken from the world: one object of each entity, and the ids of one path of each scope. They are
 * kept in src/server/examples.json, because the server shows them and has no world.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import type { Endpoint, Shown } from '../../src/platform/kernel/declaration/endpoint.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import type { Query } from '../client.ts'
import { assertGenerated } from '../golden.ts'
import { anonymize } from './anonymize.ts'
import { exactly } from './answers.ts'
import { pathFor } from './examples.ts'
import { ablest, openWorld, type Persona, requestFor } from './world.ts'

/** Entities of which the valid request of no endpoint answers one. May only shrink. */
const without: readonly string[] = [
  'CommitWithStats',
  'DryRun',
  'FoundBlob',
  'GroupDetailsWithCustomAttributes',
  'GroupDetailsWithSimpleProjectsWithCustomAttributes',
  'ImportedRepository',
  'LfsBatch',
  'LfsLock',
  'LfsLocks',
  'LfsLocksToVerify',
  'MergeRequestSimple',
  'OAuthTokenInfo',
  'OpenIdUserInfo',
  'Pages',
  'Signature',
  'UnleashFeatures',
  'UnleashNothing',
  'UserSummaryWithCustomAttributes',
  'UserWithCountsWithCustomAttributes',
]

const world = await openWorld()
world.scene.setTime(world.begun)

/** All sizes of the answered entity. */
function sizesOf({ answers }: Endpoint): Shown<never> extends infer S ? readonly Extract<S, { schema: unknown }>[] : never {
  if (answers.kind !== 'one' && answers.kind !== 'page') return []
  return 'sizes' in answers.entity ? answers.entity.sizes : [answers.entity]
}

/** Reads come first: what a write answers may lack what happens to it later. */
const inOrder = [...endpoints.filter(({ method }) => method === 'GET'), ...endpoints.filter(({ method }) => method !== 'GET')]

/** Those who ask for what an administrator does not get: the sizes for others. */
const askers = (endpoint: Endpoint): readonly Persona[] => [
  ...new Set<Persona>([ablest(endpoint), 'developer', 'anonymous', ...(endpoint.jobToken ? (['job'] as const) : [])]),
]

/** The optional flags of a read, each with the value that it does not have by itself, in all combinations. */
function flagsOf({ method, params }: Endpoint): Readonly<Record<string, boolean>>[] {
  if (method !== 'GET') return []
  const flags = Object.entries(params as Record<string, { type?: string; default?: unknown }>).filter(
    ([name, { type }]) => type === 'boolean' && SIZING.test(name),
  )
  const sets: Record<string, boolean>[] = [{}]
  for (const [name, schema] of flags) sets.push(...sets.map(set => ({ ...set, [name]: schema.default !== true })))
  return sets.slice(1)
}

/** The flags that choose between sizes. */
const SIZING = /^(with_custom_attributes|statistics|stats|license|simple|with_projects|include_html_description)$/

async function entityExamples(): Promise<Map<string, unknown>> {
  const examples = new Map<string, unknown>()
  for (const endpoint of inOrder) {
    for (const flags of [{}, ...flagsOf(endpoint)]) {
      for (const persona of askers(endpoint)) {
        const lacking = sizesOf(endpoint).filter(({ name }) => !examples.has(name))
        if (lacking.length === 0) break
        const request = requestFor(world, endpoint, persona, 'public')
        const query = { ...request.query, ...flags } as Query
        const answer = await world.send(persona, endpoint.method === 'GET' ? { ...request, query } : request)
        if (answer.status >= 300) continue
        const rows: unknown[] = Array.isArray(answer.body) && endpoint.answers.kind === 'page' ? answer.body : [answer.body]
        for (const { name, schema } of lacking) {
          const validator = Compile(exactly(schema, 'ultimate'))
          const row = rows.find(candidate => validator.Check(candidate))
          if (row === undefined) continue
          const example = anonymize(row)
          assert.ok(validator.Check(example), `${name}: ${JSON.stringify(validator.Errors(example))}`)
          examples.set(name, example)
        }
      }
    }
  }
  return examples
}

/** The ids of the first endpoint of each scope. */
function pathExamples(): Map<string, object> {
  const examples = new Map<string, object>()
  for (const endpoint of endpoints) {
    const { name, path } = endpoint.scope
    const names = Object.keys(path)
    if (names.length === 0 || examples.has(name)) continue
    const values = pathFor(world, endpoint, ablest(endpoint), 'public', false)
    examples.set(name, anonymize(Object.fromEntries(names.map(id => [id, values[id]]))) as object)
  }
  return examples
}

const sorted = (examples: Map<string, unknown>) => Object.fromEntries([...examples].sort(([one], [other]) => (one < other ? -1 : 1)))

test('every entity has an example that fits its schema, and every scope a path', async () => {
  const entities = await entityExamples()
  const lacking = [...new Set(endpoints.flatMap(sizesOf).map(({ name }) => name))].filter(name => !entities.has(name))

  await assertGenerated(
    'src/server/examples.json',
    () => `${JSON.stringify({ entities: sorted(entities), paths: sorted(pathExamples()) }, null, 1)}\n`,
  )
  assert.deepEqual(
    lacking.sort(),
    [...without].sort(),
    'you are here because no valid request answers these entities: add what they show to test/derived/fixtures.ts; or remove from `without` what has an example now',
  )
})
