/** gitbeaker and what projects are besides their settings: stars, languages, statistics, transfers, aliases. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitbeakerRequestError, Gitlab } from '@gitbeaker/rest'
import { openScene, type Person } from '../scene.ts'

const scene = await openScene()
const clientOf = ({ token }: Pick<Person, 'token'>) => new Gitlab({ host: scene.url, token })
const admin = clientOf(scene.root)
const idsOf = (rows: readonly { readonly id: unknown }[]) => rows.map(row => row.id)

test('projects are starred, listed by their stars, and unstarred', async () => {
  const { project, owner } = await scene.project()
  const client = clientOf(owner)

  assert.equal((await client.Projects.star(project.id)).star_count, 1)
  assert.deepEqual(
    (await client.Projects.allStarrers(project.id)).map(({ user }) => user.id),
    [owner.id],
  )
  assert.deepEqual(idsOf(await client.Users.allStarredProjects(owner.id)), [project.id])
  assert.equal((await client.Projects.unstar(project.id)).star_count, 0)
})

test('languages, statistics and the licence are shown', async () => {
  const { project, owner } = await scene.project()
  const client = clientOf(owner)
  await scene.commit(project, { 'a.rb': 'x = 1\n', LICENSE: 'All yours.' })

  assert.deepEqual(await client.Projects.showLanguages(project.id), { Ruby: 100 })
  const found = await client.Projects.show(project.id, { statistics: true, license: true })
  assert.equal(found.statistics.wiki_size, 0)
  assert.equal(found.license.key, 'other')
})

test('a project moves to a group, and is found by its old path', async () => {
  const { project, owner } = await scene.project()
  const { group } = await scene.group({ owner })
  const client = clientOf(owner)

  const moved = await client.Projects.transfer(project.id, group.id)
  assert.equal(moved.path_with_namespace, `${group.full_path}/${project.path}`)
  assert.equal((await client.Projects.show(project.full_path)).id, project.id)
})

test('people of a project are listed, and it is tidied up', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const client = clientOf(owner)

  assert.deepEqual(idsOf(await client.Projects.allUsers(project.id, { search: developer.username })), [developer.id])
  await client.Projects.housekeeping(project.id)
})

test('aliases are made, listed and removed', async () => {
  const { project } = await scene.project()

  const made = await admin.ProjectAliases.create(project.id, 'beaker-alias')
  assert.deepEqual(made, { id: made.id, project_id: project.id, name: 'beaker-alias' })
  assert.ok(idsOf(await admin.ProjectAliases.all()).includes(made.id))
  await admin.ProjectAliases.remove('beaker-alias')
  await assert.rejects(
    admin.ProjectAliases.remove('beaker-alias'),
    error => error instanceof GitbeakerRequestError && error.cause?.response.status === 404,
  )
})
