/** Forks (document 3 "Projects", decisions 13, 14 and 50). */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { formWith, png } from '../../spaces/uploads/scene.ts'
import { copyFork } from './copy.ts'

const scene = await openScene()

/** Runs the fork's task. */
const copy = (fork: { id: number }, source: { id: number }) => copyFork(scene.deps, { project_id: fork.id, source_id: source.id })

/** A public project with a commit, and another user. */
async function openSource(visibility: 'public' | 'internal' | 'private' = 'public') {
  const { project, owner } = await scene.project({ visibility, description: 'The source', topics: ['boats'] })
  await scene.commit(project, { 'README.md': '# Hello' })
  await scene.commit(project, { 'b.txt': 'b' }, { branch: 'main' })
  return { project, owner, person: await scene.user() }
}

const importStatus = async (project: { id: number }) => (await scene.root.get(`/projects/${project.id}`)).body.import_status

test('a fork exists immediately, scheduled, and has everything of its source after its task has run (decision 50)', async () => {
  const { project, owner, person } = await openSource()
  await owner.put(project.url, { wiki_access_level: 'disabled', ci_config_path: 'ci/main.yml' })
  await owner.put(project.url, formWith('avatar', 'boat.png', png(8)))
  await owner.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })

  const { status, body } = await person.post(`${project.url}/fork`)

  assert.equal(status, 201)
  assert.equal(body.import_status, 'scheduled')
  assert.equal(body.path_with_namespace, `${person.username}/${project.path}`)
  assert.deepEqual(
    [body.description, body.topics, body.visibility, body.wiki_access_level, body.ci_config_path, body.empty_repo],
    ['The source', ['boats'], 'public', 'disabled', 'ci/main.yml', true],
  )
  assert.equal(body.forked_from_project.id, project.id)
  assert.equal(body.forked_from_project.forks_count, 1)
  assert.ok((await scene.anonymous.get(body.avatar_url)).bytes.equals(png(8)))

  await copy(body, project)

  const fork = (await person.get(`/projects/${body.id}`)).body
  assert.deepEqual([fork.import_status, fork.import_error, fork.default_branch, fork.empty_repo], ['finished', null, 'main', false])
  assert.match(fork.readme_url, /README\.md$/)
  const read = async (id: number) => [
    (await scene.root.get(`/projects/${id}/repository/branches`)).body.map((row: { commit: { id: string } }) => row.commit.id),
    (await scene.root.get(`/projects/${id}/repository/tags`)).body.map((row: { name: string }) => row.name),
  ]
  assert.deepEqual(await read(body.id), await read(project.id))
  assert.equal((await person.get(`/projects/${body.id}/protected_branches`)).body[0].name, 'main')
  const protections = (await person.get(`/projects/${body.id}/audit_events`)).body.filter(
    ({ details }: { details: { target_type: string } }) => details.target_type === 'ProtectedBranch',
  )
  assert.deepEqual(
    protections.map((entry: { author_id: number }) => entry.author_id),
    [person.id],
  )
})

test('a fork survives the deletion of its source, and loses the fork relation', async () => {
  const { project, owner, person } = await openSource()
  const fork = (await person.post(`${project.url}/fork`)).body
  await copy(fork, project)
  await owner.delete(project.url)
  const storage = scene.deps.storages.get('default')
  await storage.remove(storage.repository(project.id))

  const after = (await person.get(`/projects/${fork.id}`)).body
  assert.deepEqual([after.import_status, 'forked_from_project' in after], ['finished', false])
  assert.equal((await person.get(`/projects/${fork.id}/repository/commits`)).body.length, 2)
})

test('a fork whose source was deleted before the copy has failed with an error, and can be used', async () => {
  const { project, owner, person } = await openSource()
  const fork = (await person.post(`${project.url}/fork`)).body
  await owner.delete(project.url)

  await copy(fork, project)

  const { import_status, import_error } = (await person.get(`/projects/${fork.id}`)).body
  assert.deepEqual([import_status, import_error], ['failed', 'The repository could not be copied.'])
  await scene.commit({ url: `/projects/${fork.id}` } as SceneProject, { 'a.txt': 'a' })
  assert.equal((await person.get(`/projects/${fork.id}`)).body.default_branch, 'main')
})

