/** Migrations from one server to another, compared answer by answer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Client, openScene, type Person } from '../../../test/scene.ts'
import { migrated, requested } from './scene.ts'

const source = await openScene()
const here = await openScene({ settings: { outboundAllow: '127.0.0.1' } })

/** Sends a request that must succeed. */
async function made(client: Client, path: string, body: object = {}) {
  const answer = await client.post(path, body)
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const author = await source.user({ username: 'author' })
const reviewer = await source.user({ username: 'reviewer' })
const stranger = await source.user({ username: 'stranger' })
const people = [
  await here.user({ username: 'ann', email: 'author@example.com' }),
  await here.user({ username: 'rob', email: 'reviewer@example.com' }),
]
const { group } = await source.group({ path: 'lamps', owner: author, visibility: 'public' })
const { group: below } = await source.group({ path: 'shades', parent: group, owner: author, visibility: 'internal' })
const { project } = await source.project({ group: below, path: 'paper', owner: author, visibility: 'private', description: 'Paper shades' })
await author.put(group.url, { description: 'All lamps', project_creation_level: 'maintainer', share_with_group_lock: true })
await made(author, `${group.url}/labels`, { name: 'bright', color: '#ffcc00', description: 'Too bright' })
const { id: spring } = await made(author, `${group.url}/milestones`, { title: 'Spring', due_date: '2030-05-01', description: 'Soon' })
const { id: winter } = await made(author, `${group.url}/milestones`, { title: 'Winter' })
await author.put(`${group.url}/milestones/${winter}`, { state_event: 'close' })
await author.delete(`${group.url}/milestones/${(await made(author, `${group.url}/milestones`, { title: 'Never' })).id}`)
await made(author, `${group.url}/members`, { user_id: reviewer.id, access_level: 30, expires_at: '2040-01-01' })
await made(author, `${group.url}/members`, { user_id: stranger.id, access_level: 20 })
await made(author, `${group.url}/hooks`, { url: 'https://example.com/hook' })
await source.commit(project, { 'README.md': '# Paper\n', 'a.txt': 'one\n' })
await made(author, `${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
await made(author, `${project.url}/issues`, { title: 'It burns', description: 'Badly', labels: 'bright,own', milestone_id: spring })
await made(reviewer, `${project.url}/issues/1/notes`, { body: 'Which one?' })
const open = await source.mergeRequest(project, { author, title: 'Draft: Fold it', files: { 'fold.txt': 'a\nb\n' }, labels: 'own' })
await made(author, `${project.url}/wikis`, { title: 'Home', content: 'Welcome' })
await made(author, `${project.url}/variables`, { key: 'SECRET', value: 'of-the-lamp' })
await made(author, `${project.url}/releases`, { tag_name: 'v1', name: 'One', description: 'The first' })

const id = await requested(here.root, `${source.url}/`, source.root.token, [
  { source_type: 'group_entity', source_full_path: '/lamps', destination_name: 'Lamps', destination_namespace: '' },
])
const done = await migrated(here, source, here.root, id)

/** Drops what is of a server and not of what is migrated. */
const left = [
  'id',
  'project_id',
  'group_id',
  'noteable_id',
  'source_project_id',
  'target_project_id',
  'parent_id',
  'namespace',
  'created_at',
  'updated_at',
]

function ofThing(value: unknown, without: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(each => ofThing(each, without))
  if (typeof value === 'string')
    return value
      .replaceAll(source.url, 'SERVER')
      .replaceAll(here.url, 'SERVER')
      .replace(/\/projects\/\d+/g, '/projects/N')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !left.includes(name) && !without.includes(name))
      .map(([name, each]) => [name, ofThing(each, without)]),
  )
}

async function assertSame(path: string, without: readonly string[]) {
  const [before, after] = [await source.root.get(path), await here.root.get(path)]
  assert.deepEqual([before.status, after.status], [200, 200], path)
  assert.deepEqual(ofThing(after.body, without), ofThing(before.body, without))
}

test('the migration has finished, and says what could not come', async () => {
  const { migration, entities } = done
  assert.deepEqual([migration.status, migration.source_type], ['finished', 'gitlab'])
  assert.deepEqual(
    entities.map((entity: { status: string; entity_type: string; source_full_path: string }) => [
      entity.entity_type,
      entity.source_full_path,
      entity.status,
    ]),
    [
      ['group', 'lamps', 'finished'],
      ['group', 'lamps/shades', 'finished'],
      ['project', 'lamps/shades/paper', 'finished'],
    ],
  )
  const reported = (at: number) =>
    entities[at].failures.map((each: { relation: string; exception_message: string }) => [each.relation, each.exception_message])
  assert.deepEqual(reported(0), [
    ['members', 'stranger: no account here has confirmed the e-mail address'],
    ['hooks', '1 on the other server: their secrets cannot be read, and they are set again'],
  ])
  assert.deepEqual(reported(1), [])
  assert.deepEqual(reported(2), [['ci_variables', '1 on the other server: their values are secrets, and are set again']])
  assert.deepEqual([entities[1].parent_id, entities[2].parent_id], [entities[0].id, entities[1].id])
  assert.equal((await here.root.get(`/groups/${entities[0].namespace_id}`)).body.full_path, 'lamps')
  assert.equal((await here.root.get(`/projects/${entities[2].project_id}`)).body.path_with_namespace, 'lamps/shades/paper')
})

describe('what is the same afterwards', () => {
  const paper = encodeURIComponent('lamps/shades/paper')
  const ofPeople = ['author', 'user', 'closed_by', 'commit', 'assignee', 'assignees', 'created_by']
  const same: readonly (readonly [path: string, without?: readonly string[]])[] = [
    ['/groups/lamps?with_projects=false', ['name', 'full_name', 'runners_token', 'shared_with_groups', 'web_url']],
    [`/groups/${encodeURIComponent('lamps/shades')}?with_projects=false`, ['full_name', 'runners_token', 'shared_with_groups']],
    ['/groups/lamps/labels'],
    ['/groups/lamps/milestones'],
    [`/projects/${paper}/labels?with_counts=true`],
    [`/projects/${paper}/repository/branches`, ['commit']],
    [`/projects/${paper}/repository/tags`],
    [`/projects/${paper}/issues`, [...ofPeople, 'milestone']],
    [`/projects/${paper}/issues/1/notes`, ofPeople],
    [`/projects/${paper}/merge_requests`, [...ofPeople, 'merge_status', 'detailed_merge_status', 'has_conflicts', 'reference']],
    [`/projects/${paper}/merge_requests/${open.iid}/commits`],
    [`/projects/${paper}/releases`, ['author', 'evidences', 'commit', 'collected_at']],
    [`/projects/${paper}/wikis?with_content=true`],
  ]
  for (const [path, without = []] of same) test(path, () => assertSame(path, without))
})

test('authors are found by their addresses', async () => {
  const paper = encodeURIComponent('lamps/shades/paper')
  const issue = (await here.root.get(`/projects/${paper}/issues/1`)).body
  const [note] = (await here.root.get(`/projects/${paper}/issues/1/notes?sort=asc`)).body.filter(
    (each: { system: boolean }) => !each.system,
  )
  assert.deepEqual([issue.author.username, note.author.username], ['ann', 'rob'])
  const members = (await here.root.get('/groups/lamps/members')).body as {
    username: string
    access_level: number
    expires_at: string | null
  }[]
  assert.deepEqual(members.map(member => [member.username, member.access_level, member.expires_at]).sort(), [
    ['ann', 50, null],
    ['rob', 30, '2040-01-01'],
    ['root', 50, null],
  ])
})

test('the token is forgotten when the migration has ended, and is never shown', async () => {
  const row = await here.deps.database.db.selectFrom('bulk_imports').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  assert.equal(row.access_token, null)
  const shown = JSON.stringify([done, (await here.root.get('/bulk_imports')).body, (await here.root.get('/bulk_imports/entities')).body])
  assert.equal(shown.includes(source.root.token), false)
})

test('a migration is its user’s own: it does not exist for others, not for administrators either', async () => {
  const [ann] = people as [Person]
  for (const path of [`/bulk_imports/${id}`, `/bulk_imports/${id}/entities`, `/bulk_imports/${id}/entities/${done.entities[0].id}`])
    assert.equal((await ann.get(path)).status, 404, path)
  assert.deepEqual((await ann.get('/bulk_imports')).body, [])
  assert.deepEqual((await ann.get('/bulk_imports/entities')).body, [])
  const own = await requested(ann, source.url, stranger.token, [
    { source_type: 'project_entity', source_full_path: 'lamps/shades/paper', destination_namespace: '' },
  ])
  assert.equal((await here.root.get(`/bulk_imports/${own}`)).status, 404)
  assert.equal((await ann.get(`/bulk_imports/${id}/entities/${done.entities[0].id}`)).status, 404)
  const { entities } = await migrated(here, source, ann, own)
  assert.deepEqual(
    entities[0].failures.map((each: { exception_message: string }) => each.exception_message),
    ['The token may not export the project: it takes a Maintainer, and the scope `api`.'],
  )
  assert.equal((await ann.get(`/bulk_imports?status=failed`)).body.length, 1)
  assert.equal((await ann.get(`/bulk_imports/entities?status=finished`)).body.length, 0)
})

test('a user who is no administrator migrates a project into their own namespace, and is the author of all', async () => {
  const ann = people[0] as Person
  const own = await requested(ann, source.url, author.token, [
    { source_type: 'project_entity', source_full_path: 'lamps/shades/paper', destination_slug: 'mine', destination_namespace: '' },
  ])
  const { entities } = await migrated(here, source, ann, own)
  assert.deepEqual([entities[0].status, entities[0].destination_name], ['finished', 'mine'])
  const issue = (await ann.get(`/projects/${encodeURIComponent('ann/mine')}/issues/1`)).body
  assert.deepEqual([issue.title, issue.author.username], ['It burns', 'ann'])
})

describe('what is refused immediately', () => {
  const paper = { source_type: 'project_entity', source_full_path: 'lamps/shades/paper', destination_namespace: '' }
  const of = (url: string, entity: object = paper) => ({ configuration: { url, access_token: 'x' }, entities: [entity] })
  const blocked = 'Validation failed: Url is blocked: it is not a public web address'
  const cases: readonly (readonly [what: string, body: object, status: number, message: unknown])[] = [
    ['a private address', of('http://10.0.0.1'), 422, blocked],
    ['another scheme', of('ftp://example.com'), 422, blocked],
    ['an address with a password', of('https://a:b@example.com'), 422, 'Validation failed: Url must not have a user or password'],
    [
      'a destination that is not there',
      of(source.url, { ...paper, destination_namespace: 'nowhere' }),
      422,
      "Import failed. Destination 'nowhere' is invalid, or you don't have permission.",
    ],
    [
      'a group that one may not change',
      of(source.url, { ...paper, source_type: 'group_entity', destination_namespace: 'lamps' }),
      422,
      "Import failed. Destination 'lamps' is invalid, or you don't have permission.",
    ],
  ]
  for (const [what, body, status, message] of cases)
    test(what, async () => {
      const outsider = await here.user()
      const answer = await outsider.post('/bulk_imports', body)
      assert.deepEqual({ status: answer.status, message: answer.body.message }, { status, message })
    })

  test('a place where the caller may not create groups, at the top and below a group that leaves that to owners', async () => {
    const { group, owner, maintainer } = await here.group({ members: ['maintainer'] })
    await owner.put(`/groups/${group.id}`, { subgroup_creation_level: 'owner' })
    const small = await here.user({ can_create_group: false })
    const asked = (destination_namespace: string) => of(source.url, { ...paper, source_type: 'group_entity', destination_namespace })

    const answers = [await small.post('/bulk_imports', asked('')), await maintainer.post('/bulk_imports', asked(group.full_path))]

    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.message]),
      ['', group.full_path].map(path => [422, `Import failed. Destination '${path}' is invalid, or you don't have permission.`]),
    )
  })

  test('a kind of thing that is not known, and none at all', async () => {
    const unknown = await here.root.post('/bulk_imports', of(source.url, { ...paper, source_type: 'epic_entity' }))
    assert.deepEqual([unknown.status, unknown.body], [400, { message: { 'entities[0][source_type]': ['does not have a valid value'] } }])
    assert.equal(
      (await here.root.post('/bulk_imports', { configuration: { url: source.url, access_token: 'x' }, entities: [] })).status,
      400,
    )
    assert.equal((await here.anonymous.post('/bulk_imports', of(source.url))).status, 401)
  })
})
