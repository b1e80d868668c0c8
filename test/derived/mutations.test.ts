/**
 * Every mutation of the GraphQL API, sent by each kind of caller: it is refused where the table of access refuses the route that it carries out, and
 * nowhere else. And each leaves as many rows in as many tables as its route.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { jobIn, pipelineIn, registered } from '../../src/ci/runner_protocol/scene.ts'
import type { Endpoint } from '../../src/platform/kernel/declaration/endpoint.ts'
import { UNAVAILABLE } from '../../src/portal/graphql/execution/unavailable.ts'
import { mutations } from '../../src/portal/graphql/mutations/all.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { committedGolden } from '../golden.ts'
import { openScene } from '../scene.ts'
import { rowsOf, titleOf } from './titles.ts'

const scene = await openScene()
const { root } = scene
const { db } = scene.deps.database
const { group, owner, guest, reporter, developer, maintainer } = await scene.group({
  members: ['guest', 'reporter', 'developer', 'maintainer'],
})
const { project } = await scene.project({ group })
const sha = await scene.commit(project, { 'a.txt': 'red\n' })
const outsider = await scene.user()

const callers = { anonymous: undefined, outsider, guest, reporter, developer, maintainer, owner, admin: root } as const
/** The columns of the table of access that they stand in. */
const columns = ['anonymous', 'outsider', 'external', 'guest', 'reporter', 'developer', 'maintainer', 'owner', 'admin']

const projectPath = project.full_path
const groupPath = group.full_path
let made = 0
const name = () => `thing-${++made}`

const gid = (kind: string, id: number | string) => `gid://gitlab/${kind}/${id}`

