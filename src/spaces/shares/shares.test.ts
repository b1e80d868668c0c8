/** Sharing projects and groups with groups (document 3 "shared_with_groups"; projects, groups and members API). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'

const scene = await openScene()
const ids = (answer: { body: { id: number }[] }) => answer.body.map(row => row.id)
const tomorrow = () => new Date(Date.now() + 86_400_000 * 2).toISOString().slice(0, 10)
const today = () => new Date().toISOString().slice(0, 10)
const levels = { guest: 10, reporter: 20, developer: 30, maintainer: 40, owner: 50 } as const

/** A user's level in a project according to the API's list of all members. */
const levelIn = async (place: { url: string }, person: Person) =>
  (await scene.root.get(`${place.url}/members/all/${person.id}`)).body.access_level ?? 0

test('a project is shared with a group, and shows it (document 3 "shared_with_groups")', async () => {
  const { project, owner } = await scene.project()
  const { group } = await scene.group({ visibility: 'public' })
  const expires_at = tomorrow()

  const shared = await owner.post(`${project.url}/share`, { group_id: group.id, group_access: 30, expires_at })

  assert.equal(shared.status, 201)
  assert.deepEqual(
    { ...shared.body, id: undefined },
    { id: undefined, project_id: project.id, group_id: group.id, group_access: 30, expires_at },
  )
  assert.deepEqual((await owner.get(project.url)).body.shared_with_groups, [
    { group_id: group.id, group_name: group.name, group_full_path: group.full_path, group_access_level: 30, expires_at },
  ])
})

test('a group is shared with another, and answers with its details', async () => {
  const { group, owner } = await scene.group()
  const { group: invited } = await scene.group({ owner })

  const shared = await owner.post(`${group.url}/share`, { group_id: invited.id, group_access: 50 })

  assert.equal(shared.status, 201)
  assert.equal(shared.body.id, group.id)
  const expected = [
    { group_id: invited.id, group_name: invited.name, group_full_path: invited.full_path, group_access_level: 50, expires_at: null },
  ]
  assert.deepEqual(shared.body.shared_with_groups, expected)
  assert.deepEqual((await owner.get(group.url)).body.shared_with_groups, expected)
})

test('members have the lower of their level in the invited group and the level of the share', async () => {
  const { project, owner } = await scene.project()
  const { group, ...people } = await scene.group({ members: ['guest', 'reporter', 'developer', 'maintainer', 'owner'] })
  for (const level of [10, 20, 30, 40]) {
    assert.equal((await scene.root.post(`${project.url}/share`, { group_id: group.id, group_access: level })).status, 201)
    for (const [role, own] of Object.entries(levels)) {
      const person = people[role as keyof typeof levels]
      const effective = Math.min(level, own)
      assert.equal(await levelIn(project, person), effective, `${role}, shared at ${level}`)
      const seen = await person.get(project.url)
      assert.deepEqual(seen.body.permissions, {
        project_access: null,
        group_access: { access_level: effective, notification_level: 3 },
      })
      // An action that needs a role: Maintainers update the project.
      assert.equal((await person.put(project.url, { description: role })).status, effective >= 40 ? 200 : 403)
    }
    assert.deepEqual(await owner.delete(`${project.url}/share/${group.id}`), { status: 204, body: undefined })
  }
})

test('a share of a group applies to the projects and groups below it, with level Owner too', async () => {
  const { group: top, owner } = await scene.group()
  const { group: below } = await scene.group({ parent: top, owner })
  const { project } = await scene.project({ group: below, owner })
  const { group: invited, owner: theirs, developer } = await scene.group({ members: ['developer'] })

  await scene.root.post(`${top.url}/share`, { group_id: invited.id, group_access: 50 })

  for (const { url } of [top, below, project]) assert.equal((await developer.get(url)).status, 200)
  assert.deepEqual([await levelIn(project, developer), await levelIn(project, theirs)], [30, 50])
  assert.equal((await theirs.put(below.url, { description: 'Ours too' })).status, 200)
  assert.equal((await developer.put(below.url, { description: 'Ours too' })).status, 403)
  assert.equal((await developer.post('/projects', { name: 'Guest room', namespace_id: below.id })).status, 201)
  assert.deepEqual(ids(await developer.get('/groups', { min_access_level: 30, order_by: 'id' })), [top.id, below.id, invited.id])
  assert.deepEqual(ids(await developer.get('/projects', { min_access_level: 30, search: project.path })), [project.id])
})

test('inherited members of the invited group are invited too, members of its subgroups are not', async () => {
  const { project } = await scene.project()
  const { group: above, owner, developer } = await scene.group({ members: ['developer'] })
  const { group: invited } = await scene.group({ parent: above, owner })
  const { reporter } = await scene.group({ parent: invited, owner, members: ['reporter'] })

  await scene.root.post(`${project.url}/share`, { group_id: invited.id, group_access: 40 })

  assert.equal(await levelIn(project, developer), 30)
  assert.equal((await reporter.get(project.url)).status, 404)
})

