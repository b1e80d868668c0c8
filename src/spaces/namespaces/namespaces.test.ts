import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { groupNameProblems, pathFromName, pathProblems, projectNameProblems } from '../../identity/paths/names.ts'

const scene = await openScene()
const paths = (answer: { body: { full_path: string }[] }) => answer.body.map(row => row.full_path)

test('users list their own namespace and those of their groups, administrators all', async () => {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ parent: group, owner })
  const { group: other } = await scene.group({ visibility: 'public' })

  assert.deepEqual(paths(await owner.get('/namespaces')), [owner.username, group.full_path, below.full_path])
  assert.ok(paths(await scene.root.get('/namespaces', { per_page: 100 })).includes(other.full_path))
})

test('namespaces are found by a part of their name or path, and by ownership', async () => {
  const { group, owner } = await scene.group({ path: 'needle-group' })
  const { group: theirs, owner: other } = await scene.group({ path: 'needle-theirs' })
  await other.post(`${theirs.url}/members`, { user_id: owner.id, access_level: 30 })

  assert.deepEqual(paths(await owner.get('/namespaces', { search: 'NEEDLE' })), [group.full_path, theirs.full_path])
  assert.deepEqual(paths(await owner.get('/namespaces', { owned_only: true })), [owner.username, group.full_path])
})

test('a namespace is found by id and by full path, and another user’s namespace does not exist', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const outsider = await scene.user()

  const found = await owner.get(`/namespaces/${group.id}`)
  assert.deepEqual(found.body, {
    id: group.id,
    name: group.name,
    path: group.path,
    kind: 'group',
    full_path: group.full_path,
    parent_id: null,
    avatar_url: null,
    web_url: `${scene.url}/groups/${group.full_path}`,
    members_count_with_descendants: 1,
    billable_members_count: 1,
  })
  assert.deepEqual((await owner.get(`/namespaces/${group.full_path}`)).body, found.body)
  assert.deepEqual((await owner.get(`/namespaces/${owner.username}`)).body.kind, 'user')
  assert.deepEqual(await outsider.get(`/namespaces/${group.id}`), { status: 404, body: { message: '404 Namespace Not Found' } })
  assert.equal((await outsider.get(`/namespaces/${owner.username}`)).status, 404)
})

test('the members of a group’s tree are counted once each, only for owners', async () => {
  const { group, owner, developer } = await scene.group({ members: ['developer'] })
  const { group: below } = await scene.group({ parent: group, owner })
  const { project } = await scene.project({ group: below, owner, members: ['guest'] })
  await owner.post(`${project.url}/members`, { user_id: developer.id, access_level: 40 })
  await owner.post(`${project.url}/access_tokens`, { name: 'bot', scopes: ['api'] })

  const counted = (await owner.get(`/namespaces/${group.id}`)).body
  assert.deepEqual([counted.members_count_with_descendants, counted.billable_members_count], [4, 3])
  assert.ok(!('members_count_with_descendants' in (await developer.get(`/namespaces/${group.id}`)).body))
})

test('the answer says whether a path is taken, and suggests a similar free one', async () => {
  const { group, owner } = await scene.group({ path: 'wanted' })
  await scene.group({ path: 'wanted1' })
  const { group: below } = await scene.group({ parent: group, owner, path: 'inner' })

  assert.deepEqual((await owner.get('/namespaces/WANTED/exists')).body, { exists: true, suggests: ['WANTED2'] })
  assert.deepEqual((await owner.get('/namespaces/free/exists')).body, { exists: false, suggests: [] })
  assert.deepEqual((await owner.get(`/namespaces/${below.path}/exists`)).body.exists, false)
  assert.deepEqual((await owner.get(`/namespaces/${below.path}/exists`, { parent_id: group.id })).body, {
    exists: true,
    suggests: ['inner1'],
  })
})

test('paths are derived from names (decision 45)', () => {
  const table: [string, string][] = [
    ['Deploy Tool', 'deploy-tool'],
    ['  My  Project!  ', 'my-project'],
    ['Équipe – Nord', 'equipe-nord'],
    ['v2.0_final', 'v2.0_final'],
    ['.hidden.', 'hidden'],
    ['研究', ''],
  ]
  for (const [name, path] of table) assert.equal(pathFromName(name), path, name)
})

test('reserved paths depend on the level', () => {
  assert.deepEqual(pathProblems('admin', 'top'), ['admin is a reserved name'])
  assert.deepEqual(pathProblems('admin', 'below'), [])
  assert.deepEqual(pathProblems('blob', 'below'), ['blob is a reserved name'])
  assert.deepEqual(pathProblems('blob', 'top'), [])
})

test('only groups may have parentheses, and only projects plus signs', () => {
  assert.equal(projectNameProblems('C++').length, 0)
  assert.equal(groupNameProblems('C++').length, 1)
  assert.equal(groupNameProblems('Team (north)').length, 0)
  assert.equal(projectNameProblems('Team (north)').length, 1)
})
