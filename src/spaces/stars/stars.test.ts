/** Stars of projects (document 3 "Projects"; "Project moves"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const ids = (answer: { body: { id: number }[] }) => answer.body.map(row => row.id)

test('a star is added once and removed once; a repetition changes nothing: 304 (document 3 "Project moves")', async () => {
  const { project, owner } = await scene.project()

  const given = await owner.post(`${project.url}/star`)
  assert.deepEqual([given.status, given.body.id, given.body.star_count, given.body.license], [201, project.id, 1, null])
  assert.deepEqual(await owner.post(`${project.url}/star`), { status: 304, body: undefined })
  const taken = await owner.post(`${project.url}/unstar`)
  assert.deepEqual([taken.status, taken.body.star_count], [201, 0])
  assert.deepEqual(await owner.post(`${project.url}/unstar`), { status: 304, body: undefined })
})

test('of many concurrent stars of one user one counts', async () => {
  const { project, owner } = await scene.project()
  const answers = await Promise.all([1, 2, 3, 4].map(() => owner.post(`${project.url}/star`)))
  assert.deepEqual(answers.map(answer => answer.status).sort(), [201, 304, 304, 304])
  assert.equal((await owner.get(project.url)).body.star_count, 1)
})

test('concurrent stars of different users all count', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const people = await Promise.all([1, 2, 3, 4].map(() => scene.user()))
  await Promise.all(people.map(person => person.post(`${project.url}/star`)))
  assert.equal((await scene.root.get(project.url)).body.star_count, 4)
})

test('the stars of a deleted user no longer count', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const person = await scene.user()
  await person.post(`${project.url}/star`)
  await owner.post(`${project.url}/star`)

  assert.equal((await scene.root.delete(`/users/${person.id}`)).status, 204)
  assert.equal((await owner.get(project.url)).body.star_count, 1)
})

test('starrers are listed with the time of their star, and found by a part of name or username', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const person = await scene.user({ username: 'stargazer', name: 'Vera of the Night' })
  await owner.post(`${project.url}/star`)
  await person.post(`${project.url}/star`)

  const all = await scene.anonymous.get(`${project.url}/starrers`)
  assert.deepEqual(
    all.body.map((row: { user: { id: number } }) => row.user.id),
    [person.id, owner.id],
    'the newest star first',
  )
  assert.deepEqual(Object.keys(all.body[0]).sort(), ['starred_since', 'user'])
  for (const search of ['VERA', 'gazer'])
    assert.equal((await owner.get(`${project.url}/starrers`, { search })).body[0].user.username, 'stargazer')
  assert.deepEqual((await owner.get(`${project.url}/starrers`, { search: 'nobody' })).body, [])
})

test('the stars of a private profile are for its user and administrators alone, like its activity', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const person = await scene.user({ private_profile: true })
  await person.post(`${project.url}/star`)
  await owner.post(`${project.url}/star`)
  const starrers = async (by: typeof scene.anonymous) =>
    (await by.get(`${project.url}/starrers`)).body.map((row: { user: { id: number } }) => row.user.id)
  const starred = async (by: typeof scene.anonymous) => (await by.get(`/users/${person.id}/starred_projects`)).body.length

  for (const other of [owner, scene.anonymous, await scene.user()])
    assert.deepEqual([await starrers(other), await starred(other)], [[owner.id], 0])
  for (const allowed of [person, scene.root])
    assert.deepEqual([await starrers(allowed), await starred(allowed)], [[owner.id, person.id], 1])
  await scene.root.put(`/users/${person.id}`, { private_profile: false })
  assert.deepEqual([await starrers(owner), await starred(owner)], [[owner.id, person.id], 1])
})

test('a private project has no stars of outsiders, and is not in the lists that they see', async () => {
  const { project, owner } = await scene.project()
  const outsider = await scene.user()
  await owner.post(`${project.url}/star`)

  assert.equal((await outsider.post(`${project.url}/star`)).status, 404)
  assert.deepEqual(ids(await owner.get(`/users/${owner.id}/starred_projects`)), [project.id])
  assert.deepEqual((await outsider.get(`/users/${owner.username}/starred_projects`)).body, [])
  assert.deepEqual((await scene.anonymous.get(`/users/${owner.username}/starred_projects`)).body, [])
})

test('starred projects take the filters of document 3, and `starred` filters every list by the user’s stars', async () => {
  const person = await scene.user()
  const { project: one } = await scene.project({ owner: person, visibility: 'public' })
  const { project: two } = await scene.project({ visibility: 'public', issues_access_level: 'disabled', name: 'Second of the stars' })
  const { project: other } = await scene.project({ owner: person })
  for (const project of [one, two]) await person.post(`${project.url}/star`)
  const starred = async (query: object) =>
    ids(await person.get(`/users/${person.id}/starred_projects`, { order_by: 'id', sort: 'asc', ...query }))

  assert.deepEqual(await starred({}), [one.id, two.id])
  assert.deepEqual(await starred({ owned: true }), [one.id])
  assert.deepEqual(await starred({ with_issues_enabled: true }), [one.id])
  assert.deepEqual(await starred({ search: 'second of' }), [two.id])
  assert.deepEqual(await starred({ archived: true }), [])
  assert.deepEqual(await starred({ visibility: 'private' }), [])
  assert.deepEqual(ids(await person.get('/projects', { starred: true, order_by: 'id', sort: 'asc' })), [one.id, two.id])
  assert.deepEqual(ids(await person.get('/projects', { starred: false, owned: true, order_by: 'id', sort: 'asc' })), [one.id, other.id])
  assert.deepEqual((await scene.anonymous.get('/projects', { starred: true })).body, [])
})
