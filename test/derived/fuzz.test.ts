/**
 * Every parameter of every endpoint, given wrongly: whatever comes, the server never fails, and what it refuses it refuses in the form of the
 * contract (document 1 "Errors"; decision 12). Parameters that are declared alike are read by the same code: the first of them is given
 * every odd value, the others one in turn; a whole run gives all of them everything (depth.ts).
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { paramsOf } from '../../src/platform/kernel/declaration/steps.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { type Answer, encodeQuery, type Query } from '../client.ts'
import { inTurn, wholeForFirst } from '../depth.ts'
import { bodies } from './bodies.ts'
import { parametersFor, pathFor, pathNames } from './examples.ts'
import { ablest, addressFor, openWorld, type Sent } from './world.ts'

const world = await openWorld()

/** Refused by the schema of most parameters: given to all parameters of an endpoint in one request. */
const wrongTypes: readonly unknown[] = [
  null,
  '',
  'no such thing',
  -1,
  1.5,
  true,
  ['a', 1, null],
  { key: 'value', nested: { deep: [1] } },
  [{ key: 'value' }],
  'a\0b',
]

/** Of the right type, and not what anybody expects: given to one parameter after the other. */
const oddValues: Readonly<Record<string, readonly unknown[]>> = {
  number: [0, -1, 4_294_967_297, '9007199254740993'],
  text: ['', '🦊'.repeat(3), '\ud83e', `'"\\%_;--`, '../../etc/passwd', '--upload-pack=touch', '0', 'x'.repeat(100_000)],
  other: [[], ['a'], ['🦊', '--flag', '../..'], {}, { key: 'value' }, [{ key: 'value' }], 'a,b,,c'],
}

/** The odd values for a parameter; none for switches and listed words, of which the schema itself lists all it takes. */
function oddValuesFor(schema: TSchema): readonly unknown[] {
  const { type, enum: words, anyOf } = schema as { type?: string; enum?: unknown[]; anyOf?: TSchema[] }
  if (type === 'boolean' || words) return []
  if (anyOf) return [...new Set(anyOf.filter(member => (member as { type?: string }).type !== 'null').flatMap(oddValuesFor))]
  const kind = type === 'integer' || type === 'number' ? 'number' : type === 'string' ? 'text' : 'other'
  return oddValues[kind] as readonly unknown[]
}

const oddOfKind = wholeForFirst()

/** Of the requests in which all fields are odd, those that a form is sent in an ordinary run. */
const FORM_CHANGES = 3

/** Forms that have been tried. */
let forms = 0

/**
 * Odd values of one parameter after the other. A form runs a declaration that is tried so itself: what is its own, showing again what was
 * sent, is tried with an odd value in each of its fields.
 */
function oddChanges({ dialect, shows }: Endpoint, parameters: readonly (readonly [string, TSchema])[]): Record<string, unknown>[] {
  const odd = parameters.map(([name, schema]) => {
    const values = oddValuesFor(schema)
    const kind = `${dialect.name} ${name} ${JSON.stringify(schema)}`
    return [name, shows === undefined ? oddOfKind(kind, values) : values] as const
  })
  if (shows === undefined) return odd.flatMap(([name, values]) => values.map(value => ({ [name]: value })))
  const most = Math.max(0, ...odd.map(([, values]) => values.length))
  const changes = Array.from({ length: most }, (_, index) =>
    Object.fromEntries(odd.flatMap(([name, values]) => (values.length === 0 ? [] : [[name, values[index % values.length]]]))),
  )
  return [...inTurn(changes, forms++, FORM_CHANGES)]
}

/** Instead of the ids in paths. */
const pathValues = [
  '0',
  '-1',
  '4294967297',
  '99999999999999999999',
  '1.5',
  'no such thing',
  '🦊',
  '%00',
  '../..',
  '--upload-pack=touch',
  'x'.repeat(2_000),
]

/** The body of a refusal has one of these forms (document 1 "Errors"; RFC 7644 section 3.12). */
function isRefusal({ dialect }: Endpoint, { status, headers, body }: Answer): boolean {
  if (dialect.name === 'scim')
    return headers['content-type'] === 'application/scim+json' && body.status === String(status) && typeof body.detail === 'string'
  if (headers['content-type'] !== 'application/json') return false
  const isFailures = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(inner => (Array.isArray(inner) ? inner.every(word => typeof word === 'string') : isFailures(inner)))
  return (
    typeof body.error === 'string' ||
    typeof body.message === 'string' ||
    // Snippets (their API at 14.0).
    typeof body.message?.error === 'string' ||
    (Array.isArray(body.message) && body.message.every((line: unknown) => typeof line === 'string')) ||
    isFailures(body.message)
  )
}

/** They ask another server, which the examples do not have: 503 for what is not kept. */
const askElsewhere = ['GET /:group_path/dependency_proxy/containers/:image_name/manifests/:reference']

function judge(endpoint: Endpoint, answer: Answer): string | undefined {
  if (answer.status === 503 && askElsewhere.includes(endpoint.route)) return undefined
  if (answer.status >= 500) return `failed with ${answer.status}`
  if (answer.status === 304 || answer.status < 400 || !isRefusable(endpoint)) return undefined
  return isRefusal(endpoint, answer) ? undefined : `refused with ${answer.status} in a form of its own: ${JSON.stringify(answer.body)}`
}

