/** What a query may cost, and that the server answers others meanwhile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql'
import { openScene } from '../../../test/scene.ts'
import { MOST_ROWS, Pacer } from './reading/pacer.ts'
import { graphSchema } from './schema.ts'

const scene = await openScene()
const { project, owner } = await scene.project()
for (const title of ['a', 'b', 'c']) await owner.post(`${project.url}/issues`, { title })

async function ask(query: string, isSignedIn = true) {
  const answer = await fetch(`${scene.url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(isSignedIn && { 'private-token': owner.token }) },
    body: JSON.stringify({ query }),
  })
  const body = (await answer.json()) as { data?: unknown; errors?: { message: string }[] }
  return { status: answer.status, ...body, messages: body.errors?.map(error => error.message) ?? [] }
}

/** A query `{ a { a { … id } } }` of so many levels. */
const nested = (open: string, levels: number, inner: string) => `${open.repeat(levels)}${inner}${'}'.repeat(levels)}`

test('introspection tells clients the whole schema, also those who are not signed in', async () => {
  const { data, messages } = await ask(getIntrospectionQuery({ inputValueDeprecation: true }), false)

  assert.deepEqual(messages, [])
  assert.equal(printSchema(buildClientSchema(data as never)), printSchema(graphSchema()))
})

test('a query that is too complex or too deep is refused in the words of the platform, with status 200', async () => {
  const complex = `{ ${Array.from({ length: 70 }, (_, index) => `a${index}: project(fullPath: "a/b") { id name path }`).join(' ')} }`
  assert.deepEqual(await ask(complex), {
    status: 200,
    errors: [{ message: 'Query has complexity of 280, which exceeds max complexity of 250' }],
    messages: ['Query has complexity of 280, which exceeds max complexity of 250'],
  })
  assert.deepEqual((await ask(complex, false)).messages, ['Query has complexity of 280, which exceeds max complexity of 200'])

  const deep = `{ group(fullPath: "a") ${nested('{ parent ', 20, '{ id } ')} }`
  assert.deepEqual((await ask(deep)).messages, ['Query has depth of 22, which exceeds max depth of 20'])
})

test('the complexity of a connection grows with its page and its arguments', async () => {
  const score = async (args: string) => {
    const { data } = await ask(`{ queryComplexity { score limit } project(fullPath: "a/b") { issues${args} { nodes { title } } } }`)
    return (data as { queryComplexity: { score: number; limit: number } }).queryComplexity.score
  }

  assert.deepEqual(
    [await score(''), await score('(first: 10)'), await score('(search: "a")'), await score('(sort: created_asc)')],
    [10, 7, 20, 12],
  )
})

test('queries that were sent together count together', async () => {
  const query = `{ ${Array.from({ length: 60 }, (_, index) => `a${index}: echo(text: "a")`).join(' ')} }`
  const answer = await fetch(`${scene.url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Array(5).fill({ query })),
  })

  const answers = (await answer.json()) as { data?: unknown }[]
  assert.deepEqual(
    answers.map(one => one.data !== undefined),
    [true, true, true, false, false],
  )
})

/** Queries that are made to be expensive, and what is said of them. */
const bombs: Readonly<Record<string, readonly [query: string, message: RegExp]>> = {
  'a thousand aliases': [`{ ${Array.from({ length: 1000 }, (_, index) => `a${index}:__typename`).join(' ')} }`, /exceeds/],
  'the same field thousands of times': [`{ ${'a '.repeat(4_900)} }`, /Cannot query field/],
  'a known field thousands of times': [`{ currentUser { ${'id '.repeat(3_300)}} }`, /complexity/],
  'fragments that double': [
    `{ ...f0 } ${Array.from({ length: 60 }, (_, index) => `fragment f${index} on Query { ...f${index + 1} ...f${index + 1} }`).join(' ')}
     fragment f60 on Query { currentUser { id } }`,
    /complexity/,
  ],
  'fragments in a circle': [
    '{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }',
    /Cannot spread fragment "a" within itself/,
  ],
  'brackets in brackets': [nested('{a', 3_300, ''), /deep|depth|Cannot query|Expected/],
  'lists in lists': [`{ a(b: ${'['.repeat(9_900)}`, /deep|Expected/],
  'a fragment that nothing uses': [`{ currentUser { id } } fragment f on UserCore { ${'id '.repeat(3_000)}}`, /never used/],
  'a long query': [`{ echo(text: "${'a'.repeat(10_000)}") }`, /characters/],
  'types of types of types': ['{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }', /within another list/],
  'the schema many times': [`{ ${Array.from({ length: 30 }, (_, index) => `a${index}: __schema { types { name } }`).join(' ')} }`, /once/],
  'a null character': ['{ echo(text: "\\u0000") }', /null/],
}

for (const [name, [query, message]] of Object.entries(bombs))
  test(`${name}: refused`, async () => {
    const { status, data, messages } = await ask(query)

    assert.deepEqual([status, data], [200, undefined])
    assert.match(messages.join('\n'), message)
  })

test('nodes beyond so many fields wait for a turn of the event loop', async () => {
  const pacer = new Pacer()
  const turns = Array.from({ length: 40 }, () => pacer.next(100))
  const order: string[] = []
  setImmediate(() => order.push('another request'))
  await Promise.all(turns.map(turn => turn?.then(() => order.push('node'))))

  assert.deepEqual(
    turns.map(turn => turn === undefined),
    Array.from({ length: 40 }, (_, index) => index < 15),
  )
  assert.equal(order[0], 'another request')
})

test('a request reads so many rows and no more', () => {
  const pacer = new Pacer()
  pacer.countRows(MOST_ROWS)

  assert.throws(() => pacer.countRows(1), /more than 10000 rows/)
})

test('a body of more than a megabyte is not read', async () => {
  const answer = await fetch(`${scene.url}/api/graphql`, { method: 'POST', body: 'a'.repeat(1024 * 1024 + 1) })

  assert.equal(answer.status, 413)
  assert.match(((await answer.json()) as { errors: { message: string }[] }).errors[0]?.message ?? '', /limit/)
})
