import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const ids = (answer: { body: { id: number }[] }) => answer.body.map(row => row.id)

test('a new project is private, empty and has the default settings, in the namespace of its creator', async () => {
  const person = await scene.user()

  const made = await person.post('/projects', { name: 'Deploy Tool' })

  assert.equal(made.status, 201)
  const { body } = made
  assert.deepEqual(
    [body.path, body.path_with_namespace, body.name_with_namespace, body.visibility, body.empty_repo, body.archived, body.creator_id],
    ['deploy-tool', `${person.username}/deploy-tool`, `${person.name} / Deploy Tool`, 'private', true, false, person.id],
  )
  assert.equal(body.http_url_to_repo, `${scene.url}/${person.username}/deploy-tool.git`)
  assert.deepEqual([body.namespace.kind, body.namespace.full_path, body.owner.id], ['user', person.username, person.id])
  assert.deepEqual(body.permissions.project_access.access_level, 40)
  assert.deepEqual((await person.get(`/projects/${body.id}`)).body, body)
})

test('a path is derived from the name, but not from a new name (decision 45)', async () => {
  const person = await scene.user()
  const made = await person.post('/projects', { name: 'Équipe  – Nord 2.0' })
  assert.equal(made.body.path, 'equipe-nord-2.0')

  const renamed = await person.put(`/projects/${made.body.id}`, { name: 'Something else' })
  assert.deepEqual([renamed.status, renamed.body.name, renamed.body.path], [200, 'Something else', 'equipe-nord-2.0'])
  assert.equal((await person.post('/projects', { path: 'only-path' })).body.name, 'only-path')
})

test('a name or path that is taken in the namespace is a conflict (decision 13)', async () => {
  const { project, owner } = await scene.project()

  assert.deepEqual(await owner.post('/projects', { name: 'Another', path: project.path.toUpperCase() }), {
    status: 409,
    body: { message: 'Path has already been taken' },
  })
  assert.deepEqual(await owner.post('/projects', { name: project.name, path: 'another' }), {
    status: 409,
    body: { message: 'Name has already been taken' },
  })
  const other = await scene.user()
  assert.equal((await other.post('/projects', { name: project.name, path: project.path })).status, 201)
})

test('of two concurrent creations with one path one succeeds', async () => {
  const { group, owner } = await scene.group()
  const answers = await Promise.all([1, 2].map(n => owner.post('/projects', { name: `Twin ${n}`, path: 'twin', namespace_id: group.id })))
  assert.deepEqual(answers.map(answer => answer.status).sort(), [201, 409])
})

test('malformed names and paths, reserved paths, a name that gives no path and a missing name are refused (decision 12)', async () => {
  const person = await scene.user()
  const message = async (body: object) => (await person.post('/projects', body)).body.message

  assert.deepEqual(await message({ name: 'x', path: 'tree' }), { path: ['tree is a reserved name'] })
  assert.deepEqual(Object.keys(await message({ name: '<x>', path: 'a b' })), ['name', 'path'])
  assert.deepEqual(Object.keys(await message({ name: '研究' })), ['path'])
  assert.equal(await message({}), '400 (Bad request) "name" not given')
})

test('Developers create projects in a group, or the role that the group sets', async () => {
  const { group, owner, maintainer, developer, reporter } = await scene.group({ members: ['maintainer', 'developer', 'reporter'] })
  const make = async (person: typeof owner, name: string) => (await person.post('/projects', { name, namespace_id: group.id })).status

  assert.equal(await make(reporter, 'one'), 403)
  assert.equal(await make(developer, 'two'), 201)
  await owner.put(group.url, { project_creation_level: 'maintainer' })
  assert.equal(await make(developer, 'three'), 403)
  assert.equal(await make(maintainer, 'four'), 201)
  await owner.put(group.url, { project_creation_level: 'noone' })
  assert.equal(await make(owner, 'five'), 403)
  assert.equal(await make(scene.root, 'six'), 201)
})

test('external users have no own projects, and create them where they are members', async () => {
  const external = await scene.user({ external: true })
  const { group, owner } = await scene.group()
  await owner.post(`${group.url}/members`, { user_id: external.id, access_level: 30 })

  assert.equal((await external.post('/projects', { name: 'Own' })).status, 403)
  assert.equal((await external.post('/projects', { name: 'Invited', namespace_id: group.id })).status, 201)
})