async function post(path: string, body: object = {}) {
  const answer = await root.post(path, body)
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

const issue = () => post(`${project.url}/issues`, { title: name(), assignee_ids: [guest.id] })
const named = async () => ({ projectPath, iid: String((await issue()).iid) })
const mergeRequest = () => scene.mergeRequest(project, { assignee_ids: [reporter.id] })
const namedMerge = async () => ({ projectPath, iid: String((await mergeRequest()).iid) })
const label = () => post(`${project.url}/labels`, { name: name(), color: '#ff0000' })
const board = () => post(`${project.url}/boards`, { name: name() })
const boardList = async () => {
  const { id } = await board()
  return post(`${project.url}/boards/${id}/lists`, { label_id: (await label()).id })
}
const note = async () => post(`${project.url}/issues/${(await issue()).iid}/notes`, { body: 'Hello' })
/** Of an open branch, as those of the table of access. */
const pipeline = () => pipelineIn(scene, project, { sha, ref: 'open' })
async function job(status: 'manual' | 'failed' | 'pending') {
  const { id } = await jobIn(scene, project, { pipelineId: await pipeline(), name: name(), status })
  if (status === 'manual') await db.updateTable('jobs').set({ when: 'manual' }).where('id', '=', id).execute()
  return { id }
}
const release = async () => post(`${project.url}/releases`, { tag_name: name(), ref: 'main' })
const namedRelease = async () => ({ projectPath, tagName: (await release()).tag_name as string })
const link = async () => {
  const { tag_name } = await release()
  return post(`${project.url}/releases/${tag_name}/assets/links`, { name: name(), url: `https://example.com/${name()}` })
}
const snippet = () => post(`${project.url}/snippets`, { title: name(), visibility: 'private', files: [{ file_path: 'a', content: 'a' }] })
const epic = () => post(`${group.url}/epics`, { title: name() })
let day = Date.parse('2030-01-01')
const dates = () => {
  const text = () => {
    day += 86_400_000
    return new Date(day).toISOString().slice(0, 10)
  }
  return { startDate: text(), dueDate: text() }
}

async function images() {
  const [row] = await db.insertInto('container_repositories').values({ name: name(), project_id: project.id }).returning('id').execute()
  const manifest = {
    digest: `sha256:${'a'.repeat(64)}`,
    media_type: 'a',
    payload: Buffer.from('{}'),
    size: 2,
    image_created_at: new Date(),
  }
  const repository_id = row?.id as number
  const [stored] = await db
    .insertInto('container_manifests')
    .values({ ...manifest, repository_id })
    .returning('id')
    .execute()
  await db
    .insertInto('container_tags')
    .values({ name: 'tag', repository_id, manifest_id: stored?.id as number })
    .execute()
  return repository_id
}

async function diffNote(kind: 'text' | 'image') {
  const files = kind === 'text' ? { [`${name()}.txt`]: 'red\n' } : { [`${name()}.png`]: 'red\n' }
  const { id, url } = await scene.mergeRequest(project, { files })
  const { diff_refs: refs } = (await root.get(url)).body
  const paths = { newPath: Object.keys(files)[0] }
  const place = kind === 'text' ? { newLine: 1 } : { x: 1, y: 1, width: 9, height: 9 }
  const position = { headSha: refs.head_sha, baseSha: refs.base_sha, startSha: refs.start_sha, paths, ...place }
  return { noteableId: gid('MergeRequest', id), body: 'Why?', position }
}

const thread = async () => (await post(`${(await mergeRequest()).url}/discussions`, { body: 'Why?' })).id as string
const award = async () => ({ awardableId: gid('Issue', (await issue()).id), name: 'rocket' })

/** A valid input of each mutation, about things that are new. */
const inputs: Readonly<Record<string, () => Promise<object>>> = {
  createIssue: async () => ({ projectPath, title: name() }),
  updateIssue: async () => ({ ...(await named()), title: name() }),
  issueSetAssignees: async () => ({ ...(await named()), assigneeUsernames: [guest.username] }),
  issueSetConfidential: async () => ({ ...(await named()), confidential: false }),
  issueSetDueDate: async () => ({ ...(await named()), dueDate: '2030-01-01' }),
  issueSetLocked: async () => ({ ...(await named()), locked: true }),
  issueSetWeight: async () => ({ ...(await named()), weight: 3 }),
  issueSetEpic: async () => ({ ...(await named()), epicId: gid('Epic', (await epic()).id) }),
  issueSetIteration: async () => ({ ...(await named()), iterationId: null }),
  issueSetSubscription: async () => ({ ...(await named()), subscribedState: true }),
  issueMove: async () => ({ ...(await named()), targetProjectPath: (await scene.project({ group })).project.full_path }),
  issueMoveList: async () => ({ ...(await named()), boardId: gid('Board', (await board()).id), toListId: 'gid://gitlab/List/closed' }),
  mergeRequestCreate: async () => {
    const sourceBranch = name()
    await scene.commit(project, { [sourceBranch]: 'a\n' }, { branch: sourceBranch, start_branch: 'main' })
    return { projectPath, title: name(), sourceBranch, targetBranch: 'main' }
  },
  mergeRequestUpdate: async () => ({ ...(await namedMerge()), title: name() }),
  mergeRequestAccept: async () => {
    const { iid, sha: tip } = await mergeRequest()
    return { projectPath, iid: String(iid), sha: tip }
  },
  mergeRequestSetAssignees: async () => ({ ...(await namedMerge()), assigneeUsernames: [] }),
  mergeRequestSetLabels: async () => ({ ...(await namedMerge()), labelIds: [gid('ProjectLabel', (await label()).id)] }),
  mergeRequestSetLocked: async () => ({ ...(await namedMerge()), locked: true }),
  mergeRequestSetMilestone: async () => await namedMerge(),
  mergeRequestSetDraft: async () => ({ ...(await namedMerge()), draft: false }),
  mergeRequestSetWip: async () => ({ ...(await namedMerge()), wip: true }),
  mergeRequestSetSubscription: async () => ({ ...(await namedMerge()), subscribedState: true }),
  createNote: async () => ({ noteableId: gid('Issue', (await issue()).id), body: 'Hello' }),
  createDiffNote: () => diffNote('text'),
  createImageDiffNote: () => diffNote('image'),
  updateNote: async () => ({ id: gid('Note', (await note()).id), body: 'Changed' }),
  destroyNote: async () => ({ id: gid('Note', (await note()).id) }),
  discussionToggleResolve: async () => ({ id: gid('Discussion', await thread()), resolve: true }),
  awardEmojiAdd: award,
  awardEmojiToggle: award,
  labelCreate: async () => ({ projectPath, title: name() }),
  createBranch: async () => ({ projectPath, name: name(), ref: 'main' }),
  commitCreate: async () => ({
    projectPath,
    branch: 'main',
    message: 'Paint',
    actions: [{ action: 'CREATE', filePath: name(), content: 'a' }],
  }),
  pipelineCancel: async () => ({ id: gid('Ci::Pipeline', await pipeline()) }),
  pipelineRetry: async () => ({ id: gid('Ci::Pipeline', await pipeline()) }),
  pipelineDestroy: async () => ({ id: gid('Ci::Pipeline', await pipeline()) }),
  jobPlay: async () => ({ id: gid('Ci::Build', (await job('manual')).id) }),
  jobRetry: async () => ({ id: gid('Ci::Build', (await job('failed')).id) }),
  jobCancel: async () => ({ id: gid('Ci::Build', (await job('pending')).id) }),
  createBoard: async () => ({ projectPath, name: name() }),
  updateBoard: async () => ({ id: gid('Board', (await board()).id), name: name() }),
  destroyBoard: async () => ({ id: gid('Board', (await board()).id) }),
  boardListCreate: async () => ({ boardId: gid('Board', (await board()).id), labelId: gid('ProjectLabel', (await label()).id) }),
  updateBoardList: async () => ({ listId: gid('List', (await boardList()).id), position: 0 }),
  boardListUpdateLimitMetrics: async () => ({ listId: gid('List', (await boardList()).id), maxIssueCount: 3 }),
  destroyBoardList: async () => ({ listId: gid('List', (await boardList()).id) }),
  releaseCreate: async () => ({ projectPath, tagName: name(), ref: 'main' }),
  releaseUpdate: async () => ({ ...(await namedRelease()), name: name() }),
  releaseDelete: namedRelease,
  releaseAssetLinkCreate: async () => ({ ...(await namedRelease()), name: name(), url: `https://example.com/${name()}` }),
  releaseAssetLinkUpdate: async () => ({ id: gid('Releases::Link', (await link()).id), name: name() }),
  releaseAssetLinkDelete: async () => ({ id: gid('Releases::Link', (await link()).id) }),
  destroyPackage: async () => {
    const version = `1.0.${++made}`
    await root.put(`${project.url}/packages/generic/tool/${version}/a.txt`, Buffer.from('a'))
    const row = await db.selectFrom('packages').select('id').where('version', '=', version).executeTakeFirstOrThrow()
    return { id: gid('Packages::Package', row.id) }
  },
  destroyContainerRepository: async () => ({ id: gid('ContainerRepository', await images()) }),
  destroyContainerRepositoryTags: async () => ({ id: gid('ContainerRepository', await images()), tagNames: ['tag'] }),
  createEpic: async () => ({ groupPath, title: name() }),
  updateEpic: async () => ({ groupPath, iid: String((await epic()).iid), title: name() }),
  epicAddIssue: async () => ({ groupPath, iid: String((await epic()).iid), projectPath, issueIid: String((await issue()).iid) }),
  createIteration: async () => ({ groupPath, title: name(), ...dates() }),
  updateIteration: async () => {
    const { startDate: start_date, dueDate: due_date } = dates()
    const { id } = await post(`${group.url}/iterations`, { title: name(), start_date, due_date })
    return { groupPath, id: gid('Iteration', id), title: name() }
  },
  todoCreate: async () => ({ targetId: gid('Issue', (await issue()).id) }),
}

/** Mutations whose inputs are of the caller alone, and what they are about instead. */
const own: Readonly<Record<string, string>> = {
  awardEmojiRemove: 'one’s own reaction',
  todoMarkDone: 'one’s own to-do item',
  todoRestore: 'one’s own to-do item',
  todoRestoreMany: 'one’s own to-do items',
  todosMarkAllDone: 'one’s own to-do items',
  createSnippet: 'a snippet of one’s own, or of a project (below)',
  updateSnippet: 'below',
  destroySnippet: 'below',
  runnerUpdate: 'below',
  runnerDelete: 'below',
}

/** Routes that the mutation carries out for its input, where that is not the first one. */
const routes: Readonly<Record<string, string>> = {
  issueMoveList: 'POST /:project_path/-/boards/:board_id/issues/:issue_id/drag',
  updateNote: 'PUT /projects/:id/issues/:issue_iid/notes/:note_id',
  destroyNote: 'DELETE /projects/:id/issues/:issue_iid/notes/:note_id',
}

/** What the table of access says of a place that is private: callers below `own` may change what is theirs there. */
const table = rowsOf(await committedGolden('access.txt'))
const byRoute = new Map(endpoints.map(endpoint => [endpoint.route as string, endpoint]))

const declared = (what: string | Endpoint): Endpoint => {
  const found = typeof what === 'string' ? byRoute.get(what) : what
  assert.ok(found, `no endpoint has the route ${what}`)
  return found
}

async function send(token: string | undefined, mutation: string, input: object) {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`
  const answer = await fetch(`${scene.url}/api/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { 'private-token': token }) },
    body: JSON.stringify({ query: `mutation($input: ${type}!) { ${mutation}(input: $input) { errors } }`, variables: { input } }),
  })
  const { data, errors } = (await answer.json()) as { data?: Record<string, { errors: string[] } | null>; errors?: { message: string }[] }
  return { errors: data?.[mutation]?.errors, messages: errors?.map(({ message }) => message) }
}

