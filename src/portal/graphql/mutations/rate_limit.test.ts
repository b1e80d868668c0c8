/** Mutations, and queries that are sent together, count as requests of the REST API do, besides the request that brings them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../../test/scene.ts'

const scene = await openScene({ settings: { rateLimit: 'anonymous=100,authenticated=6' } })

const send = (person: Person, query: string) =>
  fetch(`${scene.url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'private-token': person.token },
    body: JSON.stringify({ query }),
  })

const creating = (names: string, path: string) =>
  `mutation { ${[...names].map(name => `${name}: createIssue(input: { projectPath: "${path}", title: "${name}" }) { issue { iid } }`).join(' ')} }`

test('a mutation over the limit answers 429, and nothing was done', async () => {
  const { project, owner } = await scene.project()
  scene.deps.limiter.forgetCounts()
  assert.equal((await send(owner, creating('abc', project.full_path))).status, 200)
  assert.equal((await send(owner, '{ currentUser { username } }')).status, 200)

  // Of the sixth request the mutation is the seventh.
  const over = await send(owner, creating('d', project.full_path))

  assert.equal(over.status, 429)
  assert.ok(Number(over.headers.get('retry-after')) > 0)
  assert.deepEqual(await over.json(), { errors: [{ message: '429 Too Many Requests' }] })
  const { count } = await scene.deps.database.db
    .selectFrom('issues')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), 3)
})

test('where some were carried out, the others say that they were not', async () => {
  const { project, owner } = await scene.project()
  scene.deps.limiter.forgetCounts()

  const some = await send(owner, creating('abcdefg', project.full_path))

  assert.equal(some.status, 200)
  const { data, errors } = (await some.json()) as { data: Record<string, unknown>; errors: { message: string }[] }
  assert.deepEqual([data.e, data.f, data.g], [{ issue: { iid: '5' } }, null, null])
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['429 Too Many Requests', '429 Too Many Requests'],
  )
})

test('each of the queries that are sent together counts as a request', async () => {
  const { owner } = await scene.project()
  scene.deps.limiter.forgetCounts()
  const together = (count: number) =>
    fetch(`${scene.url}/api/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'private-token': owner.token },
      body: JSON.stringify(Array(count).fill({ query: '{ currentUser { username } }' })),
    })

  const [some, more] = [await together(4), await together(4)]

  assert.deepEqual([some.status, more.status], [200, 429])
})