test('of several memberships the highest level counts', async () => {
  const { project } = await scene.project()
  const { group: one, owner } = await scene.group()
  const { group: other } = await scene.group({ owner })
  const person = await scene.user()
  for (const { url } of [one, other]) await owner.post(`${url}/members`, { user_id: person.id, access_level: 40 })
  await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 20 })

  await scene.root.post(`${project.url}/share`, { group_id: one.id, group_access: 10 })
  assert.equal(await levelIn(project, person), 20)
  await scene.root.post(`${project.url}/share`, { group_id: other.id, group_access: 30 })
  assert.equal(await levelIn(project, person), 30)

  const all = await scene.root.get(`${project.url}/members/all`, { user_ids: [person.id] })
  assert.deepEqual(ids(all), [person.id], 'listed once')
  assert.deepEqual((await person.get(project.url)).body.permissions, {
    project_access: { access_level: 20, notification_level: 3 },
    group_access: { access_level: 30, notification_level: 3 },
  })
  assert.deepEqual(
    ids(await scene.root.get(`${project.url}/members`, { user_ids: [person.id, owner.id] })),
    [person.id],
    'no member by shares',
  )
})

test('a share expires on its day, and may be created again', async () => {
  const { project } = await scene.project()
  const { group, developer } = await scene.group({ members: ['developer'] })
  const share = { group_id: group.id, group_access: 30, expires_at: tomorrow() }
  await scene.root.post(`${project.url}/share`, share)
  assert.equal((await developer.get(project.url)).status, 200)

  const { db } = scene.deps.database
  await db.updateTable('shares').set({ expires_at: today() }).where('project_id', '=', project.id).execute()

  assert.equal((await developer.get(project.url)).status, 404)
  assert.deepEqual((await scene.root.get(project.url)).body.shared_with_groups, [])
  assert.equal((await scene.root.delete(`${project.url}/share/${group.id}`)).status, 404)
  assert.equal((await scene.root.post(`${project.url}/share`, share)).status, 201)
  assert.equal((await developer.get(project.url)).status, 200)
})

test('an expired membership of the invited group gives nothing', async () => {
  const { project } = await scene.project()
  const { group, developer } = await scene.group({ members: ['developer'] })
  await scene.root.post(`${project.url}/share`, { group_id: group.id, group_access: 30 })
  await scene.deps.database.db.updateTable('members').set({ expires_at: today() }).where('user_id', '=', developer.id).execute()

  assert.equal((await developer.get(project.url)).status, 404)
})

test('when a share ends its access ends immediately, git and branches included', async () => {
  const { project } = await scene.project({ initialize_with_readme: true })
  const { group, developer, maintainer } = await scene.group({ members: ['developer', 'maintainer'] })
  await scene.root.post(`${project.url}/share`, { group_id: group.id, group_access: 40 })
  const write = (person: Person, branch: string, path: string) =>
    person.post(`${project.url}/repository/commits`, {
      branch,
      ...(branch === 'main' ? {} : { start_branch: 'main' }),
      commit_message: 'Write',
      actions: [{ action: 'create', file_path: path, content: 'x' }],
    })
  const git = async (person: Person) => {
    const basic = Buffer.from(`${person.username}:${person.token}`).toString('base64')
    const refs = `${scene.url}/${project.full_path}.git/info/refs?service=git-receive-pack`
    return (await scene.anonymous.get(refs, {}, { authorization: `Basic ${basic}` })).status
  }
  assert.equal((await write(maintainer, 'main', 'a.txt')).status, 201)
  assert.equal((await write(developer, 'main', 'b.txt')).status, 403, 'the default branch is protected')
  assert.equal((await write(developer, 'topic', 'b.txt')).status, 201)
  assert.deepEqual([await git(developer), await git(maintainer)], [200, 200])

  await scene.root.delete(`${project.url}/share/${group.id}`)

  for (const person of [developer, maintainer]) {
    assert.equal((await person.get(project.url)).status, 404)
    assert.equal(await git(person), 404)
    assert.deepEqual(ids(await person.get('/projects', { membership: true })), [])
  }
})

test('if the group of a project locks sharing, new shares are refused, and existing ones give nothing', async () => {
  const { group: home, owner } = await scene.group()
  const { project } = await scene.project({ group: home, owner })
  const { group, developer } = await scene.group({ members: ['developer'] })
  await scene.root.post(`${project.url}/share`, { group_id: group.id, group_access: 30 })
  assert.equal((await developer.get(project.url)).status, 200)

  await owner.put(home.url, { share_with_group_lock: true })

  assert.equal((await developer.get(project.url)).status, 404)
  assert.equal(await levelIn(project, developer), 0)
  const { group: another } = await scene.group({ visibility: 'public' })
  assert.deepEqual(await owner.post(`${project.url}/share`, { group_id: another.id, group_access: 30 }), {
    status: 400,
    body: { message: '400 Bad request - sharing this project with groups is disabled' },
  })
  await owner.put(home.url, { share_with_group_lock: false })
  assert.equal((await developer.get(project.url)).status, 200)
})

