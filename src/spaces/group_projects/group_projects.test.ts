/** The projects of a group (document 3 "Groups"; decision 49). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'

const scene = await openScene()
const ids = (answer: { body: { id: number }[] }) => answer.body.map(row => row.id)
const share = async (project: { url: string }, group: { id: number }, group_access = 30) =>
  assert.equal((await scene.root.post(`${project.url}/share`, { group_id: group.id, group_access })).status, 201)

/** A group with its own project, one in a subgroup, and one that is shared with it. */
async function family() {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ parent: group, owner })
  const { project: own } = await scene.project({ group, owner })
  const { project: inner } = await scene.project({ group: below, owner })
  const { project: guest } = await scene.project()
  await share(guest, group)
  return { group, below, owner, own, inner, guest }
}

test('a group lists its own projects and those shared with it, and those of subgroups on request', async () => {
  const { group, owner, own, inner, guest } = await family()
  const list = async (query: object) => ids(await owner.get(`${group.url}/projects`, { order_by: 'id', sort: 'asc', ...query }))

  assert.deepEqual(await list({}), [own.id, guest.id])
  assert.deepEqual(await list({ with_shared: false }), [own.id])
  assert.deepEqual(await list({ include_subgroups: true }), [own.id, inner.id, guest.id])
  assert.deepEqual(await list({ include_subgroups: true, with_shared: false }), [own.id, inner.id])
  assert.deepEqual(ids(await owner.get(`${group.url}/projects/shared`)), [guest.id])
})

test('a project that is both in the group and shared with it is listed once', async () => {
  const { group, below, owner } = await family()
  const { project } = await scene.project({ group: below, owner })
  await scene.deps.database.db.insertInto('shares').values({ project_id: project.id, group_id: group.id, access_level: 30 }).execute()

  const listed = ids(await owner.get(`${group.url}/projects`, { include_subgroups: true }))

  assert.equal(listed.filter(id => id === project.id).length, 1)
})

test('only projects that the caller may see are listed: for anonymous callers the public ones, with the simple fields', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project: open } = await scene.project({ group, owner, visibility: 'public' })
  const { project: hidden } = await scene.project({ group, owner })
  const { project: guest } = await scene.project({ visibility: 'public' })
  const { project: hiddenGuest } = await scene.project()
  await share(guest, group)
  await share(hiddenGuest, group)
  const outsider = await scene.user()

  for (const client of [scene.anonymous, outsider]) {
    assert.deepEqual(ids(await client.get(`${group.url}/projects`, { order_by: 'id', sort: 'asc' })), [open.id, guest.id])
    assert.deepEqual(ids(await client.get(`${group.url}/projects/shared`)), [guest.id])
  }
  assert.equal((await scene.anonymous.get(`${group.url}/projects`)).body[0].visibility, undefined)
  assert.deepEqual(ids(await owner.get(`${group.url}/projects`, { order_by: 'id', sort: 'asc' })), [
    open.id,
    hidden.id,
    guest.id,
    hiddenGuest.id,
  ])
})

test('the lists are filtered by each of their parameters', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const make = async (name: string, settings: object = {}) => {
    const { project } = await scene.project({ group, owner, name, visibility: 'public', ...settings })
    return project
  }
  const plain = await make('Plain')
  const hidden = await make('Hidden', { visibility: 'private' })
  const quiet = await make('Quiet', { issues_enabled: false, merge_requests_enabled: false })
  const old = await make('Old')
  await owner.post(`${old.url}/archive`)
  await owner.post(`${plain.url}/star`)
  const list = async (query: object, client = owner) =>
    ids(await client.get(`${group.url}/projects`, { order_by: 'id', sort: 'asc', ...query }))
  const { project: guest } = await scene.project({ owner: await scene.user(), visibility: 'public' })
  await share(guest, group, 20)

  assert.deepEqual(await list({ archived: true }), [old.id])
  assert.deepEqual(await list({ archived: false, with_shared: false }), [plain.id, hidden.id, quiet.id])
  assert.deepEqual(await list({ visibility: 'private' }), [hidden.id])
  assert.deepEqual(await list({ search: 'QUI' }), [quiet.id])
  assert.deepEqual(await list({ starred: true }), [plain.id])
  assert.deepEqual(await list({ with_issues_enabled: true, with_shared: false }), [plain.id, hidden.id, old.id])
  assert.deepEqual(await list({ with_merge_requests_enabled: true, with_shared: false }), [plain.id, hidden.id, old.id])
  assert.deepEqual(await list({ owned: true }), [plain.id, hidden.id, quiet.id, old.id])
  assert.deepEqual(await list({ min_access_level: 20 }), [plain.id, hidden.id, quiet.id, old.id, guest.id])
  assert.deepEqual(await list({ min_access_level: 30 }), [plain.id, hidden.id, quiet.id, old.id])
  assert.deepEqual(await list({ order_by: 'name', sort: 'desc', with_shared: false }), [quiet.id, plain.id, old.id, hidden.id])
  assert.equal((await owner.get(`${group.url}/projects`, { simple: true })).body[0].visibility, undefined)
  assert.deepEqual(await list({}, await scene.user()), [plain.id, quiet.id, old.id, guest.id])
})