test('each mutation has an input here, and each of its routes is served', () => {
  assert.deepEqual(Object.keys(mutations).sort(), [...Object.keys(inputs), ...Object.keys(own)].sort())
  for (const { runs } of Object.values(mutations)) for (const what of runs) declared(what)
})

for (const [mutation, input] of Object.entries(inputs))
  test(`${mutation}: refused to those whom its route refuses`, async () => {
    const route = routes[mutation] ?? (mutations[mutation]?.runs[0] as string | Endpoint)
    const cells = typeof route === 'string' ? table.get(titleOf(declared(route))) : undefined
    let wanted = await input()
    const seen: Record<string, boolean> = {}
    const expected: Record<string, boolean> = {}
    for (const [caller, person] of Object.entries(callers)) {
      const { errors, messages } = await send(person?.token, mutation, wanted)
      const isRefused = messages !== undefined
      // Those who may change their own issue may still not take it to another project.
      const wrong = mutation === 'issueMove' && caller === 'guest' ? ['Cannot move issue due to insufficient permissions!'] : []
      assert.deepEqual(isRefused ? messages : errors, isRefused ? [UNAVAILABLE] : wrong, caller)
      seen[caller] = isRefused
      const [status = ''] = cells?.[columns.indexOf(caller)]?.split('/') ?? []
      expected[caller] = cells ? ['302', '401', '403', '404'].includes(status) : ['anonymous', 'outsider', 'guest'].includes(caller)
      if (!isRefused) wanted = await input()
    }
    assert.deepEqual(seen, expected)
  })

