import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { sharedNameLines } from '../ref_updates/shared_names.ts'

const scene = await openScene()

const level = (access_level: number, access_level_description: string) => ({
  access_level,
  access_level_description,
  user_id: null,
  group_id: null,
})
const withoutIds = (levels: { id: number }[]) => levels.map(({ id: _id, ...rest }) => rest)

test('a tag is protected, read, listed by name and unprotected', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/protected_tags`

  const made = await owner.post(url, { name: 'v*', create_access_level: 30 })

  assert.equal(made.status, 201)
  assert.equal(made.body.name, 'v*')
  assert.deepEqual(withoutIds(made.body.create_access_levels), [level(30, 'Developers + Maintainers')])
  const other = await owner.post(url, { name: 'final' })
  assert.deepEqual(withoutIds(other.body.create_access_levels), [level(40, 'Maintainers')])
  assert.deepEqual((await owner.get(url)).body, [other.body, made.body])
  assert.deepEqual((await owner.get(`${url}/v%2A`)).body, made.body)
  assert.deepEqual(await owner.delete(`${url}/v*`), { status: 204, body: undefined })
  assert.deepEqual(await owner.get(`${url}/v*`), { status: 404, body: { message: '404 Not found' } })
})

test('a name that is protected already is a 422, an unknown level a 400', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/protected_tags`
  await owner.post(url, { name: 'v1' })

  assert.deepEqual(await owner.post(url, { name: 'v1' }), { status: 422, body: { message: ['Name has already been taken'] } })
  assert.deepEqual(await owner.post(url, { name: 'v2', create_access_level: 20 }), {
    status: 400,
    body: { message: { create_access_level: ['does not have a valid value'] } },
  })
})

test('of two concurrent protections of one name one succeeds', async () => {
  const { project, owner } = await scene.project()
  const answers = await Promise.all([1, 2].map(() => owner.post(`${project.url}/protected_tags`, { name: 'v1' })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422])
})

test('members of the project can be allowed to create, others are a 422', async () => {
  const { project, developer, owner } = await scene.project({ members: ['developer'] })
  const stranger = await scene.user()
  await scene.commit(project, { a: '1' })
  const url = `${project.url}/protected_tags`

  const made = await owner.post(url, { name: 'v*', allowed_to_create: [{ user_id: developer.id }] })

  assert.deepEqual(withoutIds(made.body.create_access_levels), [
    { access_level: 40, access_level_description: developer.name, user_id: developer.id, group_id: null },
  ])
  const tags = `${project.url}/repository/tags`
  assert.equal((await developer.post(tags, { tag_name: 'v1', ref: 'main' })).status, 201)
  assert.equal((await owner.post(tags, { tag_name: 'v2', ref: 'main' })).status, 403)
  assert.deepEqual(await owner.post(url, { name: 'x', allowed_to_create: [{ user_id: stranger.id }] }), {
    status: 422,
    body: { message: ['Create access levels user is not a member of the project'] },
  })
})

test('a pattern applies to the tags that it matches, and the tags API shows it', async () => {
  const { project, owner, developer, maintainer } = await scene.project({ members: ['developer', 'maintainer'] })
  await scene.commit(project, { a: '1' })
  const tags = `${project.url}/repository/tags`
  await owner.post(`${project.url}/protected_tags`, { name: 'release-*' })

  assert.deepEqual(await developer.post(tags, { tag_name: 'release-1', ref: 'main' }), {
    status: 403,
    body: { message: '403 Forbidden - You are not allowed to create this protected tag' },
  })
  const made = await maintainer.post(tags, { tag_name: 'release-1', ref: 'main' })
  assert.deepEqual([made.status, made.body.protected], [201, true])
  assert.equal((await developer.post(tags, { tag_name: 'nightly', ref: 'main' })).body.protected, false)
  assert.deepEqual(await developer.delete(`${tags}/release-1`), {
    status: 403,
    body: { message: '403 Forbidden - You are not allowed to delete this protected tag' },
  })
  assert.equal((await maintainer.delete(`${tags}/release-1`)).status, 204)
})

test('a tag that no one may create cannot be created by administrators either', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { a: '1' })
  await owner.post(`${project.url}/protected_tags`, { name: 'never', create_access_level: 0 })
  for (const person of [owner, scene.root])
    assert.equal((await person.post(`${project.url}/repository/tags`, { tag_name: 'never', ref: 'main' })).status, 403)
})

test('what the API writes gives no branch the name of a protected tag that the caller may not create, and no such tag that of a branch', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { a: '1' })
  const repository = `${project.url}/repository`
  await owner.post(`${project.url}/protected_tags`, { name: 'v*' })
  await owner.post(`${repository}/tags`, { tag_name: 'v1', ref: 'main' })
  const forbidden = (line: string) => ({ status: 403, body: { message: `403 Forbidden - ${line}` } })

  const branch = (person: typeof owner, name: string) => person.post(`${repository}/branches`, { branch: name, ref: 'main' })
  assert.deepEqual(await branch(developer, 'v1'), forbidden(sharedNameLines.branch))
  const commit = { start_branch: 'main', commit_message: 'x', actions: [{ action: 'create', file_path: 'b', content: 'b' }] }
  assert.deepEqual(await developer.post(`${repository}/commits`, { ...commit, branch: 'v1' }), forbidden(sharedNameLines.branch))
  assert.equal((await branch(developer, 'v2')).status, 201, 'no tag has this name yet')
  assert.deepEqual(await owner.post(`${repository}/tags`, { tag_name: 'v2', ref: 'main' }), forbidden(sharedNameLines.tag))
  assert.equal((await branch(owner, 'v1')).status, 201)
  const more = { branch: 'v1', commit_message: 'x', actions: commit.actions }
  assert.deepEqual(await developer.post(`${repository}/commits`, more), forbidden(sharedNameLines.branch))
})
