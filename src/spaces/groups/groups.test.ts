import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneGroup } from '../../../test/scene.ts'

const scene = await openScene()
const ids = (answer: { body: { id: number }[] }) => answer.body.map(row => row.id)

test('the creator of a group owns it, and gets its details', async () => {
  const person = await scene.user()

  const made = await person.post('/groups', { name: 'Blue team (north)', path: 'blue-team', description: 'Does blue things' })

  assert.equal(made.status, 201)
  const { id, created_at, runners_token, ...rest } = made.body
  assert.match(created_at, /Z$/)
  assert.equal(typeof runners_token, 'string')
  assert.deepEqual(
    { ...rest },
    {
      web_url: `${scene.url}/groups/blue-team`,
      name: 'Blue team (north)',
      path: 'blue-team',
      description: 'Does blue things',
      visibility: 'private',
      share_with_group_lock: false,
      require_two_factor_authentication: false,
      two_factor_grace_period: 48,
      project_creation_level: 'developer',
      auto_devops_enabled: null,
      subgroup_creation_level: 'maintainer',
      emails_disabled: null,
      mentions_disabled: null,
      lfs_enabled: true,
      default_branch_protection: 2,
      avatar_url: null,
      request_access_enabled: true,
      full_name: 'Blue team (north)',
      full_path: 'blue-team',
      parent_id: null,
      file_template_project_id: null,
      shared_with_groups: [],
      membership_lock: false,
      prevent_forking_outside_group: null,
      shared_runners_setting: 'enabled',
      shared_runners_minutes_limit: null,
      extra_shared_runners_minutes_limit: null,
      marked_for_deletion_on: null,
    },
  )
  assert.equal((await person.get(`/groups/${id}/members/${person.id}`)).body.access_level, 50)
})

test('a group is found by its id and by its full path, ignoring case, dots included', async () => {
  const { group: top, owner } = await scene.group()
  const { group } = await scene.group({ parent: top, owner, path: 'my.Group' })

  for (const id of [String(group.id), encodeURIComponent(group.full_path), group.full_path.toUpperCase().replace('/', '%2f')])
    assert.equal((await owner.get(`/groups/${id}`)).body.id, group.id, id)
  assert.equal((await owner.get(`/groups/${group.full_path}`)).status, 404, 'a slash that is not encoded splits')
})

test('a path or name that is taken is a conflict (decision 13)', async () => {
  const { group } = await scene.group()
  const person = await scene.user()

  assert.deepEqual(await person.post('/groups', { name: 'Another', path: group.path.toUpperCase() }), {
    status: 409,
    body: { message: 'Path has already been taken' },
  })
  assert.deepEqual(await person.post('/groups', { name: group.name, path: 'another' }), {
    status: 409,
    body: { message: 'Name has already been taken' },
  })
  assert.equal((await person.post('/groups', { name: 'A person', path: person.username })).status, 409)
})

test('reserved paths, malformed paths and malformed names are refused', async () => {
  const person = await scene.user()
  const refused = async (path: string, name = 'Fine') => (await person.post('/groups', { name, path })).body.message

  assert.deepEqual(await refused('admin'), { path: ['admin is a reserved name'] })
  assert.deepEqual(await refused('Api'), { path: ['Api is a reserved name'] })
  for (const path of ['-x', 'x.git', 'x.atom', 'x.', 'a b', 'ö', 'a/b', '..']) assert.ok((await refused(path)).path, path)
  for (const name of [' x', '<b>', 'a\tb', '(x)']) assert.ok((await refused('fine', name)).name, name)
})

test('names may use any script and emojis', async () => {
  const person = await scene.user()
  for (const [index, name] of ['研究', '🚀 Rocket', 'Équipe – Nord', '_x'].entries())
    assert.equal((await person.post('/groups', { name, path: `script-${index}` })).status, 201, name)
})

test('a user who may not create top-level groups may still create subgroups with a sufficient role', async () => {
  const { group, owner } = await scene.group()
  const person = await scene.user({ can_create_group: false })
  await owner.post(`${group.url}/members`, { user_id: person.id, access_level: 40 })

  assert.equal((await person.post('/groups', { name: 'Top', path: 'top-of-a-user' })).status, 403)
  assert.equal((await person.post('/groups', { name: 'Below', path: 'below', parent_id: group.id })).status, 201)
})

