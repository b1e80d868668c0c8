/** What the GraphQL API answers: in one request, with the rights of the REST API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'
import { csrfTokenFor } from '../../platform/kernel/csrf.ts'
import { UNAVAILABLE } from './execution/unavailable.ts'
import { sessionCookie } from './mutations/scene.ts'

const scene = await openScene()

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: each test says which fields it asked for
  readonly data?: any
  readonly errors?: readonly { readonly message: string; readonly path?: readonly unknown[] }[]
}

/** Sends a body, as this person or as nobody. */
async function send(body: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(`${scene.url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Answer }
}

const as = (person: Pick<Person, 'token'> | undefined) => (person ? { 'private-token': person.token } : undefined)

/** The data of a query without errors. */
async function ask(person: Pick<Person, 'token'> | undefined, query: string, variables: object = {}) {
  const { status, body } = await send({ query, variables }, as(person))
  assert.deepEqual([status, body.errors], [200, undefined])
  return body.data
}

test('who asks is named, by each kind of token', async () => {
  const person = await scene.user()
  const query = '{ currentUser { id username } }'
  const data = { currentUser: { id: `gid://gitlab/User/${person.id}`, username: person.username } }

  assert.deepEqual(await ask(person, query), data)
  assert.deepEqual((await send({ query }, { authorization: `Bearer ${person.token}` })).body, { data })
  assert.deepEqual(
    await (await fetch(`${scene.url}/api/graphql?query=${encodeURIComponent(query)}&private_token=${person.token}`)).json(),
    { data },
  )
  assert.deepEqual(await ask(undefined, query), { currentUser: null })
})

test('a token that is wrong or has another scope opens nothing', async () => {
  const reader = await scene.user({ scopes: ['read_api'] })
  const other = await scene.user({ scopes: ['read_repository'] })
  const query = '{ currentUser { username } }'

  assert.deepEqual(await send({ query }, { 'private-token': 'wrong' }), { status: 401, body: { errors: [{ message: 'Invalid token' }] } })
  assert.equal((await send({ query }, as(other))).status, 403)
  assert.deepEqual(await ask(reader, query), { currentUser: { username: reader.username } })
})

test('a session without its token counts for nothing', async () => {
  const { deps } = scene
  const person = await scene.user({ password: 'right-horse-battery' })
  const cookie = await sessionCookie(scene, person, 'right-horse-battery')
  const { id } = await deps.database.db.selectFrom('sessions').select('id').where('user_id', '=', person.id).executeTakeFirstOrThrow()
  const query = '{ currentUser { username } }'

  assert.deepEqual((await send({ query }, { cookie })).body.data, { currentUser: null })
  const token = csrfTokenFor(String(id), deps.secrets)
  assert.deepEqual((await send({ query }, { cookie, 'x-csrf-token': token })).body.data, { currentUser: { username: person.username } })
})

test('what is private is null, as if it were not there', async () => {
  const { project, guest } = await scene.project({ members: ['guest'] })
  const outsider = await scene.user()
  const query = `query($path: ID!) { project(fullPath: $path) { name } }`

  for (const person of [outsider, undefined]) assert.deepEqual(await ask(person, query, { path: project.full_path }), { project: null })
  assert.deepEqual(await ask(guest, query, { path: project.full_path }), { project: { name: project.name } })
  assert.deepEqual(await ask(guest, query, { path: 'no/such' }), { project: null })
  assert.deepEqual(await ask(guest, query, { path: String(project.id) }), { project: null })
})

test('a confidential issue is there for its readers alone, alone and in lists', async () => {
  const { project, owner, guest, reporter } = await scene.project({ visibility: 'public', members: ['guest', 'reporter'] })
  const open = await owner.post(`${project.url}/issues`, { title: 'Open' })
  const secret = await owner.post(`${project.url}/issues`, { title: 'Secret', confidential: true })
  const query = `query($path: ID!, $id: ID!) {
    project(fullPath: $path) { openIssuesCount issues(sort: created_asc) { count nodes { title } } issue(iid: "${secret.body.iid}") { title } }
    issue(id: $id) { title }
  }`
  const variables = { path: project.full_path, id: `gid://gitlab/Issue/${secret.body.id}` }

  for (const person of [guest, undefined])
    assert.deepEqual(await ask(person, query, variables), {
      project: { openIssuesCount: 1, issues: { count: 1, nodes: [{ title: open.body.title }] }, issue: null },
      issue: null,
    })
  assert.deepEqual(await ask(reporter, query, variables), {
    project: { openIssuesCount: 2, issues: { count: 2, nodes: [{ title: 'Open' }, { title: 'Secret' }] }, issue: { title: 'Secret' } },
    issue: { title: 'Secret' },
  })
})

