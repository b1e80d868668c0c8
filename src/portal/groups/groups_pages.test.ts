/** The pages of groups, and the lists of groups and projects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A public group with a subgroup, each with a project; one of them introduces the group. */
async function groupWithProjects() {
  const owner = await surfer()
  const by = scene.as({ 'private-token': owner.person.token })
  const path = `makers-${owner.person.id}`
  const { body: group } = await by.post('/groups', { name: `Lantern makers ${owner.person.id}`, path, visibility: 'public' })
  const { body: sub } = await by.post('/groups', { name: 'Wicks', path: 'wicks', parent_id: group.id, visibility: 'public' })
  const { body: profile } = await by.post('/projects', {
    name: 'gitlab-profile',
    description: 'We make <b>light</b>',
    namespace_id: group.id,
    visibility: 'public',
    initialize_with_readme: true,
  })
  await by.post('/projects', { name: 'Cotton', namespace_id: sub.id, visibility: 'private', initialize_with_readme: true })
  return { owner, by, group, sub, profile }
}

test('a group shows its README, its members, its activity, and what is in it', async () => {
  const { owner, by, group, sub, profile } = await groupWithProjects()
  const { body } = await owner.get(`/groups/${group.full_path}`)
  assert.match(body, /<section class="panel section" aria-label="README">/)
  assert.match(body, /We make (<b>)?light/)
  assert.match(body, new RegExp(`href="/groups/${sub.full_path}"`))
  assert.match(body, new RegExp(`<a href="/${owner.person.username}" title="`))
  assert.match(body, new RegExp(`id="children-${sub.id}" src="/groups/${sub.full_path}/-/children"`))
  assert.match(body, /<h2>Activity<\/h2>/)

  const frame = await owner.client.get(`${scene.url}/groups/${sub.full_path}/-/children`, {}, { 'turbo-frame': `children-${sub.id}` })
  assert.match(frame.body, new RegExp(`^<turbo-frame id="children-${sub.id}"><ul`))
  assert.match(frame.body, /Cotton/)
  const stranger = await surfer()
  assert.ok(!(await stranger.get(`/groups/${sub.full_path}/-/children`)).body.includes('Cotton'), 'a private project is not shown')
  assert.ok(!(await stranger.get(`/groups/${group.full_path}/-/activity`)).body.includes('cotton'))
  assert.match((await owner.get(`/groups/${group.full_path}/-/activity`)).body, /cotton/)

  await by.put(`/projects/${profile.id}`, { repository_access_level: 'private' })
  assert.match((await owner.get(`/groups/${group.full_path}`)).body, /aria-label="README"/)
  assert.ok(!(await stranger.get(`/groups/${group.full_path}`)).body.includes('aria-label="README"'), 'the code is for members')
})

test('the path of a new group is made from its name where none is typed', async () => {
  const owner = await surfer()
  const made = (values: Record<string, string>) => owner.submit('/groups/new', { visibility: 'private', ...values })
  const id = owner.person.id

  assert.equal((await made({ name: `Träger der Lampen ${id}`, path: '' })).headers.location, `/groups/trager-der-lampen-${id}`)
  assert.equal((await made({ name: 'Lampen', path: `lamps-${id}` })).headers.location, `/groups/lamps-${id}`)
  const taken = await made({ name: 'Others', path: `lamps-${id}` })
  assert.deepEqual([taken.status, /id="field-path"[^>]*aria-invalid="true"/.test(taken.body)], [422, true])
})

test('lists of projects and groups are one’s own or all, in an order, narrowed', async () => {
  const { owner, by, group, profile } = await groupWithProjects()
  const stranger = await surfer()
  assert.match((await owner.get('/dashboard/groups')).body, new RegExp(`href="/groups/${group.full_path}"`))
  assert.ok(!(await stranger.get('/dashboard/groups')).body.includes(group.full_path))
  assert.match(
    (await stranger.get('/explore/groups', { search: 'lantern', order_by: 'id' })).body,
    new RegExp(`href="/groups/${group.full_path}"`),
  )
  assert.match((await owner.get('/dashboard/projects', { order_by: 'name' })).body, /gitlab-profile/)
  assert.ok(!(await owner.get('/dashboard/projects', { filter: 'starred' })).body.includes(profile.path_with_namespace))
  await by.post(`/projects/${profile.id}/star`)
  assert.match((await owner.get('/dashboard/projects', { filter: 'starred' })).body, new RegExp(`href="/${profile.path_with_namespace}"`))
  assert.equal((await scene.anonymous.get(`${scene.url}/dashboard/groups`)).status, 302)
})

test('who may not create projects in a group is offered none there; a form that is refused keeps what was typed', async () => {
  const { by, group } = await groupWithProjects()
  const developer = await surfer()
  await by.post(`/groups/${group.id}/members`, { user_id: developer.person.id, access_level: 30 })
  const page = `/groups/${group.full_path}`
  const button = new RegExp(`href="/projects/new\\?namespace_id=${group.id}"`)
  const choice = new RegExp(`<option value="${group.id}"`)
  const seen = async () => [button.test((await developer.get(page)).body), choice.test((await developer.get('/projects/new')).body)]

  const before = await seen()
  await by.put(`/groups/${group.id}`, { project_creation_level: 'maintainer' })
  const after = await seen()
  const refused = await developer.submit('/projects/new', { name: 'Typed with care', namespace_id: String(group.id) })

  assert.deepEqual(
    [before, after],
    [
      [true, true],
      [false, false],
    ],
  )
  assert.equal(refused.status, 403)
  assert.match(refused.body, /value="Typed with care"/)
  assert.match(refused.body, /You may not do this here/)
})

