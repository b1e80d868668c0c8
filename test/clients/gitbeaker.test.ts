/** gitbeaker (`@gitbeaker/rest`) as npm has it: JSON bodies in decamelised keys, pages by Link (clients.md b.3). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitbeakerRequestError, Gitlab } from '@gitbeaker/rest'
import { openScene, type Person } from '../scene.ts'

const scene = await openScene()

/** The client of a user. */
const clientOf = ({ token }: Pick<Person, 'token'>) => new Gitlab({ host: scene.url, token })
const admin = clientOf(scene.root)

let made = 0
const unique = (noun: string) => `beaker-${noun}-${++made}`

/** Passes when `work` is refused with this status. */
const refused = (work: Promise<unknown>, status: number) =>
  assert.rejects(work, error => error instanceof GitbeakerRequestError && error.cause?.response.status === status)

async function newProject() {
  const person = await scene.user()
  const client = clientOf(person)
  return { person, client, project: await client.Projects.create({ name: unique('project') }) }
}

test('users are created, read, changed, blocked and deleted', async () => {
  const username = unique('person')
  const user = await admin.Users.create({ username, name: 'Ida Example', email: `${username}@example.com`, forceRandomPassword: true })

  assert.equal((await admin.Users.show(user.id)).username, username)
  assert.deepEqual(
    (await admin.Users.all({ username })).map(found => found.id),
    [user.id],
  )
  assert.equal((await admin.Users.edit(user.id, { bio: 'Gardener' })).bio, 'Gardener')
  await admin.Users.block(user.id)
  assert.equal((await admin.Users.show(user.id)).state, 'blocked')
  await admin.Users.unblock(user.id)
  assert.equal((await admin.Users.show(user.id)).state, 'active')
  await admin.Users.remove(user.id, { hardDelete: true })
  await refused(admin.Users.show(user.id), 404)
})

test('the current user is found by token, and by sudo', async () => {
  const person = await scene.user()

  assert.equal((await clientOf(person).Users.showCurrentUser()).id, person.id)
  assert.equal((await admin.Users.showCurrentUser({ sudo: person.id })).id, person.id)
  await refused(clientOf({ token: 'wrong' }).Users.showCurrentUser(), 401)
})

test('impersonation tokens are created, used and revoked', async () => {
  const person = await scene.user()
  const token = await admin.UserImpersonationTokens.create(person.id, 'robot', ['api'])
  const robot = clientOf({ token: token.token as string })

  assert.equal((await robot.Users.showCurrentUser()).id, person.id)
  await admin.UserImpersonationTokens.revoke(person.id, token.id)
  await refused(robot.Users.showCurrentUser(), 401)
})

test('groups nest, and are changed and deleted', async () => {
  const group = await admin.Groups.create('Blue team', unique('group'))
  const subgroup = await admin.Groups.create('Boats', unique('group'), { parentId: group.id })

  assert.equal(subgroup.full_path, `${group.path}/${subgroup.path}`)
  assert.equal((await admin.Groups.show(subgroup.full_path)).id, subgroup.id)
  assert.deepEqual(
    (await admin.Groups.allSubgroups(group.id)).map(found => found.id),
    [subgroup.id],
  )
  assert.equal((await admin.Groups.edit(group.id, { description: 'Those in blue' })).description, 'Those in blue')
  await admin.Groups.remove(group.id)
  await refused(admin.Groups.show(subgroup.id), 404)
})

test('projects and groups are shared with groups', async () => {
  const { client, project } = await newProject()
  const group = await client.Groups.create('Crew of the share', unique('group'))
  const invited = await client.Groups.create('Guests', unique('group'))

  await client.Projects.share(project.id, invited.id, 30)
  await client.Groups.share(group.id, invited.id, 40, { expiresAt: '2099-12-31' })

  assert.deepEqual(
    (await client.Projects.show(project.id)).shared_with_groups?.map(shared => shared.group_id),
    [invited.id],
  )
  assert.deepEqual(
    (await client.Groups.allSharedProjects(invited.id)).map(found => found.id),
    [project.id],
  )
  assert.equal((await client.Groups.show(group.id)).shared_with_groups?.length, 1)
  await client.Projects.unshare(project.id, invited.id)
  await client.Groups.unshare(group.id, invited.id, {})
  assert.deepEqual(await client.Groups.allSharedProjects(invited.id), [])
})

