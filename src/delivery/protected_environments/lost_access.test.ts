/** What users and groups may deploy by name ends with their access to the project, or to the group that protects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'

const scene = await openScene()
const { root } = scene

const deploy = async (person: Person, project: SceneProject, sha: string) =>
  (await person.post(`${project.url}/deployments`, { environment: 'production', sha, ref: 'main', status: 'success' })).status
const protect = async (url: string, levels: readonly object[]) =>
  assert.equal((await root.post(`${url}/protected_environments`, { name: 'production', deploy_access_levels: levels })).status, 201)
const namedIn = async (url: string): Promise<number[]> => {
  const { body } = await root.get(`${url}/protected_environments/production`)
  return body.deploy_access_levels.flatMap(({ user_id, group_id }: Record<string, number | null>) => user_id ?? group_id ?? [])
}
const add = async (url: string, person: Person, access_level = 30) =>
  assert.equal((await root.post(`${url}/members`, { user_id: person.id, access_level })).status, 201)
const share = async (project: SceneProject, group: { id: number }) =>
  assert.equal((await root.post(`${project.url}/share`, { group_id: group.id, group_access: 30 })).status, 201)

test('who left the project and came back, and members of a group without a share, do not deploy by name', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const { group } = await scene.group()
  const other = await scene.user()
  for (const url of [project.url, group.url]) await add(url, other)
  await share(project, group)
  const sha = await scene.commit(project, { 'a.txt': 'a' })
  await protect(project.url, [{ access_level: 60 }, { user_id: developer.id }, { group_id: group.id }])
  for (const person of [developer, other]) assert.equal(await deploy(person, project, sha), 201)

  await root.delete(`${project.url}/members/${developer.id}`)
  await root.delete(`${project.url}/share/${group.id}`)

  assert.deepEqual(await namedIn(project.url), [])
  await add(project.url, developer)
  for (const person of [developer, other]) assert.equal(await deploy(person, project, sha), 403)
})

test('a group whose share has expired deploys nothing, although it is named', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const { group } = await scene.group()
  await add(group.url, developer)
  await share(project, group)
  const sha = await scene.commit(project, { 'a.txt': 'a' })
  await protect(project.url, [{ group_id: group.id }])
  assert.equal(await deploy(developer, project, sha), 201)

  const expires_at = new Date().toISOString().slice(0, 10)
  await scene.deps.database.db.updateTable('shares').set({ expires_at }).where('project_id', '=', project.id).execute()

  assert.equal(await deploy(developer, project, sha), 403)
  assert.deepEqual(await namedIn(project.url), [group.id])
})

test('what a group protects is deployed by users who have a role in it, and by groups while they are below it', async () => {
  await root.post('/features/group_level_protected_environments', { value: true })
  const { group, maintainer } = await scene.group({ members: ['maintainer'] })
  const { group: below, developer } = await scene.group({ parent: group, owner: root, members: ['developer'] })
  const { project } = await scene.project({ group })
  for (const person of [maintainer, developer]) await add(project.url, person, 40)
  const sha = await scene.commit(project, { 'a.txt': 'a' })
  await protect(group.url, [{ user_id: maintainer.id }, { group_id: below.id }])
  for (const person of [maintainer, developer]) assert.equal(await deploy(person, project, sha), 201)

  await root.delete(`${group.url}/members/${maintainer.id}`)
  const { group: elsewhere } = await scene.group({ owner: root })
  assert.equal((await root.post(`${below.url}/transfer`, { group_id: elsewhere.id })).status, 201)

  assert.deepEqual(await namedIn(group.url), [])
  for (const person of [maintainer, developer]) assert.equal(await deploy(person, project, sha), 403)
  // Coming back does not bring back what the group had.
  assert.equal((await root.post(`${below.url}/transfer`, { group_id: group.id })).status, 201)
  assert.equal(await deploy(developer, project, sha), 403)
})

test('who left a group that is invited is named no more, neither by the project nor by the group that protects', async () => {
  await root.post('/features/group_level_protected_environments', { value: true })
  const { group: home } = await scene.group()
  const { project } = await scene.project({ group: home })
  const { group: invited, maintainer } = await scene.group({ members: ['maintainer'] })
  assert.equal((await root.post(`${home.url}/share`, { group_id: invited.id, group_access: 40 })).status, 201)
  await scene.commit(project, { 'a.txt': 'a' })
  for (const { url } of [project, home]) await protect(url, [{ user_id: maintainer.id }])

  await root.delete(`${invited.url}/members/${maintainer.id}`)

  for (const { url } of [project, home]) assert.deepEqual(await namedIn(url), [], url)
})