test('Maintainers create subgroups, or only Owners by a group setting', async () => {
  const { group, owner, maintainer, developer } = await scene.group({ members: ['maintainer', 'developer'] })
  const make = (person: typeof owner, path: string) => person.post('/groups', { name: path, path, parent_id: group.id })

  assert.equal((await make(developer, 'one')).status, 403)
  const made = await make(maintainer, 'two')
  assert.equal(made.status, 201)
  assert.equal((await maintainer.get(`/groups/${made.body.id}/members/${maintainer.id}`)).body.access_level, 50)

  await owner.put(group.url, { subgroup_creation_level: 'owner' })
  assert.equal((await make(maintainer, 'three')).status, 403)
  assert.equal((await make(owner, 'three')).status, 201)
})

test('a parent that the caller may not see does not exist', async () => {
  const { group } = await scene.group()
  const outsider = await scene.user()
  assert.deepEqual(await outsider.post('/groups', { name: 'x', path: 'x', parent_id: group.id }), {
    status: 404,
    body: { message: '404 Group Not Found' },
  })
})

test('a group is never more visible than its parent, nor less visible than its contents', async () => {
  const { group, owner } = await scene.group({ visibility: 'internal' })
  const { group: below } = await scene.group({ parent: group, owner, visibility: 'internal' })

  assert.equal((await owner.post('/groups', { name: 'x', path: 'x', parent_id: group.id, visibility: 'public' })).status, 400)
  assert.equal((await owner.put(below.url, { visibility: 'public' })).status, 400)
  assert.deepEqual((await owner.put(group.url, { visibility: 'private' })).body, {
    message: { visibility_level: ['private is not allowed since this group contains projects or subgroups with higher visibility.'] },
  })
  assert.equal((await owner.put(below.url, { visibility: 'private' })).status, 200)
  assert.equal((await owner.put(group.url, { visibility: 'private' })).status, 200)
})

test('private groups do not exist for outsiders, internal ones do for signed-in users who are not external (decision 43)', async () => {
  const [hidden, internal, open] = await Promise.all(
    (['private', 'internal', 'public'] as const).map(async visibility => (await scene.group({ visibility })).group),
  )
  const outsider = await scene.user()
  const external = await scene.user({ external: true })
  const seenBy = async (client: { get: typeof outsider.get }) =>
    Promise.all([hidden, internal, open].map(async group => (await client.get(group!.url)).status))

  assert.deepEqual(await seenBy(scene.anonymous), [404, 404, 200])
  assert.deepEqual(await seenBy(external), [404, 404, 200])
  assert.deepEqual(await seenBy(outsider), [404, 200, 200])
  assert.deepEqual(await seenBy(scene.root), [200, 200, 200])
})

test('members of a group see everything below it, and members of something inside see the groups around it', async () => {
  const { group: top, owner, guest } = await scene.group({ members: ['guest'] })
  const { group: middle } = await scene.group({ parent: top, owner })
  const { group: sibling } = await scene.group({ parent: top, owner })
  const { project, reporter } = await scene.project({ group: middle, owner, members: ['reporter'] })

  assert.equal((await guest.get(middle.url)).status, 200)
  assert.equal((await guest.get(project.url)).status, 200)
  assert.equal((await reporter.get(top.url)).status, 200)
  assert.equal((await reporter.get(middle.url)).status, 200)
  assert.equal((await reporter.get(sibling.url)).status, 404)
  assert.deepEqual(ids(await reporter.get(`${top.url}/subgroups`)), [middle.id])
  assert.equal((await reporter.get(`${top.url}/members`)).status, 403)
})

test('lists contain the user’s own groups unless all are requested; anonymous callers get public ones (decision 47)', async () => {
  const { group: open } = await scene.group({ visibility: 'public', name: 'Listing open' })
  const { group: own, owner } = await scene.group({ name: 'Listing own' })
  const list = async (client: typeof owner | typeof scene.anonymous, query: object = {}) =>
    ids(await client.get('/groups', { search: 'listing', ...query }))

  assert.deepEqual(await list(owner), [own.id])
  assert.deepEqual(await list(owner, { all_available: true }), [open.id, own.id])
  assert.deepEqual(await list(owner, { all_available: true, owned: true }), [own.id], '`owned` takes precedence')
  assert.deepEqual(await list(scene.anonymous), [open.id])
  assert.deepEqual(await list(scene.root), [open.id, own.id], 'all for administrators')
})