test('a namespace that the caller may not see does not exist, and that of another user is forbidden', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  const { group } = await scene.group()
  const namespace = (await scene.root.get(`/users/${other.id}`)).body.namespace_id

  assert.deepEqual(await person.post('/projects', { name: 'x', namespace_id: group.id }), {
    status: 404,
    body: { message: '404 Namespace Not Found' },
  })
  assert.equal((await person.post('/projects', { name: 'x', namespace_id: namespace })).status, 403)
  const made = await scene.root.post(`/projects/user/${other.id}`, { name: 'Given' })
  assert.deepEqual([made.status, made.body.owner.id], [201, other.id])
})

test('a user has no more own projects than their limit', async () => {
  const person = await scene.user({ projects_limit: 1 })
  await person.post('/projects', { name: 'one' })
  const second = await person.post('/projects', { name: 'two' })
  assert.deepEqual([second.status, Object.keys(second.body.message)], [400, ['limit_reached']])
})

test('a project is never more visible than its group', async () => {
  const { group, owner } = await scene.group({ visibility: 'internal' })
  const { project } = await scene.project({ group, owner, visibility: 'internal' })

  assert.equal((await owner.post('/projects', { name: 'x', namespace_id: group.id, visibility: 'public' })).status, 400)
  assert.equal((await owner.put(project.url, { visibility: 'public' })).status, 400)
})

test('administrators see every project; external users no internal ones of others (decision 43)', async () => {
  const [hidden, internal, open] = await Promise.all(
    (['private', 'internal', 'public'] as const).map(async visibility => (await scene.project({ visibility })).project),
  )
  const outsider = await scene.user()
  const external = await scene.user({ external: true })
  const seenBy = async (client: { get: typeof outsider.get }) =>
    Promise.all([hidden, internal, open].map(async project => (await client.get(project!.url)).status))

  assert.deepEqual(await seenBy(scene.anonymous), [404, 404, 200])
  assert.deepEqual(await seenBy(external), [404, 404, 200])
  assert.deepEqual(await seenBy(outsider), [404, 200, 200])
  assert.deepEqual(await seenBy(scene.root), [200, 200, 200])
  await scene.root.post(`${internal!.url}/members`, { user_id: external.id, access_level: 10 })
  assert.equal((await external.get(internal!.url)).status, 200)
})

test('a project is the same in a list and alone, and its simple form has only simple fields and the namespace (decision 44)', async () => {
  const { project, owner } = await scene.project({ visibility: 'public', topics: ['one', 'two'] })
  const alone = (await owner.get(project.url)).body
  const [listed] = (await owner.get('/projects', { owned: true })).body
  assert.deepEqual(listed, alone)

  const [simple] = (await owner.get('/projects', { owned: true, simple: true })).body
  assert.deepEqual(Object.keys(simple).sort(), [
    ...['avatar_url', 'created_at', 'default_branch', 'description', 'forks_count', 'http_url_to_repo', 'id', 'last_activity_at', 'name'],
    ...[
      'name_with_namespace',
      'namespace',
      'path',
      'path_with_namespace',
      'readme_url',
      'ssh_url_to_repo',
      'star_count',
      'tag_list',
      'topics',
      'web_url',
    ],
  ])
  assert.deepEqual((await scene.anonymous.get(project.url)).body, simple, 'an anonymous caller gets the simple form')
})

test('only administrators see and set the repository storage (decisions 44, 48)', async () => {
  const { project, owner } = await scene.project()

  assert.ok(!('repository_storage' in (await owner.get(project.url)).body))
  assert.equal((await owner.put(project.url, { repository_storage: 'elsewhere', mirror_user_id: 1 })).status, 200)
  assert.equal((await scene.root.get(project.url)).body.repository_storage, 'default')
  assert.deepEqual((await scene.root.put(project.url, { repository_storage: 'elsewhere' })).body, {
    message: { repository_storage: ['does not exist'] },
  })
})

test('maintainers change a project, owners archive and delete it (decision 45)', async () => {
  const { group, owner, maintainer, developer } = await scene.group({ members: ['maintainer', 'developer'] })
  const { project } = await scene.project({ group, owner })

  assert.equal((await developer.put(project.url, { description: 'x' })).status, 403)
  assert.equal((await maintainer.put(project.url, { description: 'x' })).body.description, 'x')
  assert.equal((await maintainer.post(`${project.url}/archive`)).status, 403)
  assert.equal((await maintainer.delete(project.url)).status, 403)
  const archived = await owner.post(`${project.url}/archive`)
  assert.deepEqual([archived.status, archived.body.archived], [201, true])
  assert.deepEqual((await owner.post(`${project.url}/archive`)).status, 201, 'again changes nothing')
  assert.equal((await owner.post(`${project.url}/unarchive`)).body.archived, false)
  assert.deepEqual(await owner.delete(project.url), { status: 204, body: undefined })
  assert.equal((await owner.get(project.url)).status, 404)
})