test('a copy interrupted by a crash is repeated; a finished one is not', async () => {
  const { project, person } = await openSource()
  const fork = (await person.post(`${project.url}/fork`)).body
  const { db } = scene.deps.database
  // Started, with an incomplete repository: as after a crash.
  await db.updateTable('projects').set({ import_status: 'started' }).where('id', '=', fork.id).execute()
  await scene.deps.storages.get('default').create(fork.id, { defaultBranch: 'other' })

  await copy(fork, project)
  assert.deepEqual([(await person.get(`/projects/${fork.id}`)).body.default_branch, await importStatus(fork)], ['main', 'finished'])
  const [branch] = (await person.get(`/projects/${fork.id}/repository/branches`)).body
  await scene.commit({ url: `/projects/${fork.id}` } as SceneProject, { 'own.txt': 'own' })
  await copy(fork, project)
  const [later] = (await person.get(`/projects/${fork.id}/repository/branches`)).body
  assert.notEqual(later.commit.id, branch.commit.id)
})

test('a fork has the LFS objects that its source’s pointers name', async () => {
  const { project, owner, person } = await openSource()
  const bytes = Buffer.from('a large file')
  const oid = createHash('sha256').update(bytes).digest('hex')
  await fetch(`${scene.url}/${project.full_path}.git/gitlab-lfs/objects/${oid}/${bytes.length}`, {
    method: 'PUT',
    headers: { authorization: `Basic ${Buffer.from(`${owner.username}:${owner.token}`).toString('base64')}` },
    body: new Uint8Array(bytes),
  })
  const fork = (await person.post(`${project.url}/fork`)).body
  await copy(fork, project)

  const sizeOf = async (id: number) => (await scene.root.get(`/projects/${id}`, { statistics: true })).body.statistics.lfs_objects_size
  assert.deepEqual([await sizeOf(project.id), await sizeOf(fork.id)], [bytes.length, bytes.length])
})

test('the fork of an unfinished fork waits for it', async () => {
  const { project, person } = await openSource()
  const first = (await person.post(`${project.url}/fork`)).body
  const second = (await person.post(`/projects/${first.id}/fork`, { name: 'Second', path: 'second' })).body

  await copy(second, first)
  assert.equal(await importStatus(second), 'scheduled')
  await copy(first, project)
  await copy(second, first)

  assert.deepEqual([await importStatus(first), await importStatus(second)], ['finished', 'finished'])
  assert.equal((await person.get(`/projects/${second.id}`)).body.default_branch, 'main')
})

test('the fork of an empty project is finished and empty', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const fork = (await (await scene.user()).post(`${project.url}/fork`)).body
  await copy(fork, project)
  const { import_status, empty_repo } = (await scene.root.get(`/projects/${fork.id}`)).body
  assert.deepEqual([import_status, empty_repo], ['finished', true])
})

test('namespace_id, namespace_path or namespace select the place of a fork, with its own name and path', async () => {
  const { project, person } = await openSource()
  const { group } = await scene.group({ owner: person, visibility: 'public' })
  const fields = { description: 'Mine', visibility: 'private' }
  const ways = [{ namespace_id: group.id }, { namespace_path: group.full_path }, { namespace: group.id }, { namespace: group.full_path }]
  for (const [index, way] of ways.entries()) {
    const { status, body } = await person.post(`${project.url}/fork`, { ...way, ...fields, name: `Fork ${index}`, path: `fork-${index}` })
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual(
      [body.path_with_namespace, body.name, body.description, body.visibility],
      [`${group.full_path}/fork-${index}`, `Fork ${index}`, 'Mine', 'private'],
    )
  }
  assert.equal((await person.get(project.url)).body.forks_count, 4)
})

test('a name or path that is taken is a 409 immediately (decision 13)', async () => {
  const { project, owner, person } = await openSource()
  await person.post(`${project.url}/fork`)
  assert.equal((await person.post(`${project.url}/fork`)).status, 409)
  assert.equal((await person.post(`${project.url}/fork`, { path: 'other' })).status, 409)
  assert.equal((await owner.post(`${project.url}/fork`)).status, 409)
  assert.equal((await person.post(`${project.url}/fork`, { path: 'other', name: 'Other' })).status, 201)
})