test('runners and snippets are changed by those who manage them', async () => {
  const runner = await registered(scene, { project })
  const refused = async (mutation: string, input: object, person = outsider) => (await send(person.token, mutation, input)).messages
  const id = gid('Ci::Runner', runner.id)
  for (const mutation of ['runnerUpdate', 'runnerDelete'])
    for (const person of [outsider, guest, developer]) assert.deepEqual(await refused(mutation, { id }, person), [UNAVAILABLE])
  assert.deepEqual(await send(maintainer.token, 'runnerUpdate', { id, description: 'Ours', tagList: ['a'] }), {
    errors: [],
    messages: undefined,
  })
  assert.deepEqual((await root.get(`/runners/${runner.id}`)).body.tag_list, ['a'])
  assert.deepEqual(await send(maintainer.token, 'runnerDelete', { id }), { errors: [], messages: undefined })

  const content = { title: name(), visibilityLevel: 'private', blobActions: [{ action: 'create', filePath: 'a', content: 'a' }] }
  assert.deepEqual(await refused('createSnippet', { ...content, projectPath }), [UNAVAILABLE])
  assert.deepEqual(await refused('createSnippet', { ...content, projectPath }, guest), [UNAVAILABLE])
  assert.deepEqual(await send(reporter.token, 'createSnippet', { ...content, projectPath }), { errors: [], messages: undefined })
  assert.deepEqual(await send(outsider.token, 'createSnippet', content), { errors: [], messages: undefined })
  const { id: number } = await snippet()
  const changed = { id: gid('ProjectSnippet', number), blobActions: [{ action: 'update', filePath: 'a', content: 'b' }] }
  for (const person of [outsider, guest, reporter, developer]) {
    assert.deepEqual(await refused('updateSnippet', changed, person), [UNAVAILABLE])
    assert.deepEqual(await refused('destroySnippet', { id: changed.id }, person), [UNAVAILABLE])
  }
  assert.deepEqual(await send(maintainer.token, 'updateSnippet', changed), { errors: [], messages: undefined })
  assert.equal((await root.get(`${project.url}/snippets/${number}/raw`)).body, 'b')
  assert.deepEqual(await send(maintainer.token, 'destroySnippet', { id: changed.id }), { errors: [], messages: undefined })
})

