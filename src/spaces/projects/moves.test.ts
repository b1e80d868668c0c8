/** Former paths, transfers and aliases (document 3 "Project aliases"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { transferGroup, updateGroup } from '../groups/commands.ts'
import { groups } from '../groups/queries.ts'
import { changeProject } from './commands.ts'
import { transferProject } from './lifecycle/transfer.ts'
import { projects } from './queries.ts'

const scene = await openScene()

const byPath = (path: string, rest = '') => `/projects/${encodeURIComponent(path)}${rest}`

/** The answer to the first request of a git fetch from this path. */
const knock = (person: Person, path: string) =>
  scene
    .as({ authorization: `Basic ${Buffer.from(`anybody:${person.token}`).toString('base64')}` })
    .get(`${scene.url}/${path}.git/info/refs?service=git-upload-pack`)

/** A project with a commit, so that a git client can identify it by the commit id. */
async function withCommit(
  options: Parameters<typeof scene.project>[0] = {},
): Promise<{ project: SceneProject; owner: Person; sha: string }> {
  const { project, owner } = await scene.project(options)
  return { project, owner, sha: await scene.commit(project, { 'a.txt': project.full_path }) }
}

test('after a rename the API redirects reads of the old path to the id, with the rest of the address', async () => {
  const { project, owner } = await withCommit({ path: 'first-name' })
  await owner.put(project.url, { path: 'second-name' })

  const answer = await owner.get(byPath(project.full_path, '/repository/tree'), { ref: 'main' })
  const location = `${scene.url}/api/v4/projects/${project.id}/repository/tree?ref=main`
  assert.deepEqual([answer.status, answer.headers.location], [301, location])
  assert.deepEqual((await owner.get(location)).body[0].name, 'a.txt')
  assert.equal((await owner.head(byPath(project.full_path.toUpperCase()))).status, 301)
})

test('writes by an old path are refused without effect', async () => {
  const { project, owner } = await scene.project({ path: 'written-before' })
  await owner.put(project.url, { path: 'written-after' })

  assert.equal((await owner.put(byPath(project.full_path), { description: 'x' })).status, 405)
  assert.equal((await owner.delete(byPath(project.full_path))).status, 405)
  assert.equal((await owner.get(project.url)).body.description, null)
})

test('an old path does not reveal the project to outsiders', async () => {
  const { project, owner } = await scene.project({ path: 'hidden-before' })
  const outsider = await scene.user()
  await owner.put(project.url, { path: 'hidden-after' })

  assert.deepEqual(await outsider.get(byPath(project.full_path)), { status: 404, body: { message: '404 Project Not Found' } })
  assert.equal((await knock(outsider, project.full_path)).status, 404)
})

test('git over HTTP works with all former paths', async () => {
  const { project, owner, sha } = await withCommit({ path: 'git-one' })
  await owner.put(project.url, { path: 'git-two' })
  await owner.put(project.url, { path: 'git-three' })

  for (const path of ['git-one', 'git-two', 'git-three'])
    assert.match((await knock(owner, `${owner.username}/${path}`)).bytes.toString(), new RegExp(sha), path)
})

test('a new project that takes an old path replaces the redirect, for the API and for git', async () => {
  const { project, owner } = await withCommit({ path: 'wanted' })
  await owner.put(project.url, { path: 'given-up' })
  const { project: newer, sha } = await withCommit({ path: 'wanted', name: 'Newer', owner })

  assert.equal((await owner.get(byPath(project.full_path))).body.id, newer.id)
  assert.match((await knock(owner, project.full_path)).bytes.toString(), new RegExp(sha))
  await owner.put(newer.url, { path: 'given-up-too' })
  assert.match((await owner.get(byPath(project.full_path))).headers.location ?? '', new RegExp(`/${newer.id}$`), 'the last that had it')
})

test('a project that returns to its old path is found there, and by the path in between', async () => {
  const { project, owner } = await scene.project({ path: 'home' })
  await owner.put(project.url, { path: 'abroad' })
  await owner.put(project.url, { path: 'home' })

  assert.equal((await owner.get(byPath(project.full_path))).status, 200)
  assert.equal((await owner.get(byPath(`${owner.username}/abroad`))).status, 301)
})