test('features that are off or for members hide what is theirs', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { 'a.txt': 'a\n' })
  await owner.post(`${project.url}/issues`, { title: 'One' })
  await scene.mergeRequest(project)
  await owner.put(project.url, {
    issues_access_level: 'private',
    merge_requests_access_level: 'disabled',
    repository_access_level: 'private',
  })
  const query = `{ project(fullPath: "${project.full_path}") {
    issues { count } issue(iid: "1") { title } mergeRequests { count } mergeRequest(iid: "1") { title } repository { rootRef } pipelines { count } } }`
  const outsider = await scene.user()

  const nothing = {
    issues: { count: 0 },
    issue: null,
    mergeRequests: { count: 0 },
    mergeRequest: null,
    repository: null,
    pipelines: { count: 0 },
  }
  assert.deepEqual(await ask(outsider, query), { project: nothing })
  assert.deepEqual(await ask(owner, query), {
    project: { ...nothing, issues: { count: 1 }, issue: { title: 'One' }, repository: { rootRef: 'main' } },
  })
})

test('pages of a connection follow its cursors in both directions', async () => {
  const { project, owner } = await scene.project()
  for (const title of ['a', 'b', 'c']) await owner.post(`${project.url}/issues`, { title })
  const page = async (args: string) =>
    (
      await ask(
        owner,
        `{ project(fullPath: "${project.full_path}") { issues(sort: CREATED_ASC, ${args}) {
          edges { cursor node { title } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`,
      )
    ).project.issues
  const titles = (one: { edges: { node: { title: string } }[] }) => one.edges.map(edge => edge.node.title)

  const first = await page('first: 2')
  assert.deepEqual([titles(first), first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage], [['a', 'b'], true, false])
  assert.equal(first.edges[1].cursor, first.pageInfo.endCursor)
  const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`)
  assert.deepEqual([titles(second), second.pageInfo.hasNextPage, second.pageInfo.hasPreviousPage], [['c'], false, true])
  assert.deepEqual(titles(await page('last: 2')), ['b', 'c'])
  assert.deepEqual(titles(await page(`last: 1, before: "${second.pageInfo.startCursor}"`)), ['b'])

  const wrong = await send(
    { query: `{ project(fullPath: "${project.full_path}") { issues(after: "no") { nodes { title } } } }` },
    as(owner),
  )
  assert.deepEqual(
    wrong.body.errors?.map(error => error.message),
    ['Please provide a valid cursor'],
  )
})

test('lists are filtered as in the REST API', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/issues`, { title: 'Red', labels: 'red,loud' })
  await owner.post(`${project.url}/issues`, { title: 'Blue', labels: 'blue' })
  const closed = await owner.post(`${project.url}/issues`, { title: 'Done' })
  await owner.put(`${project.url}/issues/${closed.body.iid}`, { state_event: 'close' })
  const titles = async (args: string) =>
    (await ask(owner, `{ project(fullPath: "${project.full_path}") { issues(${args}) { nodes { title } } } }`)).project.issues.nodes.map(
      (node: { title: string }) => node.title,
    )

  assert.deepEqual(await titles('labelName: ["red", "loud"]'), ['Red'])
  assert.deepEqual(await titles('state: closed'), ['Done'])
  assert.deepEqual(await titles('iids: ["2"]'), ['Blue'])
  assert.deepEqual(await titles('iid: "none"'), [])
  assert.deepEqual(await titles(`authorUsername: "${owner.username}", search: "blu"`), ['Blue'])
})

test('a query costs the same statements however many rows it meets', async () => {
  const { group, owner } = await scene.group()
  const projects = [await scene.project({ group, owner }), await scene.project({ group, owner }), await scene.project({ group, owner })]
  for (const { project } of projects) {
    await scene.commit(project, { 'a.txt': 'a\n' })
    for (const title of ['a', 'b']) {
      const issue = await owner.post(`${project.url}/issues`, { title, labels: `${title},all`, assignee_ids: [owner.id] })
      for (const body of ['one', 'two']) await owner.post(`${project.url}/issues/${issue.body.iid}/notes`, { body })
    }
    const { url } = await scene.mergeRequest(project, { author: owner })
    for (const body of ['one', 'two']) await owner.post(`${url}/discussions`, { body })
  }
  const statements = async (first: number) => {
    const query = `{ group(fullPath: "${group.full_path}") { projects(first: ${first}) { nodes { name statistics { storageSize }
      labels { nodes { title } } pipelines { count nodes { status } } milestones { nodes { title } }
      mergeRequests(first: ${first}) { count nodes { title author { publicEmail } headPipeline { status }
        discussions(first: ${first}) { count nodes { id notes { nodes { body bodyHtml userPermissions { resolveNote } discussion { id } } } } } } }
      issues(first: ${first}) { count nodes { title subscribed assignees { nodes { location } } labels { nodes { title } }
        epic { title } iteration { title } discussions(first: ${first}) { nodes { notes { nodes { body } } } }
        notes(first: ${first}) { nodes { body author { bot } } } } } } } } }`
    const { statements: made } = await recordStatements(() => ask(owner, query))
    return made
  }
  await statements(3)

  const [few, many] = [await statements(1), await statements(3)]
  assert.ok(many.length <= few.length, `${few.length} statements for one row of each list, ${many.length} for three:\n${many.join('\n')}`)
})

