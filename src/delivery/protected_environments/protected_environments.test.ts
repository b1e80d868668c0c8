import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Person } from '../../../test/scene.ts'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const { root } = scene
const FLAG = '/features/group_level_protected_environments'

const maintainers = { access_level: 40, access_level_description: 'Maintainers', user_id: null, group_id: null }

test('as long as the flag is off, which it is by default, groups have no protected environments (decision 31)', async () => {
  const { group, owner } = await scene.group()
  const url = `${group.url}/protected_environments`
  await root.delete(FLAG)

  for (const [method, path] of [
    ['GET', url],
    ['GET', `${url}/production`],
    ['POST', url],
    ['DELETE', `${url}/production`],
  ] as const) {
    const body = { name: 'production', deploy_access_levels: [{ access_level: 40 }] }
    assert.equal((await owner.request(method, path, method === 'POST' ? { body } : {})).status, 404, method)
  }
  await root.post(FLAG, { value: 'true', group: group.full_path })
  assert.deepEqual(await owner.get(url), { status: 200, body: [] }, 'on for this group')
  await root.post(FLAG, { value: true })
})

test('a group protects a tier, shows it, and takes the protection away with a 200 (document 2 "Group-level protected environments")', async () => {
  const { group, maintainer } = await scene.group({ members: ['maintainer'] })
  const { group: below } = await scene.group({ parent: group, owner: root })
  const url = `${group.url}/protected_environments`
  await root.post(FLAG, { value: true })
  const deploy_access_levels = [{ access_level: 30 }, { access_level: 60 }, { user_id: maintainer.id }, { group_id: below.id }]

  const created = await maintainer.post(url, { name: 'production', deploy_access_levels })

  // Users and groups by their names, with the level of Maintainers (decision 30).
  const body = {
    name: 'production',
    deploy_access_levels: [
      { access_level: 30, access_level_description: 'Developers + Maintainers', user_id: null, group_id: null },
      { access_level: 60, access_level_description: 'Instance admins', user_id: null, group_id: null },
      { access_level: 40, access_level_description: maintainer.name, user_id: maintainer.id, group_id: null },
      { access_level: 40, access_level_description: below.name, user_id: null, group_id: below.id },
    ],
  }
  assert.deepEqual(created, { status: 201, body })
  assert.deepEqual(await maintainer.get(`${url}/production`), { status: 200, body })
  assert.deepEqual((await maintainer.get(url)).body, [body])
  // Decision 29.
  assert.deepEqual(await maintainer.post(url, { name: 'production', deploy_access_levels }), {
    status: 409,
    body: { message: "Protected environment 'production' already exists" },
  })
  assert.equal((await maintainer.delete(`${url}/production`)).status, 200)
  assert.equal((await maintainer.get(`${url}/production`)).status, 404)
})

test('a level names exactly one of user, group and level, and the name is a tier (document 2)', async () => {
  const { group, owner } = await scene.group()
  const url = `${group.url}/protected_environments`
  await root.post(FLAG, { value: true })
  const refused = (message: object | string) => ({ status: 400, body: { message } })

  assert.deepEqual(
    await owner.post(url, { name: 'eu-west', deploy_access_levels: [{ access_level: 40 }] }),
    refused({ name: ['does not have a valid value'] }),
  )
  assert.equal((await owner.get(`${url}/eu-west`)).status, 404)
  assert.deepEqual(await owner.post(url, { name: 'staging' }), refused('400 (Bad request) "deploy_access_levels" not given'))
  assert.equal((await owner.post(url, { name: 'staging', deploy_access_levels: [] })).status, 400)
  for (const level of [{}, { user_id: owner.id, access_level: 40 }])
    assert.deepEqual(
      await owner.post(url, { name: 'staging', deploy_access_levels: [{ access_level: 40 }, level] }),
      refused({ deploy_access_levels: ['must each have exactly one of user_id, group_id, access_level'] }),
    )
})

