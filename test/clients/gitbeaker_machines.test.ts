/** gitbeaker on what guards a repository and opens it to machines: protected tags, deploy keys, deploy tokens; and GPG keys. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gitlab } from '@gitbeaker/rest'
import { newGpgKey } from '../../src/identity/gpg_keys/scene.ts'
import { newKey } from '../../src/identity/keys/scene.ts'
import { openScene } from '../scene.ts'

const scene = await openScene()
const clientOf = ({ token }: { token: string }) => new Gitlab({ host: scene.url, token })
const admin = clientOf(scene.root)

test('tags are protected and let go', async () => {
  const { project, owner } = await scene.project()
  const client = clientOf(owner)

  const made = await client.ProtectedTags.create(project.id, 'v*', { createAccessLevel: 30 })
  assert.equal(made.create_access_levels?.[0]?.access_level, 30)
  assert.deepEqual(
    (await client.ProtectedTags.all(project.id)).map(({ name }) => name),
    ['v*'],
  )
  assert.equal((await client.ProtectedTags.show(project.id, 'v*')).name, 'v*')
  await client.ProtectedTags.unprotect(project.id, 'v*')
  assert.deepEqual(await client.ProtectedTags.all(project.id), [])
})

test('deploy keys are added, changed, enabled elsewhere and taken away', async () => {
  const { project, owner } = await scene.project()
  const { project: other } = await scene.project({ owner })
  const client = clientOf(owner)

  const added = await client.DeployKeys.create(project.id, 'Machine', newKey(), { canPush: true })
  assert.equal(added.can_push, true)
  assert.equal((await client.DeployKeys.edit(project.id, added.id, { title: 'Engine', canPush: false })).title, 'Engine')
  assert.equal((await client.DeployKeys.show(project.id, added.id)).can_push, false)
  await client.DeployKeys.enable(other.id, added.id)
  assert.deepEqual(
    (await client.DeployKeys.all({ projectId: other.id })).map(({ id }) => id),
    [added.id],
  )
  await client.DeployKeys.remove(project.id, added.id)
  assert.ok((await admin.DeployKeys.all()).some(({ id }) => id === added.id))
})

test('deploy tokens of projects and groups are made, listed and deleted', async () => {
  const { project, owner } = await scene.project()
  const { group, owner: groupOwner } = await scene.group()
  const places = [
    { client: clientOf(owner), place: { projectId: project.id } },
    { client: clientOf(groupOwner), place: { groupId: group.id } },
  ]
  for (const { client, place } of places) {
    const made = await client.DeployTokens.create('Mirror', ['read_repository'], place as { projectId: number })
    assert.match(made.token, /^[\w-]{20}$/)
    assert.equal(made.username, `gitlab+deploy-token-${made.id}`)
    assert.equal((await client.DeployTokens.show(made.id, place as { projectId: number })).name, 'Mirror')
    assert.equal((await client.DeployTokens.all(place as { projectId: number })).length, 1)
    assert.ok((await admin.DeployTokens.all()).some(({ id }) => id === made.id))
    await client.DeployTokens.remove(made.id, place as { projectId: number })
    assert.deepEqual(await client.DeployTokens.all(place as { projectId: number }), [])
  }
})

test('hooks of projects, groups and the instance are added, changed and deleted', async () => {
  const { project, owner } = await scene.project()
  const { group, owner: groupOwner } = await scene.group()
  const url = 'https://ci.example.com/hook'
  const places = [
    { hooks: clientOf(owner).ProjectHooks, id: project.id },
    { hooks: clientOf(groupOwner).GroupHooks, id: group.id },
  ]
  for (const { hooks, id } of places) {
    const added = await hooks.add(id, url, { token: 'hush', tagPushEvents: true })
    assert.deepEqual([added.push_events, added.tag_push_events], [true, true])
    assert.equal((await hooks.edit(id, added.id, url, { pushEvents: false })).push_events, false)
    assert.equal((await hooks.show(id, added.id)).push_events, false)
    assert.equal((await hooks.all(id)).length, 1)
    await hooks.remove(id, added.id)
    assert.deepEqual(await hooks.all(id), [])
  }

  const system = await admin.SystemHooks.create(url, { pushEvents: true })
  assert.equal((await admin.SystemHooks.test(system.id)).event_name, 'project_create')
  // This library's `show` sends a trial too, so the hook is looked up in the list.
  assert.equal((await admin.SystemHooks.all()).find(({ id }) => id === system.id)?.push_events, true)
  await admin.SystemHooks.remove(system.id)
})

test('push mirrors are added, changed, listed and removed, and a pull mirror is asked to pull', async () => {
  const { project, owner } = await scene.project()
  const mirrors = clientOf(owner).ProjectRemoteMirrors

  const made = await mirrors.createPushMirror(project.id, 'https://user:token@git.example.com/copy.git', { keepDivergentRefs: true })
  assert.deepEqual([made.enabled, made.update_status, made.keep_divergent_refs], [false, 'none', true])
  assert.equal(made.url, 'https://*****:*****@git.example.com/copy.git')
  // Its `edit` sends a POST, which the API does not have.
  assert.equal((await owner.put(`${project.url}/remote_mirrors/${made.id}`, { enabled: true })).body.enabled, true)
  await mirrors.sync(project.id, made.id)
  assert.equal((await mirrors.show(project.id, made.id)).id, made.id)
  assert.deepEqual(
    (await mirrors.all(project.id)).map(({ id }) => id),
    [made.id],
  )
  await mirrors.remove(project.id, made.id)
  assert.deepEqual(await mirrors.all(project.id), [])

  const { Projects } = clientOf(owner)
  await Projects.edit(project.id, { mirror: true, importUrl: 'https://user:token@git.example.com/source.git' })
  await mirrors.createPullMirror(project.id, 'https://git.example.com/source.git', true)
})

test('GPG keys are added, seen by others and deleted', async () => {
  const person = await scene.user()
  const client = clientOf(person)
  const key = newGpgKey()

  const added = await client.UserGPGKeys.create(key)
  assert.equal((await client.UserGPGKeys.show(added.id)).key, key)
  assert.deepEqual(
    (await admin.UserGPGKeys.all({ userId: person.id })).map(({ id }) => id),
    [added.id],
  )
  await client.UserGPGKeys.remove(added.id)
  assert.deepEqual(await client.UserGPGKeys.all(), [])
})