test('the projects of a group are listed, and a group moves into another', async () => {
  const { client } = await newProject()
  const group = await client.Groups.create('Fleet', unique('group'))
  const below = await client.Groups.create('Squadron', unique('group'))
  const project = await client.Projects.create({ name: unique('project'), namespaceId: below.id })

  await client.Groups.transfer(below.id, { groupId: group.id })

  assert.deepEqual(
    (await client.Groups.allProjects(group.id, { includeSubgroups: true })).map(found => found.id),
    [project.id],
  )
  assert.deepEqual(
    (await client.Groups.allDescendantGroups(group.id, {})).map(found => found.id),
    [below.id],
  )
})

test('a project whose name has spaces and dashes gets a path made of it', async () => {
  const { client } = await newProject()

  const project = await client.Projects.create({ name: 'Beaker - Integration Test Project' })

  assert.deepEqual([project.name, project.path], ['Beaker - Integration Test Project', 'beaker-integration-test-project'])
  assert.equal((await client.Projects.show(project.path_with_namespace)).id, project.id)
})

test('projects are changed, archived and deleted', async () => {
  const { client, project } = await newProject()

  const changed = await client.Projects.edit(project.id, { description: 'Tool', topics: ['red', 'blue'], wikiAccessLevel: 'disabled' })
  assert.deepEqual([changed.description, changed.topics, changed.wiki_enabled], ['Tool', ['red', 'blue'], false])
  assert.equal((await client.Projects.archive(project.id)).archived, true)
  assert.equal((await client.Projects.unarchive(project.id)).archived, false)
  await client.Projects.remove(project.id)
  await refused(client.Projects.show(project.id), 404)
})

test('a group holds projects, each with a path of its own', async () => {
  const group = await admin.Groups.create('Holder', unique('group'))
  const project = await admin.Projects.create({ name: unique('project'), namespaceId: group.id })

  assert.equal(project.namespace.full_path, group.full_path)
  await refused(admin.Projects.create({ path: project.path, name: 'Again', namespaceId: group.id }), 409)
})

test('lists come in offset pages, one by one and all together', async () => {
  const { client, project } = await newProject()
  for (let count = 1; count < 10; count++) await client.Projects.create({ name: unique('page') })

  const all = await client.Projects.all({ owned: true, perPage: 3 })
  const two = await client.Projects.all({ owned: true, perPage: 5, maxPages: 2, pagination: 'offset', showExpanded: true })
  const second = await client.Projects.all({ owned: true, perPage: 4, page: 2, pagination: 'offset', showExpanded: true })

  assert.equal(new Set(all.map(found => found.id)).size, 10)
  assert.ok(all.some(found => found.id === project.id))
  assert.equal(two.data.length, 10)
  assert.equal(second.data.length, 4)
  assert.deepEqual(second.paginationInfo, { total: 10, next: 3, current: 2, previous: 1, perPage: 4, totalPages: 3 })
})

test('the projects list comes in keyset pages', async () => {
  const { client, project } = await newProject()
  const ids = [project.id]
  for (let count = 1; count < 5; count++) ids.push((await client.Projects.create({ name: unique('page') })).id)

  const rising = await client.Projects.all({ owned: true, pagination: 'keyset', orderBy: 'id', sort: 'asc', perPage: 2 })
  const falling = await client.Projects.all({ owned: true, pagination: 'keyset', orderBy: 'id', sort: 'desc', perPage: 2 })

  assert.deepEqual(
    rising.map(found => found.id),
    ids,
  )
  assert.deepEqual(
    falling.map(found => found.id),
    ids.toReversed(),
  )
})

test('members are added, promoted, found by inheritance and removed', async () => {
  const group = await admin.Groups.create('Crew', unique('group'))
  const project = await admin.Projects.create({ name: unique('project'), namespaceId: group.id })
  const person = await scene.user()

  await admin.GroupMembers.add(group.id, 30, { userId: person.id })
  assert.equal((await admin.GroupMembers.edit(group.id, person.id, 40)).access_level, 40)
  assert.deepEqual(await admin.ProjectMembers.all(project.id), [])
  const inherited = await admin.ProjectMembers.all(project.id, { includeInherited: true })
  assert.equal(inherited.find(member => member.id === person.id)?.access_level, 40)
  assert.equal((await admin.ProjectMembers.show(project.id, person.id, { includeInherited: true })).username, person.username)
  await admin.GroupMembers.remove(group.id, person.id)
  await refused(admin.GroupMembers.show(group.id, person.id), 404)
})

test('an error names what is wrong with a request', async () => {
  const { client } = await newProject()

  await assert.rejects(
    client.Projects.create({ name: unique('project'), visibility: 'secret' as 'private' }),
    error => error instanceof GitbeakerRequestError && /visibility/.test(error.cause?.description ?? ''),
  )
  await refused(client.Users.create({ username: unique('x'), name: 'X', email: 'x@example.com', resetPassword: true }), 403)
})