test('with_security_reports finds the projects that have some; a fresh one has none (decision 51)', async () => {
  const { group, owner, own } = await family()
  const list = async () => ids(await owner.get(`${group.url}/projects`, { with_security_reports: true }))

  assert.deepEqual(await list(), [])
  await scene.deps.database.db.updateTable('projects').set({ has_security_reports: true }).where('id', '=', own.id).execute()
  assert.deepEqual(await list(), [own.id])
})

test('on the shared list the level is the lower of the role in the group and that of the share (decision 49)', async () => {
  const { group, ...people } = await scene.group({ members: ['reporter', 'maintainer'] })
  const [low, high] = await Promise.all(
    [20, 40].map(async level => {
      const { project } = await scene.project()
      await share(project, group, level)
      return project.id
    }),
  )
  const list = async (person: Person, min_access_level: number) =>
    ids(await person.get(`${group.url}/projects/shared`, { min_access_level, order_by: 'id', sort: 'asc' })).sort()
  const both = [low, high].sort()

  assert.deepEqual(await list(people.maintainer, 20), both)
  assert.deepEqual(await list(people.maintainer, 30), [high])
  assert.deepEqual(await list(people.maintainer, 50), [])
  assert.deepEqual(await list(people.reporter, 20), both)
  assert.deepEqual(await list(people.reporter, 30), [])
})

test('an expired share is in no list', async () => {
  const { group, owner, own, guest } = await family()
  await scene.deps.database.db.updateTable('shares').set({ expires_at: '2020-01-01' }).where('project_id', '=', guest.id).execute()

  assert.deepEqual(ids(await owner.get(`${group.url}/projects`)), [own.id])
  assert.deepEqual(ids(await owner.get(`${group.url}/projects/shared`)), [])
})

test('similarity: refused while its flag is off, and always on the shared list (decision 49)', async () => {
  const { group, owner } = await scene.group()
  const refused = { status: 400, body: { message: { order_by: ['does not have a valid value'] } } }

  assert.deepEqual(await owner.get(`${group.url}/projects`, { order_by: 'similarity', search: 'x' }), refused)
  assert.deepEqual(await owner.get(`${group.url}/projects/shared`, { order_by: 'similarity', search: 'x' }), refused)
})

test('similarity ignores `sort`, and orders by name for equal similarity and without a search', async () => {
  const { group, owner } = await scene.group()
  await scene.root.post('/features/similarity_search', { value: true, group: group.full_path })
  const make = async (name: string, path: string) => (await scene.project({ group, owner, name, path })).project.id
  const far = await make('The great anchor of the fleet', 'the-great-anchor-of-the-fleet')
  const exact = await make('anchor', 'anchor')
  const near = await make('anchors', 'anchors')
  const list = async (query: object) => ids(await owner.get(`${group.url}/projects`, { order_by: 'similarity', ...query }))

  for (const sort of ['asc', 'desc']) {
    assert.deepEqual(await list({ search: 'anchor', sort }), [exact, near, far], sort)
    assert.deepEqual(await list({ sort }), [exact, near, far], 'by name')
  }
})

test('the details of a group show its projects and those shared with it, unless with_projects=false', async () => {
  const { group, owner, own, inner, guest } = await family()

  const { body } = await owner.get(group.url)

  assert.deepEqual([ids({ body: body.projects }), ids({ body: body.shared_projects })], [[own.id], [guest.id]])
  assert.deepEqual(body.projects[0], (await owner.get(own.url)).body)
  const without = (await owner.get(group.url, { with_projects: false })).body
  assert.deepEqual(['projects' in without, 'shared_projects' in without], [false, false])
  assert.ok(!ids({ body: body.projects }).includes(inner.id))
  assert.deepEqual(ids({ body: (await owner.put(group.url, { description: 'Changed' })).body.projects }), [own.id])
})

test('no more than a hundred projects are shown in the details, and only visible ones', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  await scene.project({ group, owner, visibility: 'public' })
  const row = { namespace_id: group.id, creator_id: owner.id }
  const { db } = scene.deps.database
  const rows = Array.from({ length: 101 }, (_, index) => ({ ...row, name: `Row ${index}`, path: `row-${index}` }))
  const made = await db.insertInto('projects').values(rows).returning(['id', 'path', 'name']).execute()
  await db
    .insertInto('routes')
    .values(made.map(({ id, path, name }) => ({ project_id: id, path: `${group.path}/${path}`, name })))
    .execute()

  assert.equal((await owner.get(group.url)).body.projects.length, 100)
  const seen = (await scene.anonymous.get(group.url)).body.projects
  assert.deepEqual([seen.length, seen[0].visibility], [1, undefined])
})