/** How many rows each table has, those that follow from being asked aside. */
async function rowCounts(): Promise<Map<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not in ('tasks', 'jobs_queue')`.execute(db)
  const counts = tables.map(
    ({ name: table_ }) => sql`select ${sql.lit(table_)}::text as name, count(*)::int as total from ${sql.table(table_)}`,
  )
  const { rows } = await sql<{ name: string; total: number }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return new Map(rows.map(row => [row.name, row.total]))
}

/** What the work adds to each table. */
async function added(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await rowCounts()
  await work()
  const after = await rowCounts()
  return Object.fromEntries(
    [...after].flatMap(([table_, total]) => (total === before.get(table_) ? [] : [[table_, total - (before.get(table_) ?? 0)]])),
  )
}

test('a mutation leaves the rows that its route leaves: events for hooks and feeds, notes of the system, to-do items and resource events', async () => {
  await post(`${project.url}/hooks`, {
    url: 'https://example.com/hook',
    issues_events: true,
    note_events: true,
    merge_requests_events: true,
  })
  const tag = await label()
  const pairs: readonly (readonly [string, () => Promise<unknown>, string, () => Promise<object>])[] = [
    [
      'a new issue',
      () => post(`${project.url}/issues`, { title: name(), assignee_ids: [developer.id], labels: tag.name, due_date: '2030-01-01' }),
      'createIssue',
      async () => ({
        projectPath,
        title: name(),
        assigneeIds: [gid('User', developer.id)],
        labelIds: [gid('ProjectLabel', tag.id)],
        dueDate: '2030-01-01',
      }),
    ],
    [
      'a reply with quick actions',
      async () => post(`${project.url}/issues/${(await issue()).iid}/notes`, { body: `Yes\n/label ~${tag.name}\n/close` }),
      'createNote',
      async () => ({ noteableId: gid('Issue', (await issue()).id), body: `Yes\n/label ~${tag.name}\n/close` }),
    ],
    [
      'a changed merge request',
      async () => root.put((await mergeRequest()).url, { add_labels: tag.name }),
      'mergeRequestSetLabels',
      async () => ({ ...(await namedMerge()), labelIds: [gid('ProjectLabel', tag.id)], operationMode: 'APPEND' }),
    ],
    [
      'a merge',
      async () => root.put(`${(await mergeRequest()).url}/merge`),
      'mergeRequestAccept',
      inputs.mergeRequestAccept as () => Promise<object>,
    ],
  ]
  for (const [what, byRest, mutation, input] of pairs) {
    const rest = await added(byRest)
    const graph = await added(async () => {
      assert.deepEqual(await send(root.token, mutation, await input()), { errors: [], messages: undefined })
    })
    assert.deepEqual(graph, rest, what)
    assert.ok(Object.keys(rest).length > 2, what)
  }
})