test('of two concurrent forks to the same path one succeeds, the other is a 409', async () => {
  const { project, person } = await openSource()
  const answers = await Promise.all([1, 2, 3].map(() => person.post(`${project.url}/fork`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  assert.equal((await person.get(project.url)).body.forks_count, 1)
})

test('a fork is never wider than its source or its group', async () => {
  const { project, owner } = await openSource('private')
  const { group } = await scene.group({ owner, visibility: 'public' })
  const wide = await owner.post(`${project.url}/fork`, { namespace_id: group.id, visibility: 'public' })
  assert.deepEqual(
    [wide.status, wide.body.message.visibility_level],
    [400, ['public is not allowed since the fork source project has lower visibility.']],
  )
  assert.equal((await owner.post(`${project.url}/fork`, { namespace_id: group.id })).body.visibility, 'private')

  const { body: fork } = await owner.post(`${project.url}/fork`, { namespace_id: group.id, path: 'later', name: 'later' })
  const widened = await owner.put(`/projects/${fork.id}`, { visibility: 'public' })
  assert.deepEqual(
    [widened.status, widened.body.message.visibility_level],
    [400, ['public is not allowed since the fork source project has lower visibility.']],
  )

  const open = await openSource()
  const hidden = await scene.group({ owner: open.person })
  const { body } = await open.person.post(`${open.project.url}/fork`, { namespace_id: hidden.group.id })
  assert.equal(body.visibility, 'private')
  const refused = await open.person.post(`${open.project.url}/fork`, {
    namespace_id: hidden.group.id,
    path: 'b',
    name: 'b',
    visibility: 'public',
  })
  assert.equal(refused.status, 400)
})

test('users who may read the code may fork where forking is enabled; other namespaces are not found', async () => {
  const { project, owner, guest, reporter } = await scene.project({ members: ['guest', 'reporter'] })
  const outsider = await scene.user()
  const fork = async (person: typeof guest, fields = {}) => (await person.post(`${project.url}/fork`, fields)).status
  assert.deepEqual([await fork(guest), await fork(reporter), await fork(outsider)], [403, 201, 404])
  assert.equal((await scene.anonymous.post(`${project.url}/fork`)).status, 401)
  const { group } = await scene.group({ visibility: 'public' })
  const answer = await reporter.post(`${project.url}/fork`, { namespace_id: group.id })
  assert.deepEqual(answer, { status: 404, body: { message: '404 Target Namespace Not Found' } })

  await owner.put(project.url, { visibility: 'public', forking_access_level: 'private' })
  assert.equal(await fork(outsider), 404)
  await owner.put(project.url, { forking_access_level: 'disabled' })
  assert.equal(await fork(reporter, { path: 'x', name: 'x' }), 404)
  await owner.put(project.url, { forking_access_level: 'enabled', repository_access_level: 'private' })
  assert.equal(await fork(outsider), 404)
})

test('a top-level group can forbid forks outside of it', async () => {
  const { group, owner } = await scene.group()
  const inside = await scene.group({ parent: group, owner })
  await scene.deps.database.db.updateTable('namespaces').set({ prevent_forking_outside_group: true }).where('id', '=', group.id).execute()
  const { project } = await scene.project({ group, owner })
  assert.equal((await owner.post(`${project.url}/fork`)).status, 404)
  const { status, body: fork } = await owner.post(`${project.url}/fork`, { namespace_id: inside.group.id })
  assert.equal(status, 201)

  const elsewhere = await scene.group({ owner })
  const refused = { status: 403, body: { message: '403 Forbidden - Forks of projects of this group stay within it' } }
  assert.deepEqual(await owner.put(`/projects/${fork.id}/transfer`, { namespace: elsewhere.group.id }), refused)
  assert.deepEqual(await owner.post(`${inside.group.url}/transfer`, { group_id: elsewhere.group.id }), refused)
  assert.equal(
    (await owner.put(`/projects/${fork.id}/transfer`, { namespace: group.id, path: 'fork' })).status,
    409,
    'the source has the path',
  )
  // A project that is no fork goes, and the source leaves its forks.
  assert.equal((await owner.put(`${project.url}/transfer`, { namespace: elsewhere.group.id })).status, 200)
  assert.equal((await owner.put(`/projects/${fork.id}/transfer`, { namespace: group.id })).status, 200)
})

test('forks are listed for users who may see them, with the filters of project lists', async () => {
  const { project, person } = await openSource()
  const others = await Promise.all([scene.user(), scene.user()])
  const made = [
    (await person.post(`${project.url}/fork`, { name: 'Zebra' })).body,
    (await others[0].post(`${project.url}/fork`, { name: 'Ant', visibility: 'private' })).body,
    (await others[1].post(`${project.url}/fork`, { name: 'Bee' })).body,
  ]
  const names = async (as: typeof person, query = {}) =>
    (await as.get(`${project.url}/forks`, query)).body.map((fork: { name: string }) => fork.name)
  assert.deepEqual(await names(person, { order_by: 'name', sort: 'asc' }), ['Bee', 'Zebra'])
  assert.deepEqual(await names(others[0], { order_by: 'name', sort: 'asc' }), ['Ant', 'Bee', 'Zebra'])
  assert.deepEqual(await names(person, { owned: true }), ['Zebra'])
  assert.deepEqual(await names(scene.root, { visibility: 'private' }), ['Ant'])
  assert.deepEqual(await names(scene.root, { search: 'bee' }), ['Bee'])
  const [simple] = (await scene.anonymous.get(`${project.url}/forks`)).body
  assert.deepEqual(['namespace' in simple, 'forked_from_project' in simple], [true, false])
  assert.equal(made.length, (await person.get(project.url)).body.forks_count)
})

test('the source of a fork is visible only to users who may see it', async () => {
  const { project, owner } = await openSource('private')
  const fork = (await owner.post(`${project.url}/fork`, { path: 'copy', name: 'Copy' })).body
  const friend = await scene.user()
  await owner.post(`/projects/${fork.id}/members`, { user_id: friend.id, access_level: 40 })
  assert.equal((await owner.get(`/projects/${fork.id}`)).body.forked_from_project.id, project.id)
  assert.equal('forked_from_project' in (await friend.get(`/projects/${fork.id}`)).body, false)
})

test('reducing a project’s visibility removes the relation to its forks', async () => {
  const { project, owner, person } = await openSource()
  const fork = (await person.post(`${project.url}/fork`)).body
  await owner.put(project.url, { description: 'still public' })
  assert.equal((await owner.get(project.url)).body.forks_count, 1)
  const narrowed = await owner.put(project.url, { visibility: 'internal' })
  assert.equal(narrowed.body.forks_count, 0)
  const after = (await person.get(`/projects/${fork.id}`)).body
  assert.deepEqual([after.visibility, 'forked_from_project' in after], ['public', false])
})

test('the relation is created and removed; repeating that is 409 and 304, and a cycle is refused', async () => {
  const { project, person } = await openSource()
  const own = await scene.project({ owner: person })
  const url = `${own.project.url}/fork/${project.id}`
  const linked = await person.post(url)
  assert.deepEqual([linked.status, linked.body.forked_from_project.id, linked.body.import_status], [201, project.id, 'none'])
  assert.deepEqual(await person.post(url), { status: 409, body: { message: 'Project already forked' } })
  assert.equal((await scene.root.post(`${project.url}/fork/${own.project.id}`)).status, 400)
  assert.equal((await scene.root.post(`${project.url}/fork/${project.id}`)).status, 400)
  assert.equal((await person.delete(`${own.project.url}/fork`)).status, 204)
  assert.equal((await person.delete(`${own.project.url}/fork`)).status, 304)
  assert.equal((await person.get(project.url)).body.forks_count, 0)
  assert.equal((await person.post(`${own.project.url}/fork/0`)).status, 404)
})

test('deleting a fork reduces the number of forks', async () => {
  const { project, person } = await openSource()
  const fork = (await person.post(`${project.url}/fork`)).body
  await person.delete(`/projects/${fork.id}`)
  assert.equal((await person.get(project.url)).body.forks_count, 0)
})