test('a new name changes no path and adds no redirect; nor does a change of case', async () => {
  const { project, owner } = await scene.project({ path: 'steady' })
  await owner.put(project.url, { name: 'Another name' })
  await owner.put(project.url, { path: 'STEADY' })

  assert.equal((await owner.get(byPath(project.full_path))).status, 200)
})

test('everything below a moved group is found by its old path', async () => {
  const { group, owner } = await scene.group({ path: 'moving-group' })
  const { group: below } = await scene.group({ path: 'inner', parent: group, owner })
  const { project, sha } = await withCommit({ path: 'deep', group: below, owner })
  await owner.put(group.url, { path: 'moved-group' })

  assert.equal((await owner.get(project.url)).body.path_with_namespace, 'moved-group/inner/deep')
  assert.equal((await owner.get(byPath('moving-group/inner/deep'))).status, 301)
  assert.match((await knock(owner, 'moving-group/inner/deep')).bytes.toString(), new RegExp(sha))
})

test('the old paths of a deleted project are 404', async () => {
  const { project, owner } = await scene.project({ path: 'gone-before' })
  await owner.put(project.url, { path: 'gone-after' })
  await owner.delete(project.url)

  assert.equal((await owner.get(byPath(project.full_path))).status, 404)
})

test('an owner moves a project to a group by id or path; its old path redirects there', async () => {
  const { group, owner } = await scene.group({ visibility: 'internal' })
  const { project } = await scene.project({ owner, visibility: 'public' })

  const moved = await owner.put(`${project.url}/transfer`, { namespace: group.full_path })
  assert.deepEqual(
    [moved.status, moved.body.path_with_namespace, moved.body.namespace.id, moved.body.visibility, moved.body.owner],
    [200, `${group.full_path}/${project.path}`, group.id, 'internal', undefined],
    'as open as the group at most',
  )
  assert.equal((await owner.get(byPath(project.full_path))).status, 301)
  const back = await owner.put(`${project.url}/transfer`, { namespace: owner.username })
  assert.deepEqual([back.status, back.body.owner.id], [200, owner.id])
  assert.deepEqual(back.body.permissions.project_access.access_level, 40)
})

test('a transfer requires ownership here and the right to create projects there', async () => {
  const { group, owner, developer } = await scene.group({ members: ['developer'] })
  const { project, owner: stranger, maintainer } = await scene.project({ members: ['maintainer'] })
  const transfer = async (person: Person, namespace: unknown) => (await person.put(`${project.url}/transfer`, { namespace })).status

  assert.equal(await transfer(maintainer, maintainer.username), 403)
  assert.equal(await transfer(stranger, group.id), 404, 'a group that one may not see does not exist')
  assert.equal(await transfer(stranger, 'no-such-group'), 404)
  assert.equal(await transfer(stranger, developer.username), 403, 'another user’s namespace')
  assert.equal(await transfer(stranger, stranger.username), 400, 'it is there already')
  await owner.post(`${group.url}/members`, { user_id: stranger.id, access_level: 20 })
  assert.equal(await transfer(stranger, group.id), 403)
  assert.equal(await transfer(scene.root, group.id), 200)
})

test('a name or path that is taken in the other namespace is a conflict', async () => {
  const { group, owner } = await scene.group()
  await scene.project({ group, owner, path: 'taken', name: 'First' })
  const { project } = await scene.project({ owner, path: 'taken', name: 'Second' })

  assert.deepEqual(await owner.put(`${project.url}/transfer`, { namespace: group.id }), {
    status: 409,
    body: { message: 'Path has already been taken' },
  })
  assert.equal((await owner.get(project.url)).body.path_with_namespace, project.full_path)
})