test('a user who is no member asks for access to a group, sees so, and takes the request back', async () => {
  const { owner, by, group } = await groupWithProjects()
  const page = `/groups/${group.full_path}`
  const members = `${page}/-/group_members`
  await by.put(`/groups/${group.id}`, { request_access_enabled: true })
  const visitor = await surfer()
  const shown = async () => (await visitor.get(page)).body
  assert.doesNotMatch((await owner.get(page)).body, />Ask for access</)
  assert.match(await shown(), />Ask for access</)

  const asked = await visitor.submit(`${page}/-/request_access`, {})
  assert.deepEqual([asked.status, new URL(String(asked.headers.location), scene.url).pathname], [303, page])
  assert.match(await shown(), /You asked for access/)
  assert.doesNotMatch(await shown(), />Ask for access</)
  assert.match((await owner.get(members)).body, /Requests for access/)
  const taken = await visitor.submit(`${members}/requests/${visitor.person.id}/deny`, {})
  assert.deepEqual([taken.status, new URL(String(taken.headers.location), scene.url).pathname], [303, page])
  assert.match(await shown(), />Ask for access</)

  await by.put(`/groups/${group.id}`, { request_access_enabled: false })
  assert.doesNotMatch(await shown(), />Ask for access</)
})

test('an entry of a push names its newest commit by eight digits, which lead to it', async () => {
  const { owner, by, group, profile } = await groupWithProjects()
  const sent = { branch: 'main', commit_message: 'Trim the wick', actions: [{ action: 'create', file_path: 'wick.txt', content: 'short' }] }
  const { body: commit } = await by.post(`/projects/${profile.id}/repository/commits`, sent)
  const link = new RegExp(`href="/${profile.path_with_namespace}/-/commit/${commit.id}">${commit.id.slice(0, 8)}</a>`)
  assert.match((await owner.get(`/groups/${group.full_path}`)).body, link)
})

test('what is read by the former path of a group leads to the same page of it, and so do its projects', async () => {
  const { owner, by, group, profile } = await groupWithProjects()
  const now = `${group.full_path}-now`
  assert.equal((await by.put(`/groups/${group.id}`, { path: now })).status, 200)
  const led = async (address: string) => {
    const { status, headers } = await owner.get(address)
    assert.equal(status, 301, address)
    return String(headers.location).slice(scene.url.length)
  }
  for (const rest of ['', '/-/group_members?search=a', '/-/edit', '/-/settings/access_tokens/new'])
    assert.equal(await led(`/groups/${group.full_path}${rest}`), `/groups/${now}${rest}`)
  assert.equal(await led(`/groups/${group.full_path}/wicks/-/issues`), `/groups/${now}/wicks/-/issues`)
  assert.equal(await led(`/${group.full_path}`), `/groups/${now}`)
  assert.equal(await led(`/${profile.path_with_namespace}/-/issues`), `/${now}/gitlab-profile/-/issues`)
  await by.put(`/projects/${profile.id}`, { visibility: 'private' })
  assert.equal((await (await surfer()).get(`/${profile.path_with_namespace}/-/issues`)).status, 404)
})

test('a new group says where it will be, and its form leads back there', async () => {
  const { owner, group } = await groupWithProjects()
  const { body } = await owner.get(`/groups/new?parent_id=${group.id}`)
  assert.match(body, new RegExp(`<option value="${group.id}" selected>${group.full_path}</option>`))
  assert.match(body, new RegExp(`<a class="btn" href="/groups/${group.full_path}"[^>]*>Cancel</a>`))
  const alone = await owner.get('/groups/new')
  assert.match(alone.body, /<a class="btn" href="\/dashboard\/groups"[^>]*>Cancel<\/a>/)
  const project = await owner.get(`/projects/new?namespace_id=${group.id}`)
  assert.match(project.body, new RegExp(`<a class="btn" href="/groups/${group.full_path}"[^>]*>Cancel</a>`))

  for (const [list, form] of [
    ['/dashboard/groups', '/groups/new'],
    ['/dashboard/projects', '/projects/new'],
  ] as const)
    assert.match((await owner.get(list)).body, new RegExp(`<a class="btn btn-primary" href="${form}">`))

  const made = await owner.submit('/groups/new', { name: 'Shades', path: '', visibility: 'private', parent_id: String(group.id) })
  assert.equal(made.headers.location, `/groups/${group.full_path}/shades`)
})

test('an account that may create no group at the top is offered the groups in which it may', async () => {
  const { group, by } = await groupWithProjects()
  const bound = await surfer()
  await scene.root.put(`/users/${bound.person.id}`, { can_create_group: false })
  await by.post(`/groups/${group.id}/members`, { user_id: bound.person.id, access_level: 40 })

  for (const address of ['/groups/new', '/import/gitlab_group/new']) {
    const { body } = await bound.get(address)
    assert.doesNotMatch(body, /The top: a group in no other/, address)
    assert.match(body, new RegExp(`<option value="${group.id}"[^>]*>${group.full_path}</option>`), address)
    assert.match(body, /Your account may not create any at the top/, address)
  }
})