test('switches and levels mirror each other; if both are given the level wins (decision 46)', async () => {
  const { project, owner } = await scene.project()
  const put = async (body: object) => (await owner.put(project.url, body)).body

  const off = await put({ issues_enabled: false, jobs_enabled: 'false', public_builds: false })
  assert.deepEqual(
    [off.issues_enabled, off.issues_access_level, off.builds_access_level, off.public_jobs],
    [false, 'disabled', 'disabled', false],
  )
  const some = await put({ issues_access_level: 'private', wiki_enabled: false, wiki_access_level: 'enabled' })
  assert.deepEqual([some.issues_enabled, some.issues_access_level, some.wiki_enabled], [true, 'private', true])
  const topics = await put({ tag_list: 'a, b,a' })
  assert.deepEqual(
    [topics.topics, topics.tag_list],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  )
})

test('a partial expiration policy keeps the other keys, and name_regex_delete is name_regex (decision 46)', async () => {
  const { project, owner } = await scene.project()
  const put = async (policy: object) =>
    (await owner.put(project.url, { container_expiration_policy_attributes: policy })).body.container_expiration_policy

  assert.deepEqual(await put({ keep_n: 5, name_regex_delete: 'dev-.*' }), {
    cadence: '1d',
    enabled: false,
    keep_n: 5,
    older_than: '90d',
    name_regex: 'dev-.*',
    name_regex_keep: null,
    next_run_at: null,
  })
  assert.equal((await put({ enabled: true })).keep_n, 5)
})

test('auto_cancel_pending_pipelines is no boolean, and `public` is valid only for pages and requirements (decision 46)', async () => {
  const { project, owner } = await scene.project()
  const message = async (body: object) => (await owner.put(project.url, body)).body.message

  assert.deepEqual(await message({ auto_cancel_pending_pipelines: true }), {
    auto_cancel_pending_pipelines: ['does not have a valid value'],
  })
  assert.deepEqual(await message({ issues_access_level: 'public' }), { issues_access_level: ['does not have a valid value'] })
  assert.equal((await owner.put(project.url, { pages_access_level: 'public', requirements_access_level: 'public' })).status, 200)
})

test('every documented boolean is true or false, never null (decision 46)', async () => {
  const { project, owner } = await scene.project()
  const body = (await owner.get(project.url)).body
  for (const [name, value] of Object.entries(body))
    if (
      /_enabled$|^(archived|empty_repo|public_jobs|mirror(?!_user)|only_|restrict|show_|keep_|lfs|emails|printing|remove_source)/.test(name)
    )
      assert.equal(typeof value, 'boolean', name)
})

test('lists are filtered by membership, ownership, role, topics, switches, visibility and ids', async () => {
  const person = await scene.user()
  const { project: own } = await scene.project({ owner: person, path: 'narrow-own', topics: ['red', 'blue'], visibility: 'internal' })
  const { project: theirs, owner } = await scene.project({ path: 'narrow-theirs', topics: ['red'] })
  const { project: open } = await scene.project({ path: 'narrow-open', visibility: 'public', issues_access_level: 'disabled' })
  await owner.post(`${theirs.url}/members`, { user_id: person.id, access_level: 20 })
  const list = async (query: object) => ids(await person.get('/projects', { search: 'narrow-', order_by: 'id', sort: 'asc', ...query }))

  assert.deepEqual(await list({}), [own.id, theirs.id, open.id])
  assert.deepEqual(await list({ membership: true }), [own.id, theirs.id])
  assert.deepEqual(await list({ owned: true }), [own.id])
  assert.deepEqual(await list({ min_access_level: 30 }), [own.id])
  assert.deepEqual(await list({ topic: 'red' }), [own.id, theirs.id])
  assert.deepEqual(await list({ topic: 'red,blue' }), [own.id])
  assert.deepEqual(await list({ with_issues_enabled: true }), [own.id, theirs.id])
  assert.deepEqual(await list({ visibility: 'public' }), [open.id])
  assert.deepEqual(await list({ id_after: own.id }), [theirs.id, open.id])
  assert.deepEqual(await list({ sort: 'desc' }), [open.id, theirs.id, own.id])
})