test('who may be assigned in a group: its Maintainers and above, and groups below it (document 2); else 422 (decision 29)', async () => {
  const { group, owner, developer } = await scene.group({ members: ['developer'] })
  const { group: other } = await scene.group()
  const stranger = await scene.user()
  const url = `${group.url}/protected_environments`
  await root.post(FLAG, { value: true })
  const refused: [object, string][] = [
    [{ user_id: developer.id }, 'Deploy access levels user may not be assigned'],
    [{ user_id: stranger.id }, 'Deploy access levels user may not be assigned'],
    [{ group_id: other.id }, 'Deploy access levels group may not be assigned'],
    [{ group_id: group.id }, 'Deploy access levels group may not be assigned'],
    [{ access_level: 50 }, 'Deploy access levels access level is not included in the list'],
    [{ access_level: 0 }, 'Deploy access levels access level is not included in the list'],
  ]
  for (const [level, message] of refused)
    assert.deepEqual(await owner.post(url, { name: 'testing', deploy_access_levels: [level] }), {
      status: 422,
      body: { message: [message] },
    })
  assert.equal((await developer.get(url)).status, 403, 'a user who does not maintain the group')
  const { group: inherited } = await scene.group({ parent: group, owner })
  const levels = [{ user_id: owner.id }]
  const ofInherited = `${inherited.url}/protected_environments`
  assert.equal((await owner.post(ofInherited, { name: 'other', deploy_access_levels: levels })).status, 201)
  const change = { deploy_access_levels: [{ user_id: stranger.id }] }
  assert.equal((await owner.put(`${ofInherited}/other`, change)).status, 422)
})