test('lists are filtered by role, skipped ids, top level and search, and ordered', async () => {
  const { group: alpha, owner } = await scene.group({ name: 'Sieve alpha', path: 'sieve-2' })
  const { group: beta } = await scene.group({ name: 'Sieve beta', path: 'sieve-1', owner })
  const { group: below } = await scene.group({ name: 'Sieve below', path: 'sieve-3', parent: alpha, owner })
  const { group: other, owner: theirs } = await scene.group({ name: 'Sieve other', path: 'sieve-4' })
  await theirs.post(`${other.url}/members`, { user_id: owner.id, access_level: 20 })
  const list = async (query: object) => ids(await owner.get('/groups', { search: 'SIEVE', ...query }))

  assert.deepEqual(await list({}), [alpha.id, below.id, beta.id, other.id])
  assert.deepEqual(await list({ order_by: 'path', sort: 'desc' }), [other.id, below.id, alpha.id, beta.id])
  assert.deepEqual(await list({ order_by: 'id' }), [alpha.id, beta.id, below.id, other.id])
  assert.deepEqual(await list({ skip_groups: [alpha.id, beta.id] }), [below.id, other.id])
  assert.deepEqual(await list({ top_level_only: true }), [alpha.id, beta.id, other.id])
  assert.deepEqual(await list({ min_access_level: 30 }), [alpha.id, below.id, beta.id])
  assert.deepEqual(await list({ owned: true }), [alpha.id, below.id, beta.id])
  assert.deepEqual(ids(await owner.get(`${alpha.url}/descendant_groups`)), [below.id])
})

test('a new path moves everything below it', async () => {
  const { group, owner } = await scene.group({ path: 'moving' })
  const { group: decoy } = await scene.group({ path: 'moving-not' })
  const { group: below } = await scene.group({ parent: group, owner, path: 'deep' })
  const { project } = await scene.project({ group: below, owner, path: 'tool', name: 'Tool' })

  const moved = await owner.put(group.url, { path: 'moved_%', name: 'Moved' })
  assert.deepEqual(moved.body.message.path.length, 1, 'not a path')
  assert.equal((await owner.put(group.url, { path: 'moved_1', name: 'Moved' })).body.full_path, 'moved_1')

  const found = await owner.get(`/projects/${encodeURIComponent('moved_1/deep/tool')}`)
  assert.deepEqual([found.body.id, found.body.path_with_namespace], [project.id, 'moved_1/deep/tool'])
  assert.equal(found.body.name_with_namespace, `Moved / ${below.name} / Tool`)
  assert.equal((await owner.get(`/groups/${encodeURIComponent('moving/deep')}`)).status, 404)
  assert.equal((await scene.root.get(decoy.url)).body.full_path, 'moving-not')
})

test('a path can change only its case, and cannot become one that is taken (decision 13)', async () => {
  const { group, owner } = await scene.group({ path: 'casing' })
  const { group: other } = await scene.group()

  assert.equal((await owner.put(group.url, { path: 'Casing' })).body.full_path, 'Casing')
  assert.equal((await owner.put(group.url, { path: other.path })).status, 409)
  assert.equal((await owner.put(group.url, { name: other.name })).status, 409)
})

test('what is created below a group while it is renamed ends up below the new name', async () => {
  const { group, owner } = await scene.group({ path: 'race-before' })
  const { group: below } = await scene.group({ parent: group, owner })

  const [renamed, ...made] = await Promise.all([
    owner.put(group.url, { path: 'race-after' }),
    ...[1, 2, 3, 4, 5].map(number => owner.post('/projects', { name: `Race ${number}`, namespace_id: below.id })),
  ])

  assert.equal(renamed!.status, 200)
  for (const answer of made) {
    assert.equal(answer.status, 201)
    const now = (await owner.get(`/projects/${answer.body.id}`)).body.path_with_namespace
    assert.equal(now, `race-after/${below.path}/${answer.body.path}`)
  }
})

test('an update changes only the given attributes, and null removes a template project (decision 53)', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })

  const changed = await owner.put(group.url, { description: 'New', file_template_project_id: project.id, emails_disabled: true })
  assert.deepEqual(
    [changed.body.description, changed.body.file_template_project_id, changed.body.emails_disabled, changed.body.name],
    ['New', project.id, true, group.name],
  )
  assert.equal((await owner.put(group.url, { file_template_project_id: '' })).body.file_template_project_id, null)
})

test('only administrators set minute limits', async () => {
  const { group, owner } = await scene.group()
  assert.equal((await owner.put(group.url, { shared_runners_minutes_limit: 5 })).body.shared_runners_minutes_limit, null)
  assert.equal((await scene.root.put(group.url, { shared_runners_minutes_limit: 5 })).body.shared_runners_minutes_limit, 5)
  const limits = { shared_runners_minutes_limit: 7, extra_shared_runners_minutes_limit: 8 }
  const made = await owner.post('/groups', { name: 'Minutes', path: 'minutes-made', ...limits })
  assert.deepEqual([made.body.shared_runners_minutes_limit, made.body.extra_shared_runners_minutes_limit], [null, null])
  assert.equal((await scene.root.post('/groups', { name: 'More', path: 'minutes-more', ...limits })).body.shared_runners_minutes_limit, 7)
})