/** The valid request with some parameters changed; undefined leaves one out. Texts go into a query, the rest into a body. */
function changed(endpoint: Endpoint, changes: Record<string, unknown>): Sent {
  const { method, dialect } = endpoint
  const path = addressFor(endpoint, pathFor(world, endpoint, ablest(endpoint), 'private'))
  const parameters = Object.fromEntries(
    Object.entries({ ...parametersFor(world, endpoint, 'private'), ...changes }).filter(([, value]) => value !== undefined),
  )
  return { dialect, method, path, ...(method === 'GET' ? { query: queryOf(parameters) } : { body: parameters }) }
}

/** What of the parameters a query string can say: null is an empty text there. */
const queryOf = (parameters: Record<string, unknown>): Query =>
  JSON.parse(JSON.stringify(parameters, (_key, value) => (value === null ? '' : typeof value === 'string' ? value.toWellFormed() : value)))

/** Wrong types that an endpoint is given in an ordinary run. */
const TYPES = 3

describe('parameters', () => {
  for (const [place, endpoint] of endpoints.filter(candidate => !bodies[candidate.route]).entries())
    test(endpoint.route, async () => {
      const wrong: string[] = []
      const sent = new Set<string>()
      const attempt = async (what: string, request: Sent) => {
        // Where there are no parameters, or only texts can be said, much of what is tried is the same request.
        const key = JSON.stringify([request.path, encodeQuery(request.query ?? {}), request.body])
        if (sent.has(key)) return
        sent.add(key)
        const problem = judge(endpoint, await world.send(ablest(endpoint), request))
        if (problem) wrong.push(`${what}: ${problem}`)
      }
      const parameters = (Object.entries(paramsOf(endpoint)) as [string, TSchema][]).filter(([name]) => !pathNames(endpoint).includes(name))
      for (const value of inTurn(wrongTypes, place, TYPES))
        await attempt(
          `everything is ${JSON.stringify(value)}`,
          changed(endpoint, Object.fromEntries(parameters.map(([name]) => [name, value]))),
        )
      for (const [name, schema] of parameters)
        if (!('~optional' in schema)) await attempt(`${name} is left out`, changed(endpoint, { [name]: undefined }))
      for (const changes of oddChanges(endpoint, parameters))
        await attempt(
          JSON.stringify(changes, (_key, value) => (typeof value === 'string' ? value.slice(0, 40) : value)),
          changed(endpoint, changes),
        )
      await attempt(
        'there are unknown parameters',
        changed(endpoint, { unknown: 1, ['__proto__']: { polluted: 1 }, constructor: { prototype: 1 } }),
      )
      assert.deepEqual(wrong, [])
    })
})

const idsOfScope = wholeForFirst()

/** What is given for an id in a path. The code of a scope reads the ids of all its endpoints: all values at one of them, one in turn at the others. */
const pathValuesFor = ({ dialect, scope, params, route }: Endpoint, name: string): readonly string[] =>
  idsOfScope(name in params ? route : `${dialect.name} ${scope.name} ${name}`, pathValues)

describe('ids in paths', () => {
  for (const endpoint of endpoints.filter(candidate => pathNames(candidate).length > 0))
    test(endpoint.route, async () => {
      const wrong: string[] = []
      const good = pathFor(world, endpoint, ablest(endpoint), 'private')
      for (const name of pathNames(endpoint))
        for (const value of pathValuesFor(endpoint, name)) {
          const sent = changed(endpoint, {})
          const path = addressFor(endpoint, { ...good, [name]: value === '%00' ? '\0' : value })
          const problem = judge(endpoint, await world.send(ablest(endpoint), { ...sent, path }))
          if (problem) wrong.push(`${name} is ${value.slice(0, 30)}: ${problem}`)
        }
      assert.deepEqual(wrong, [])
    })
})

/** Broken bodies that an endpoint is given in an ordinary run; each dialect has one that is given all. */
const BODIES = 2
const bodiesOfDialect = wholeForFirst(BODIES)

describe('bodies', () => {
  for (const endpoint of endpoints.filter(({ method, rawBody }) => method !== 'GET' && !rawBody))
    test(endpoint.route, async () => {
      const sent = changed(endpoint, {})
      const wrong: string[] = []
      for (const [type, text] of bodiesOfDialect(endpoint.dialect.name, broken)) {
        const answer = await world.send(ablest(endpoint), { ...sent, body: Buffer.from(text), type })
        const problem = judge(endpoint, answer)
        if (problem) wrong.push(`${type} ${text.slice(0, 20)}: ${problem}`)
        if (answer.status < 400 && isRefusable(endpoint)) wrong.push(`${type} ${text.slice(0, 20)}: accepted with ${answer.status}`)
      }
      assert.deepEqual(wrong, [])
    })
})

/** Bodies that nothing can be read from. */
const broken: readonly [type: string, text: string][] = [
  ['application/json', '{"name": '],
  ['application/json', '[1, 2]'],
  ['application/x-www-form-urlencoded', 'a=%zz'],
  ['application/x-www-form-urlencoded', 'a=1&a[k]=2'],
  ['multipart/form-data; boundary=x', 'no parts'],
  ['multipart/form-data', '--x'],
  ['text/csv', 'a,b'],
]

/** The others refuse in pages, redirects or lines of text of their own. */
const isRefusable = ({ dialect }: Endpoint): boolean => dialect.name === 'rest' || dialect.name === 'scim'