test('a project protects an environment by name, slashes and all, whether it is there or not', async () => {
  const { project, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const { group } = await scene.group()
  await root.post(`${project.url}/share`, { group_id: group.id, group_access: 30 })
  const { group: other } = await scene.group()
  const url = `${project.url}/protected_environments`
  const levels = [{ access_level: 40 }, { user_id: developer.id }, { group_id: group.id }]

  const created = await maintainer.post(url, { name: 'production/eu', deploy_access_levels: levels })

  assert.equal(created.status, 201)
  assert.deepEqual(created.body.deploy_access_levels[0], maintainers)
  assert.deepEqual((await maintainer.get(`${url}/production%2Feu`)).body, created.body)
  assert.equal((await maintainer.post(url, { name: 'production/eu', deploy_access_levels: levels })).status, 409)
  const stranger = await scene.user()
  for (const level of [{ user_id: stranger.id }, { group_id: other.id }, { access_level: 20 }])
    assert.equal((await maintainer.post(url, { name: 'x', deploy_access_levels: [level] })).status, 422)
  const form = new URLSearchParams('name=qa&deploy_access_levels[][access_level]=30&deploy_access_levels[][access_level]=60')
  const formed = await maintainer.post(url, form)
  assert.deepEqual(
    formed.body.deploy_access_levels.map((level: { access_level: number }) => level.access_level),
    [30, 60],
    'as forms spell it',
  )
  assert.equal((await developer.get(url)).status, 403)
  assert.deepEqual(await maintainer.delete(`${url}/production%2Feu`), { status: 204, body: undefined })
  assert.equal((await maintainer.delete(`${url}/production%2Feu`)).status, 404)
})

test('protection decides who deploys, and who changes, stops and deletes the environment', async () => {
  const { project, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const named = await scene.user()
  await root.post(`${project.url}/members`, { user_id: named.id, access_level: 30 })
  const sha = await scene.commit(project, { 'a.txt': 'a' })
  const deploy = (person: Person, environment = 'production') =>
    person.post(`${project.url}/deployments`, { environment, sha, ref: 'main', status: 'running' })
  const { body: before } = await deploy(developer)
  const environment = `${project.url}/environments/${before.environment.id}`
  const levels = [{ access_level: 40 }, { user_id: named.id }]
  await maintainer.post(`${project.url}/protected_environments`, { name: 'production', deploy_access_levels: levels })

  const refused = { status: 403, body: { message: '403 Forbidden - the environment is protected' } }
  assert.deepEqual(await deploy(developer), refused)
  assert.deepEqual(await developer.put(`${project.url}/deployments/${before.id}`, { status: 'success' }), refused)
  assert.deepEqual(await developer.put(environment, { name: 'free' }), refused)
  assert.deepEqual(await developer.post(`${environment}/stop`), refused)
  assert.deepEqual(await developer.delete(environment), refused)
  assert.equal((await deploy(developer, 'staging')).status, 201, 'another one is not protected')
  for (const person of [named, maintainer, root]) assert.equal((await deploy(person)).status, 201)
  assert.equal((await named.put(`${project.url}/deployments/${before.id}`, { status: 'success' })).status, 200)
  assert.equal((await named.post(`${environment}/stop`)).status, 200)
})

test('the protection of a group counts in every project below it, with the roles of the group, beside that of the project', async () => {
  const { group, maintainer } = await scene.group({ members: ['maintainer'] })
  const { group: below } = await scene.group({ parent: group, owner: root })
  const { project, maintainer: local } = await scene.project({ group: below, members: ['maintainer'] })
  const inBelow = await scene.user()
  await root.post(`${below.url}/members`, { user_id: inBelow.id, access_level: 30 })
  const sha = await scene.commit(project, { 'a.txt': 'a' })
  const deploy = async (person: Person, environment = 'production') =>
    (await person.post(`${project.url}/deployments`, { environment, sha, ref: 'main', status: 'success' })).status
  await root.post(FLAG, { value: true })
  const url = `${group.url}/protected_environments`
  await maintainer.post(url, { name: 'production', deploy_access_levels: [{ access_level: 40 }, { group_id: below.id }] })

  assert.equal(await deploy(maintainer), 201)
  assert.equal(await deploy(local), 403, 'a Maintainer of the project is none of the group')
  assert.equal(await deploy(inBelow), 201, 'by the group that is named')
  assert.equal(await deploy(local, 'qa'), 201, 'another tier')
  const own = { name: 'production', deploy_access_levels: [{ user_id: local.id }] }
  assert.equal((await local.post(`${project.url}/protected_environments`, own)).status, 201)
  assert.equal(await deploy(maintainer), 403, 'the project does not let them')
  await root.delete(`${project.url}/protected_environments/production`)
  await root.post(FLAG, { value: false })
  assert.equal(await deploy(local), 201, 'off with the flag')
  await root.post(FLAG, { value: true })
})

test('who may deploy is changed: levels are added and taken away, and one is left', async () => {
  const { project, maintainer, developer, reporter } = await scene.project({ members: ['maintainer', 'developer', 'reporter'] })
  const url = `${project.url}/protected_environments`
  await maintainer.post(url, { name: 'production/eu', deploy_access_levels: [{ access_level: 40 }] })
  const one = `${url}/production%2Feu`

  const { status, body } = await maintainer.put(one, {
    deploy_access_levels: [{ user_id: developer.id }, { access_level: 40, _destroy: true }, { user_id: developer.id }],
  })

  assert.equal(status, 200)
  assert.deepEqual(
    body.deploy_access_levels.map(({ user_id, access_level }: { user_id: number; access_level: number }) => [user_id, access_level]),
    [[developer.id, 40]],
  )
  assert.deepEqual((await maintainer.get(one)).body, body)
  const refused: [object, number][] = [
    [{ user_id: reporter.id }, 422],
    [{ id: 1, _destroy: true }, 422],
    [{ user_id: developer.id, _destroy: true }, 422],
    [{ access_level: 0 }, 400],
    [{ user_id: developer.id, access_level: 40 }, 400],
    [{}, 400],
  ]
  for (const [level, expected] of refused)
    assert.equal((await maintainer.put(one, { deploy_access_levels: [level] })).status, expected, JSON.stringify(level))
  assert.deepEqual((await maintainer.get(one)).body, body)
  assert.equal((await developer.put(one, { deploy_access_levels: [{ access_level: 30 }] })).status, 403)
})