test('groups that cannot be invited: unknown ones, hidden ones, the group itself, its ancestors, and those invited already (decision 13)', async () => {
  const { group: home, owner } = await scene.group()
  const { group: below } = await scene.group({ parent: home, owner })
  const { project } = await scene.project({ group: below, owner })
  const { group: hidden } = await scene.group()
  const { group: open } = await scene.group({ visibility: 'public' })
  const share = async (place: { url: string }, group_id: number) =>
    (await owner.post(`${place.url}/share`, { group_id, group_access: 30 })).status

  assert.deepEqual(await owner.post(`${project.url}/share`, { group_id: hidden.id, group_access: 30 }), {
    status: 404,
    body: { message: '404 Group Not Found' },
  })
  assert.deepEqual([await share(project, 987_654), await share(home, hidden.id), await share(home, 987_654)], [404, 404, 404])
  assert.deepEqual([await share(project, below.id), await share(project, home.id), await share(home, home.id)], [409, 409, 409])
  for (const place of [project, home]) assert.deepEqual([await share(place, open.id), await share(place, open.id)], [201, 409])
})

test('the level and the day of a share are checked', async () => {
  const { project, owner } = await scene.project()
  const { group } = await scene.group({ owner })
  const refused = async (url: string, terms: object) => (await owner.post(`${url}/share`, { group_id: group.id, ...terms })).body.message

  for (const group_access of [0, 5, 15, 50, 60])
    assert.ok((await refused(project.url, { group_access })).group_access, String(group_access))
  assert.ok((await refused(group.url, { group_access: 60 })).group_access)
  assert.equal(await refused(project.url, {}), '400 (Bad request) "group_access" not given')
  assert.deepEqual(await refused(project.url, { group_access: 30, expires_at: today() }), { expires_at: ['cannot be a date in the past'] })
  assert.ok((await refused(project.url, { group_access: 30, expires_at: 'soon' })).expires_at)
})

test('Maintainers share a project, Owners a group', async () => {
  const { project, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const { group: home, maintainer: almost } = await scene.group({ members: ['maintainer'] })
  const { group } = await scene.group({ visibility: 'public' })
  const terms = { group_id: group.id, group_access: 30 }

  assert.equal((await developer.post(`${project.url}/share`, terms)).status, 403)
  assert.equal((await almost.post(`${home.url}/share`, terms)).status, 403)
  assert.equal((await maintainer.post(`${project.url}/share`, terms)).status, 201)
  assert.equal((await developer.delete(`${project.url}/share/${group.id}`)).status, 403)
  assert.deepEqual(await maintainer.delete(`${project.url}/share/${group.id + 1}`), {
    status: 404,
    body: { message: '404 Group Link Not Found' },
  })
})

test('a group that the caller may not see is not shown among the shares of a project', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const { group, developer } = await scene.group({ members: ['developer'] })
  await scene.root.post(`${project.url}/share`, { group_id: group.id, group_access: 30 })
  const shown = async (person: Person) => (await person.get(project.url)).body.shared_with_groups.length

  assert.deepEqual([await shown(scene.root), await shown(developer), await shown(owner)], [1, 1, 0])
})

test('of two concurrent shares with one group one succeeds', async () => {
  const { project } = await scene.project()
  const { group } = await scene.group()
  const share = () => scene.root.post(`${project.url}/share`, { group_id: group.id, group_access: 30 })

  const statuses = (await Promise.all([share(), share(), share()])).map(answer => answer.status).sort()

  assert.deepEqual(statuses, [201, 409, 409])
})

test('a share is deleted with the invited group', async () => {
  const { project } = await scene.project()
  const { group, owner } = await scene.group()
  await scene.root.post(`${project.url}/share`, { group_id: group.id, group_access: 30 })

  assert.equal((await owner.delete(group.url)).status, 204)

  assert.deepEqual((await scene.root.get(project.url)).body.shared_with_groups, [])
})

test('a group that a project is shared with may be used in the protection of its branches', async () => {
  const { project, owner } = await scene.project({ initialize_with_readme: true })
  const { group, maintainer } = await scene.group({ members: ['maintainer'] })
  const protect = (name: string) => owner.post(`${project.url}/protected_branches`, { name, allowed_to_push: [{ group_id: group.id }] })

  assert.equal((await protect('early')).status, 422)
  await scene.root.post(`${project.url}/share`, { group_id: group.id, group_access: 30 })
  assert.equal((await protect('stable')).status, 201)
  const pushed = await maintainer.post(`${project.url}/repository/branches`, { branch: 'stable', ref: 'main' })
  assert.equal(pushed.status, 201)
})