test('only owners update and delete a group', async () => {
  const { group, maintainer } = await scene.group({ members: ['maintainer'] })
  assert.equal((await maintainer.put(group.url, { description: 'x' })).status, 403)
  assert.equal((await maintainer.delete(group.url)).status, 403)
})

test('deleting a group deletes everything below it, and frees its paths', async () => {
  const { group, owner } = await scene.group({ path: 'doomed' })
  const { group: below } = await scene.group({ parent: group, owner })
  const { project } = await scene.project({ group: below, owner })

  assert.deepEqual(await owner.delete(group.url), { status: 204, body: undefined })

  for (const { url } of [group, below, project]) assert.equal((await scene.root.get(url)).status, 404, url)
  assert.equal((await owner.post('/groups', { name: 'Doomed again', path: 'doomed' })).status, 201)
})

test('a group is not deleted by a client that saw an older state of it (decision 15)', async () => {
  const { group, owner } = await scene.group()
  const header = { 'if-unmodified-since': new Date(Date.now() - 60_000).toUTCString() }
  assert.equal((await owner.delete(group.url, {}, header)).status, 412)
})

test('a group moves into another with everything below it, and its members keep their roles', async () => {
  const { group: target, owner } = await scene.group({ path: 'harbour' })
  const { group, developer } = await scene.group({ path: 'ship', owner, members: ['developer'] })
  const { group: below } = await scene.group({ path: 'cabin', parent: group, owner })
  const { project } = await scene.project({ group: below, owner, path: 'bunk' })
  const above = await scene.user()
  await owner.post(`${target.url}/members`, { user_id: above.id, access_level: 20 })

  const moved = await owner.post(`${group.url}/transfer`, { group_id: target.id })

  assert.deepEqual([moved.status, moved.body.full_path, moved.body.parent_id], [201, 'harbour/ship', target.id])
  assert.equal((await developer.get(project.url)).body.path_with_namespace, 'harbour/ship/cabin/bunk')
  assert.equal((await above.get(project.url)).status, 200, 'members of the new parent see it')
  assert.deepEqual(ids(await owner.get(`${target.url}/descendant_groups`)).sort(), [group.id, below.id].sort())

  const back = await owner.post(`${group.url}/transfer`, {})
  assert.deepEqual([back.body.full_path, back.body.parent_id], ['ship', null])
  assert.equal((await above.get(project.url)).status, 404)
})

test('a group moved to the top without an own owner gets the user who moved it as owner', async () => {
  const { group, owner } = await scene.group({ members: ['developer'] })
  const { group: below } = await scene.group({ parent: group, owner })
  const { group: other } = await scene.group({ parent: group, owner })
  const levels = async (place: SceneGroup) =>
    (await owner.get(`${place.url}/members`)).body.map((member: { id: number; access_level: number }) => [member.id, member.access_level])
  assert.deepEqual(await levels(below), [], 'owned by inheritance alone')
  // A lower own role does not count any more once nothing is inherited.
  await scene.deps.database.db
    .insertInto('members')
    .values({ namespace_id: other.id, user_id: owner.id, access_level: 30, created_at: scene.deps.now(), updated_at: scene.deps.now() })
    .execute()

  for (const place of [below, other]) {
    assert.equal((await owner.post(`${place.url}/transfer`)).status, 201)
    assert.deepEqual(await levels(place), [[owner.id, 50]])
  }
})

test('a group cannot move into itself, below itself, or to its present place', async () => {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ parent: group, owner })
  const { group: deeper } = await scene.group({ parent: below, owner })
  const cyclic = { status: 400, body: { message: '400 Bad request - a group cannot be moved into itself or a group below it' } }

  assert.deepEqual(await owner.post(`${group.url}/transfer`, { group_id: group.id }), cyclic)
  assert.deepEqual(await owner.post(`${group.url}/transfer`, { group_id: deeper.id }), cyclic)
  assert.equal((await owner.post(`${below.url}/transfer`, { group_id: group.id })).status, 400)
})

test('two groups moved into one another concurrently make no cycle', async () => {
  const { group: one, owner } = await scene.group()
  const { group: two } = await scene.group({ owner })

  const answers = await Promise.all([
    owner.post(`${one.url}/transfer`, { group_id: two.id }),
    owner.post(`${two.url}/transfer`, { group_id: one.id }),
  ])

  assert.deepEqual(answers.map(answer => answer.status).sort(), [201, 400])
})