test('files, directories and their newest commit are read from the repository', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a\n', 'docs/b.md': '# b\n' })

  const { project: found } = await ask(
    owner,
    `{ project(fullPath: "${project.full_path}") { repository { rootRef empty exists
      tree { blobs { nodes { name path type webPath } } trees { nodes { path webPath } } submodules { nodes { path } } lastCommit { title shortId } }
      docs: tree(path: "docs", ref: "main") { blobs { nodes { flatPath } } }
      none: tree(ref: "none") { blobs { count } }
      blobs(paths: ["docs/b.md", "none"]) { nodes { name path rawBlob size } } } } }`,
  )

  const { lastCommit, ...tree } = found.repository.tree
  assert.equal(lastCommit.shortId.length, 8)
  assert.deepEqual(
    { ...found.repository, tree },
    {
      rootRef: 'main',
      empty: false,
      exists: true,
      tree: {
        blobs: { nodes: [{ name: 'a.txt', path: 'a.txt', type: 'blob', webPath: `/${project.full_path}/-/blob/main/a.txt` }] },
        trees: { nodes: [{ path: 'docs', webPath: `/${project.full_path}/-/tree/main/docs` }] },
        submodules: { nodes: [] },
      },
      docs: { blobs: { nodes: [{ flatPath: 'docs/b.md' }] } },
      none: null,
      blobs: { nodes: [{ name: 'b.md', path: 'docs/b.md', rawBlob: '# b\n', size: '4' }] },
    },
  )
})

test('several queries are answered in their order, and each says what is wrong with it', async () => {
  const person = await scene.user()

  const { status, body } = await send([{ query: '{ currentUser { username } }' }, { query: '{ nothing }' }, { query: '{' }], as(person))

  const answers = body as unknown as Answer[]
  assert.equal(status, 200)
  assert.deepEqual(answers[0], { data: { currentUser: { username: person.username } } })
  assert.deepEqual(
    answers.slice(1).map(one => [one.data, one.errors?.[0]?.message]),
    [
      [undefined, 'Cannot query field "nothing" on type "Query".'],
      [undefined, 'Syntax Error: Expected Name, found <EOF>.'],
    ],
  )
})

test('a query comes in any of the forms that clients send', async () => {
  const query = 'query Named($text: String!) { echo(text: $text) } query Other { currentUser { id } }'
  const data = { echo: 'nil says: hi' }
  const one = '{ echo(text: "hi") }'

  assert.deepEqual((await send({ query, operationName: 'Named', variables: { text: 'hi' } })).body, { data })
  assert.deepEqual((await send({ query, operationName: 'Named', variables: '{"text":"hi"}' })).body, { data })
  assert.deepEqual((await send(one, { 'content-type': 'application/graphql' })).body, { data })
  assert.deepEqual(
    (await send(new URLSearchParams({ query: one }).toString(), { 'content-type': 'application/x-www-form-urlencoded' })).body,
    { data },
  )
  assert.deepEqual(await (await fetch(`${scene.url}/api/graphql?query=${encodeURIComponent(one)}`)).json(), { data })
  for (const wrong of [
    'no JSON',
    { query: 1 },
    { query: one, variables: [] },
    { query: one, operationName: 1 },
    Array(51).fill({ query: one }),
  ])
    assert.equal((await send(wrong)).status, 422)
})

test('an id of another kind is refused in words', async () => {
  const { body } = await send({ query: '{ issue(id: "gid://gitlab/Project/1") { id } user { id } users { count } }' })

  assert.deepEqual(
    body.errors?.map(error => error.message).sort(),
    ['"gid://gitlab/Project/1" does not represent an instance of Issue', 'Provide either a single username or id', UNAVAILABLE].sort(),
  )
})