test('an alias names a project in git addresses, ignoring case', async () => {
  const { project, owner, sha } = await withCommit()
  const outsider = await scene.user()

  const made = await scene.root.post('/project_aliases', { project_id: project.full_path, name: 'Short-name' })
  assert.deepEqual(made, { status: 201, body: { id: made.body.id, project_id: project.id, name: 'Short-name' } })
  assert.match((await knock(owner, 'short-name')).bytes.toString(), new RegExp(sha))
  assert.equal((await knock(outsider, 'short-name')).status, 404)
  assert.equal((await knock(owner, String(project.id))).status, 404, 'a number is no alias')
  assert.deepEqual((await scene.root.get('/project_aliases/short-NAME')).body, made.body)
  assert.ok((await scene.root.get('/project_aliases')).body.some((alias: { id: number }) => alias.id === made.body.id))

  assert.equal((await scene.root.delete('/project_aliases/Short-name')).status, 204)
  assert.equal((await scene.root.delete('/project_aliases/Short-name')).status, 404)
  assert.equal((await knock(owner, 'short-name')).status, 404)
})

test('a taken or malformed alias is a 400, one for an unknown project a 404 (decisions 13, 53)', async () => {
  const { project } = await scene.project()
  const make = (body: object) => scene.root.post('/project_aliases', body)
  await make({ project_id: project.id, name: 'taken-alias' })

  assert.deepEqual(await make({ project_id: project.id, name: 'TAKEN-alias' }), {
    status: 400,
    body: { message: { name: ['has already been taken'] } },
  })
  assert.equal((await make({ project_id: project.id, name: 'two/parts' })).status, 400)
  assert.equal((await make({ project_id: project.id, name: 'api' })).status, 400)
  assert.deepEqual(await make({ project_id: 999_999_999, name: 'nobody' }), { status: 404, body: { message: '404 Project Not Found' } })
  assert.equal((await make({ name: 'nobody' })).status, 400)
})

test('of two concurrent creations of one alias one succeeds', async () => {
  const { project } = await scene.project()
  const make = () => scene.root.post('/project_aliases', { project_id: project.id, name: 'twice' })
  assert.deepEqual((await Promise.all([make(), make()])).map(answer => answer.status).sort(), [201, 400])
})

test('a change that was read before a move or another name leaves what those have made', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { group: other } = await scene.group({ owner })
  const { project } = await scene.project({ owner, group })
  const rows = projects(scene.deps.database.db)
  const place = async () => {
    const { path, path_with_namespace, namespace } = (await owner.get(project.url)).body
    return [path, path_with_namespace, namespace.id]
  }

  const read = await rows.where('projects.id', '=', project.id).executeTakeFirstOrThrow()
  await owner.put(`${project.url}/transfer`, { namespace: other.id })
  await owner.put(project.url, { path: 'other-path' })
  await scene.run(owner, ctx => changeProject(ctx, read, { name: 'Late' }))
  assert.deepEqual(await place(), ['other-path', `${other.full_path}/other-path`, other.id])
  await assert.rejects(
    scene.run(owner, ctx => changeProject(ctx, read, { visibility: 'public' })),
    /is not allowed in a private group/,
    'the group that it is in now decides',
  )

  await scene.run(owner, ctx => transferProject(ctx, read, String(group.id)))
  assert.deepEqual(await place(), ['other-path', `${group.full_path}/other-path`, group.id])
})

test('a change of a group that was read before a move or another path leaves what those have made', async () => {
  const { group, owner } = await scene.group()
  const [{ group: below }, { group: other }] = [await scene.group({ owner, parent: group }), await scene.group({ owner })]
  const read = await groups(scene.deps.database.db).where('namespaces.id', '=', below.id).executeTakeFirstOrThrow()
  const path = async () => (await owner.get(below.url)).body.full_path
  assert.equal((await owner.post(`${below.url}/transfer`, { group_id: other.id })).status, 201)
  assert.equal((await owner.put(below.url, { path: 'other-path' })).status, 200)

  await scene.run(owner, ctx => updateGroup(ctx, read, { name: 'Late' }))
  assert.equal(await path(), `${other.full_path}/other-path`)
  await scene.run(owner, ctx => transferGroup(ctx, read, group.id))
  assert.equal(await path(), `${group.full_path}/other-path`)
})