test('answers may be camelised', async () => {
  const { person, project } = await newProject()
  const client = new Gitlab({ host: scene.url, token: person.token, camelize: true })

  assert.equal((await client.Projects.show(project.id)).pathWithNamespace, project.path_with_namespace)
})

test('files are created, read, changed and deleted', async () => {
  const { client, project } = await newProject()
  const path = 'docs/a file & more.md'

  await client.RepositoryFiles.create(project.id, path, 'main', 'one\n', 'Say one')
  const created = await client.RepositoryFiles.show(project.id, path, 'main')
  await client.RepositoryFiles.edit(project.id, path, 'main', Buffer.from('two\n').toString('base64'), 'Say two', { encoding: 'base64' })
  const raw = await client.RepositoryFiles.showRaw(project.id, path, 'main')
  await client.RepositoryFiles.remove(project.id, path, 'main', 'Say nothing')

  assert.deepEqual([created.file_path, created.size, Buffer.from(created.content, 'base64').toString()], [path, 4, 'one\n'])
  assert.equal(typeof raw === 'string' ? raw : await raw.text(), 'two\n')
  await refused(client.RepositoryFiles.show(project.id, path, 'main'), 404)
})

/** A project with two commits on `main`, and a branch `side` at the first. */
async function withHistory() {
  const world = await newProject()
  const { client, project } = world
  const first = await client.Commits.create(project.id, 'main', 'Begin', [
    { action: 'create', filePath: 'README.md', content: '# Begin\n' },
    { action: 'create', filePath: 'src/main.js', content: 'go()\n' },
  ])
  await client.Branches.create(project.id, 'side', 'main')
  const second = await client.Commits.create(project.id, 'main', 'Go on', [
    { action: 'move', filePath: 'src/index.js', previousPath: 'src/main.js' },
    { action: 'update', filePath: 'README.md', content: '# On\n' },
  ])
  return { ...world, first, second }
}

test('commits are made, listed, shown and compared', async () => {
  const { client, project, first, second } = await withHistory()

  const listed = await client.Commits.all(project.id, { perPage: 1 })
  const shown = await client.Commits.show(project.id, second.id)
  const diff = await client.Commits.showDiff(project.id, second.id)
  const comparison = await client.Repositories.compare(project.id, 'side', 'main')
  const base = await client.Repositories.mergeBase(project.id, ['side', 'main'])

  assert.deepEqual(
    listed.map(commit => commit.id),
    [second.id, first.id],
  )
  assert.deepEqual(shown.parent_ids, [first.id])
  assert.deepEqual(diff.map(change => change.new_path).toSorted(), ['README.md', 'src/index.js'])
  assert.deepEqual(
    comparison.commits?.map(commit => commit.id),
    [second.id],
  )
  assert.equal(base.id, first.id)
})

test('branches and tags are made, listed, protected and removed', async () => {
  const { client, project, first } = await withHistory()

  await client.Tags.create(project.id, 'v1.0', 'side', { message: 'One' })
  await client.ProtectedBranches.protect(project.id, 'side')
  const side = await client.Branches.show(project.id, 'side')
  await client.ProtectedBranches.unprotect(project.id, 'side')
  await client.Branches.remove(project.id, 'side')

  assert.deepEqual([side.commit.id, side.protected], [first.id, true])
  assert.deepEqual(
    (await client.Branches.all(project.id)).map(branch => branch.name),
    ['main'],
  )
  assert.deepEqual(
    (await client.Tags.all(project.id)).map(tag => [tag.name, tag.message, tag.commit.id]),
    [['v1.0', 'One', first.id]],
  )
  await client.Tags.remove(project.id, 'v1.0')
  await refused(client.Tags.show(project.id, 'v1.0'), 404)
})

test('trees come in pages, archives as bytes', async () => {
  const { client, project } = await withHistory()

  const tree = await client.Repositories.allRepositoryTrees(project.id, { recursive: true, perPage: 2 })
  const archive = await client.Repositories.showArchive(project.id, { fileType: 'zip', sha: 'main' })

  assert.deepEqual(
    tree.map(entry => entry.path),
    ['src', 'README.md', 'src/index.js'],
  )
  // The client makes a text or an object of an answer whose media type is one.
  assert.ok(archive instanceof Blob)
  assert.equal(await archive.slice(0, 2).text(), 'PK')
})
