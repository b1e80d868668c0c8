/** Deletion of groups: hidden immediately, removed by the worker (issue 3 "delete (with everything below)"). And what is added meanwhile. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { statementsWait } from '../../../../test/held_table.ts'
import { openScene } from '../../../../test/scene.ts'
import { createBot } from '../../../identity/users/bots.ts'
import { transact } from '../../../platform/db/transact.ts'
import { systemContext } from '../../../platform/kernel/context.ts'
import { tasksOf } from '../../../server/tasks.ts'

const scene = await openScene()
const { db } = scene.deps.database
const tasks = tasksOf(scene.deps)

/** Runs the worker's task after the request. */
const finish = (group: { id: number }) => tasks.remove_group({ group_id: group.id }, undefined)

/** A public tree: a group, a subgroup, and a project with a repository in it. */
async function tree() {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { group: below } = await scene.group({ parent: group, owner, visibility: 'public' })
  const { project, developer } = await scene.project({
    group: below,
    owner,
    visibility: 'public',
    initialize_with_readme: true,
    members: ['developer'],
  })
  return { group, below, project, owner, developer }
}

test('a deleted group is immediately gone for all users, with everything below it', async () => {
  const { group, below, project, owner, developer } = await tree()

  assert.deepEqual(await owner.delete(group.url), { status: 204, body: undefined })

  for (const client of [owner, developer, scene.root, scene.anonymous]) {
    for (const { url } of [group, below, project]) assert.equal((await client.get(url)).status, 404, url)
    assert.deepEqual((await client.get('/projects', { search: project.path })).body, [])
    assert.deepEqual((await client.get('/groups', { search: group.path, all_available: true })).body, [])
    assert.equal((await client.get(`${scene.url}/${project.full_path}.git/info/refs?service=git-upload-pack`)).status, 401)
  }
  assert.deepEqual((await scene.root.get('/namespaces', { search: group.path })).body, [])
  assert.equal((await scene.root.get(`/groups/${encodeURIComponent(below.full_path)}`)).status, 404)
})

test('its name and path are free immediately, before the worker runs', async () => {
  const { group, owner } = await tree()
  await owner.delete(group.url)

  const again = await owner.post('/groups', { name: group.name, path: group.path })

  assert.equal(again.status, 201)
  await finish(group)
  assert.equal((await owner.get(`/groups/${again.body.id}`)).status, 200)
})

test('the worker removes rows and repositories, and may be interrupted and run again', async () => {
  const { group, below, project, owner } = await tree()
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  assert.ok(existsSync(repository.path))
  await owner.delete(group.url)

  await finish(group)
  await finish(group)

  const left = await db.selectFrom('namespaces').select('id').where('id', 'in', [group.id, below.id]).execute()
  assert.deepEqual(left, [])
  assert.equal(await db.selectFrom('projects').select('id').where('id', '=', project.id).executeTakeFirst(), undefined)
  const events = await db.selectFrom('events').select(['id', 'payload']).where('kind', '=', 'project.deleted').execute()
  const event = events.find(({ payload }) => (payload as { project_id: number }).project_id === project.id)
  await tasks.deliver_event({ event_id: Number(event?.id) }, undefined)
  assert.ok(!existsSync(repository.path))
})

test('the removal is queued once, in the transaction of the deletion', async () => {
  const { group, owner } = await tree()

  const answers = await Promise.all([owner.delete(group.url), owner.delete(group.url)])

  // One of them may come when the group is gone.
  for (const { status } of answers) assert.ok(status === 204 || status === 404, String(status))
  assert.ok(answers.some(({ status }) => status === 204))
  const deleted = await db.selectFrom('events').select('payload').where('kind', '=', 'group.deleted').execute()
  assert.equal(deleted.filter(({ payload }) => (payload as { group_id: number }).group_id === group.id).length, 1)
})

test('a project created in a group during its deletion is deleted with it or refused', async () => {
  const { group, below, owner } = await tree()

  const [removed, ...made] = await Promise.all([
    owner.delete(group.url),
    ...[1, 2, 3, 4].map(number => owner.post('/projects', { name: `Late ${number}`, namespace_id: below.id })),
  ])

  assert.equal(removed.status, 204)
  for (const answer of made) {
    assert.ok([201, 404].includes(answer.status), String(answer.status))
    if (answer.status === 201) assert.equal((await scene.root.get(`/projects/${answer.body.id}`)).status, 404)
  }
  await finish(group)
  assert.deepEqual(await db.selectFrom('projects').select('id').where('namespace_id', '=', below.id).execute(), [])
})

test('shares with a deleted group give its members nothing, even before the worker runs', async () => {
  const { group, owner, developer } = await scene.group({ members: ['developer'] })
  const { project } = await scene.project()
  await scene.root.post(`${project.url}/share`, { group_id: group.id, group_access: 30 })
  assert.equal((await developer.get(project.url)).status, 200)

  await owner.delete(group.url)

  assert.equal((await developer.get(project.url)).status, 404)
})

test('an identity provider loses access with its group', async () => {
  await scene.root.put('/application/settings', { scim_provisioning: 'owners' })
  const { group, owner } = await scene.group()
  const { body } = await owner.post(`${group.url}/scim_token`)
  const provider = scene.as({ authorization: `Bearer ${body.token}` })
  assert.equal((await provider.get(`${body.scim_url}/Users`)).status, 200)

  await owner.delete(group.url)

  assert.equal((await provider.get(`${body.scim_url}/Users`)).status, 401)
})

test('a bot that is added after its group was hidden goes with the group', async () => {
  const { group, owner } = await scene.group()
  await owner.delete(group.url)
  const bot = await transact(db, tx => createBot(systemContext(scene.deps, tx), { namespace_id: group.id }, 'late'))
  assert.equal((await scene.root.get(`/users/${bot}`)).status, 200)

  await finish(group)

  assert.equal((await scene.root.get(`/users/${bot}`)).status, 404)
})

test('a bot that is added while its project is deleted goes with it', async () => {
  const { project, owner } = await scene.project()

  const [bot, deletion] = await transact(db, async tx => {
    const id = await createBot(systemContext(scene.deps, tx), { project_id: project.id }, 'late')
    const deleted = owner.delete(project.url)
    await eventually(() => statementsWait(scene.deps.database), 'the deletion')
    return [id, deleted] as const
  })

  assert.equal((await deletion).status, 204)
  assert.equal((await owner.get(project.url)).status, 404)
  assert.equal((await scene.root.get(`/users/${bot}`)).status, 404)
})