test('the statistics of a group are the sums over its whole tree, for administrators on request (document 3 "Group")', async () => {
  const { group, below, owner, own, inner, guest } = await family()
  const { db } = scene.deps.database
  for (const [{ id }, size] of [
    [own, 100],
    [inner, 10],
    [guest, 1],
  ] as const)
    await db.updateTable('project_statistics').set({ repository_size: size, packages_size: size }).where('project_id', '=', id).execute()
  const list = async (client: Person, query: object) =>
    (await client.get('/groups', { search: group.path, ...query })).body.find((found: { id: number }) => found.id === group.id)

  const expected = {
    storage_size: 220,
    repository_size: 110,
    wiki_size: 0,
    lfs_objects_size: 0,
    job_artifacts_size: 0,
    packages_size: 110,
    snippets_size: 0,
  }
  assert.deepEqual((await list(scene.root, { statistics: true })).statistics, expected)
  assert.equal('statistics' in (await list(scene.root, {})), false)
  assert.equal('statistics' in (await list(owner, { statistics: true })), false)
  const [sub] = (await scene.root.get(`${group.url}/subgroups`, { statistics: true })).body
  assert.deepEqual([sub.id, sub.statistics.storage_size], [below.id, 20])
  const empty = (await scene.group()).group
  assert.equal((await scene.root.get('/groups', { search: empty.path, statistics: true })).body[0].statistics.storage_size, 0)
})

test('a group has a token for its runners, shown to Owners and administrators in its details alone (decision 44)', async () => {
  const { group, owner, maintainer } = await scene.group({ members: ['maintainer'] })
  const tokenFor = async (client: Person) => (await client.get(group.url)).body.runners_token

  const token = await tokenFor(owner)

  assert.match(token, /^[\w-]{20}$/)
  assert.deepEqual([await tokenFor(scene.root), await tokenFor(maintainer)], [token, undefined])
  assert.equal('runners_token' in (await owner.get('/groups', { search: group.path })).body[0], false)
  const { group: other } = await scene.group({ owner })
  assert.notEqual((await owner.get(other.url)).body.runners_token, token)
  const stored = await scene.deps.database.db
    .selectFrom('runners_tokens')
    .selectAll()
    .where('namespace_id', '=', group.id)
    .executeTakeFirstOrThrow()
  assert.ok(!JSON.stringify(stored).includes(token), 'kept encrypted')
})

test('a project lists the groups above it, and those it is shared with on request', async () => {
  const { group, below, owner, inner } = await family()
  const [{ group: guest }, { group: hidden }] = [await scene.group({ visibility: 'public' }), await scene.group({ visibility: 'private' })]
  await share(inner, guest, 20)
  await share(inner, hidden)
  const list = async (query: Record<string, string | number | boolean | number[]>) => ids(await owner.get(`${inner.url}/groups`, query))

  assert.deepEqual(await list({}), [group.id, below.id])
  assert.deepEqual(await list({ with_shared: true }), [group.id, below.id, guest.id])
  assert.deepEqual(await list({ with_shared: true, shared_min_access_level: 30 }), [group.id, below.id])
  assert.deepEqual(await list({ skip_groups: [group.id] }), [below.id])
  assert.deepEqual(await list({ search: below.path }), [below.id])
  const { body } = await owner.get(`${inner.url}/groups`)
  assert.deepEqual(Object.keys(body[0]), ['id', 'name', 'avatar_url', 'web_url', 'full_name', 'full_path'])
})

test('administrators move a project into a group, and its old path leads there', async () => {
  const [{ group }, { project, owner }] = [await scene.group(), await scene.project({ visibility: 'private' })]

  const moved = await scene.root.post(`${group.url}/projects/${encodeURIComponent(project.full_path)}`)

  assert.deepEqual([moved.status, moved.body.id], [201, group.id])
  assert.equal((await scene.root.get(project.url)).body.path_with_namespace, `${group.full_path}/${project.path}`)
  assert.equal((await owner.get(project.url)).status, 200)
  assert.equal((await owner.post(`${group.url}/projects/${project.id}`)).status, 403)
  assert.equal((await scene.root.post(`${group.url}/projects/999999`)).status, 404)
  const { project: namesake } = await scene.project({ path: project.path })
  assert.equal((await scene.root.post(`${group.url}/projects/${namesake.id}`)).status, 409)
})