test('a search matches name, path and description, and namespaces on request (decision 52)', async () => {
  const { group, owner } = await scene.group({ name: 'Quokka group', path: 'quokka' })
  const { project: inGroup } = await scene.project({ group, owner, path: 'plain' })
  const { project: described } = await scene.project({ owner, path: 'other', description: 'About a QUOKKA' })
  const list = async (query: object) => ids(await owner.get('/projects', { search: 'quokka', order_by: 'id', sort: 'asc', ...query }))

  assert.deepEqual(await list({}), [described.id])
  assert.deepEqual(await list({ search_namespaces: true }), [inGroup.id, described.id])
  assert.deepEqual(await list({ search: 'Quokka/pla', search_namespaces: true }), [inGroup.id], 'a part of the full path')
  assert.deepEqual(await list({ search: 'Quokka/pla' }), [])
})

test('parameters of administrators are ignored for others (decision 48)', async () => {
  const { project, owner } = await scene.project({ path: 'stored-here' })
  assert.deepEqual(ids(await owner.get('/projects', { search: 'stored-here', repository_storage: 'elsewhere' })), [project.id])
  assert.deepEqual(ids(await scene.root.get('/projects', { search: 'stored-here', repository_storage: 'elsewhere' })), [])
})

test('keyset pages reach all projects by the given links alone (document 1 "Pagination"; decision 4)', async () => {
  const person = await scene.user()
  for (const number of [1, 2, 3, 4, 5]) await scene.project({ owner: person, path: `keyset-${number}` })
  const seen: number[] = []
  let next: string | undefined = `/projects?owned=true&pagination=keyset&order_by=id&sort=asc&per_page=2`
  let pages = 0
  while (next) {
    const page: Awaited<ReturnType<typeof person.get>> = await person.get(next)
    seen.push(...ids(page))
    next = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1]
    pages++
  }
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => a - b),
  )
  assert.deepEqual([seen.length, pages], [5, 4], 'the last page that has rows links to an empty one')
})

test('offset pages end at 50,000 projects (decision 5)', async () => {
  const person = await scene.user()
  assert.equal((await person.get('/projects', { page: 500, per_page: 100 })).status, 200)
  const beyond = await person.get('/projects', { page: 501, per_page: 100 })
  assert.equal(beyond.status, 405)
  assert.match(beyond.body.message, /keyset/)
})

test('the projects of a user are found by user id and username, for anonymous callers the public ones (decision 53)', async () => {
  const person = await scene.user()
  const { project: open } = await scene.project({ owner: person, visibility: 'public' })
  const { project: hidden } = await scene.project({ owner: person })
  const other = await scene.user()

  assert.deepEqual(ids(await person.get(`/users/${person.id}/projects`, { order_by: 'id', sort: 'asc' })), [open.id, hidden.id])
  assert.deepEqual(ids(await other.get(`/users/${person.username.toUpperCase()}/projects`)), [open.id])
  assert.deepEqual(ids(await scene.anonymous.get(`/users/${person.username}/projects`)), [open.id])
  assert.equal((await scene.anonymous.get('/users/nobody-at-all/projects')).status, 404)
})

test('a project is found by its full path, ignoring case, and answers HEAD (clients.md 0.5, 0.7)', async () => {
  const { project, owner } = await scene.project({ path: 'my.Proj' })
  const encoded = encodeURIComponent(project.full_path).replaceAll('.', '%2E')

  assert.equal((await owner.get(`/projects/${encoded}`)).body.id, project.id)
  assert.equal((await owner.get(`/projects/${project.full_path.toUpperCase().replace('/', '%2f')}`)).body.id, project.id)
  const head = await owner.head(project.url)
  assert.deepEqual([head.status, head.body, head.headers['content-type']], [200, undefined, 'application/json'])
})

test('a new path moves the address, a taken one does not', async () => {
  const { project, owner } = await scene.project()
  const { project: other } = await scene.project({ owner })

  assert.equal((await owner.put(project.url, { path: 'elsewhere' })).body.path_with_namespace, `${owner.username}/elsewhere`)
  assert.equal((await owner.put(project.url, { path: other.path })).status, 409)
  assert.equal((await owner.put(project.url, { name: other.name })).status, 409)
})

test('the users of a project are found by name and skipped by id (projects API)', async () => {
  const { group, owner, developer } = await scene.group({ members: ['developer'] })
  const { project } = await scene.project({ group, owner })
  const own = await scene.user({ name: 'Zora the Only' })
  await owner.post(`${project.url}/members`, { user_id: own.id, access_level: 30 })
  const list = async (query: Record<string, string | number[]>) => ids(await owner.get(`${project.url}/users`, query))

  assert.deepEqual(
    await list({}),
    [owner.id, developer.id, own.id].sort((a, b) => a - b),
  )
  assert.deepEqual(await list({ search: 'zora' }), [own.id])
  assert.deepEqual(await list({ skip_users: [own.id, owner.id] }), [developer.id])
})
