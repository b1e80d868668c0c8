import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { wrongWith } from './values.ts'

const scene = await openScene()
const { root } = scene
const INSTANCE = '/admin/ci/variables'

const refusal = (message: object | string) => ({ status: 400, body: { message } })

test('a variable of the instance has the fields of document 2 `instance-level variable` and their defaults', async () => {
  const created = await root.post(INSTANCE, { key: 'SHOWN', value: 'some value' })

  const body = { key: 'SHOWN', value: 'some value', variable_type: 'env_var', protected: false, masked: false }
  assert.deepEqual(created, { status: 201, body })
  assert.deepEqual(await root.get(`${INSTANCE}/SHOWN`), { status: 200, body })
  assert.deepEqual(
    (await root.get(INSTANCE)).body.filter((variable: { key: string }) => variable.key === 'SHOWN'),
    [body],
  )
  const changes = { value: 'other-value', variable_type: 'file', protected: true, masked: true }
  assert.deepEqual(await root.put(`${INSTANCE}/SHOWN`, changes), { status: 200, body: { key: 'SHOWN', ...changes } })
  assert.deepEqual(await root.delete(`${INSTANCE}/SHOWN`), { status: 204, body: undefined })
  for (const method of ['GET', 'DELETE'])
    assert.deepEqual(await root.request(method, `${INSTANCE}/SHOWN`), { status: 404, body: { message: '404 Variable Not Found' } })
})

test('keys and values of the instance are as document 2 says, and each key is there once (decision 29)', async () => {
  const value = 'value'
  assert.deepEqual(await root.post(INSTANCE, {}), refusal('400 (Bad request) "key" not given'))
  assert.deepEqual(await root.post(INSTANCE, { key: 'WITHOUT' }), refusal('400 (Bad request) "value" not given'))
  for (const key of ['', 'a b', 'a-b', 'ä', 'A\n']) assert.equal((await root.post(INSTANCE, { key, value })).status, 400, key)
  assert.deepEqual(
    await root.post(INSTANCE, { key: 'k'.repeat(256), value }),
    refusal({ key: ['is too long (maximum is 255 characters)'] }),
  )
  assert.equal((await root.post(INSTANCE, { key: `k_9_Z${'k'.repeat(250)}`, value: '' })).status, 201)
  const long = 'x'.repeat(10_001)
  assert.deepEqual(
    await root.post(INSTANCE, { key: 'LONG', value: long }),
    refusal({ value: ['is too long (maximum is 10000 characters)'] }),
  )
  assert.equal((await root.post(INSTANCE, { key: 'LONG', value: long.slice(1) })).body.value.length, 10_000)
  assert.deepEqual(await root.post(INSTANCE, { key: 'LONG', value }), refusal({ key: ['has already been taken'] }))
  assert.deepEqual(await root.put(`${INSTANCE}/LONG`, { masked: true }), refusal('400 (Bad request) "value" not given'))
  // Decision 28.
  assert.deepEqual(
    await root.post(INSTANCE, { key: 'TYPE', value, variable_type: 'dir' }),
    refusal({ variable_type: ['does not have a valid value'] }),
  )
})

test('variables of the instance are for administrators alone (decision 31)', async () => {
  const person = await scene.user()
  await root.post(INSTANCE, { key: 'THERE', value: 'value' })
  for (const path of [INSTANCE, `${INSTANCE}/THERE`, `${INSTANCE}/NOT_THERE`]) {
    assert.equal((await person.get(path)).status, 403)
    assert.equal((await scene.anonymous.get(path)).status, 401)
  }
})

test('the number of variables of the instance has a limit that administrators change (document 2 "Instance-level variable")', async () => {
  const limits = '/application/plan_limits'
  const { length } = (await root.get(INSTANCE)).body
  assert.equal((await root.get(limits)).body.ci_instance_level_variables, 25)
  const set = (ci_instance_level_variables: number) => root.put(limits, { plan_name: 'default', ci_instance_level_variables })

  assert.equal((await set(length + 1)).body.ci_instance_level_variables, length + 1)
  const both = await Promise.all(['ONE', 'TWO'].map(key => root.post(INSTANCE, { key: `LIMIT_${key}`, value: 'value' })))
  await set(0)
  const beyond = await root.post(INSTANCE, { key: 'BEYOND', value: 'value' })
  await set(25)

  assert.deepEqual(both.map(answer => answer.status).sort(), [201, 400])
  assert.deepEqual(
    both.find(answer => answer.status === 400),
    refusal({ base: [`Maximum number of ci instance variables (${length + 1}) exceeded`] }),
  )
  assert.equal(beyond.status, 201)
})

const maskable: readonly [value: string, masked: boolean, rawMasked: boolean][] = [
  ['abcdefgh', true, true],
  ['aA0_+=/@:.~-', true, true],
  ['abcdefg', false, false],
  ['', false, false],
  ['abcd efgh', false, false],
  ['abcdefgh\n', false, false],
  ['$abcdefgh', false, true],
  ['ääääääää', false, true],
]

test('a masked value has eight characters or more, on one line, that logs show as they are', () => {
  for (const [value, plain, raw] of maskable) {
    assert.equal(wrongWith({ value, masked: true, raw: false }) === undefined, plain, value)
    assert.equal(wrongWith({ value, masked: true, raw: true }) === undefined, raw, `${value} raw`)
    assert.equal(wrongWith({ value, masked: false, raw: false }), undefined)
  }
})

test('variables of projects and groups are created, changed and deleted', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group })
  for (const { url } of [group, project]) {
    const created = await owner.post(`${url}/variables`, { key: 'TOKEN', value: 'secret', protected: true })
    const body = {
      key: 'TOKEN',
      value: 'secret',
      variable_type: 'env_var',
      protected: true,
      masked: false,
      hidden: false,
      raw: false,
      environment_scope: '*',
    }
    assert.deepEqual(created, { status: 201, body })
    assert.deepEqual((await owner.get(`${url}/variables`)).body, [body])
    assert.deepEqual(
      await owner.post(`${url}/variables`, { key: 'TOKEN', value: 'again' }),
      refusal({ key: ['(TOKEN) has already been taken'] }),
    )
    assert.deepEqual(await owner.put(`${url}/variables/TOKEN`, { masked: true }), refusal({ value: ['is invalid'] }))
    const changed = await owner.put(`${url}/variables/TOKEN`, { value: 'long-secret', masked: true, variable_type: 'file' })
    assert.deepEqual(changed, { status: 200, body: { ...body, value: 'long-secret', masked: true, variable_type: 'file' } })
    assert.deepEqual(await owner.put(`${url}/variables/TOKEN`, { value: 'short' }), refusal({ value: ['is invalid'] }))
    assert.equal((await owner.delete(`${url}/variables/TOKEN`)).status, 204)
    assert.equal((await owner.get(`${url}/variables/TOKEN`)).status, 404)
  }
})

test('one key may have several variables, and then `filter[environment_scope]` says which is meant', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/variables`
  for (const environment_scope of ['*', 'review/*'])
    await owner.post(url, { key: 'URL', value: `for ${environment_scope}`, environment_scope })
  const many = {
    status: 409,
    body: { message: "There are multiple variables with provided parameters. Please use 'filter[environment_scope]'" },
  }

  const { group, owner: ofGroup } = await scene.group()
  for (const environment_scope of ['*', 'review/*'])
    await ofGroup.post(`${group.url}/variables`, { key: 'URL', value: 'https://example.com', environment_scope })

  for (const method of ['GET', 'PUT', 'DELETE']) {
    assert.deepEqual(await owner.request(method, `${url}/URL`), many)
    assert.deepEqual(await ofGroup.request(method, `${group.url}/variables/URL`), many)
  }
  assert.equal((await owner.get(`${url}/URL`, { filter: { environment_scope: 'review/*' } })).body.value, 'for review/*')
  assert.equal((await owner.get(`${url}/URL?filter[environment_scope]=staging`)).status, 404)
  const moved = await owner.put(`${url}/URL`, { filter: { environment_scope: 'review/*' }, environment_scope: 'qa' })
  assert.equal(moved.body.environment_scope, 'qa')
  assert.deepEqual(
    await owner.put(`${url}/URL`, { filter: { environment_scope: 'qa' }, environment_scope: '*' }),
    refusal({ key: ['(URL) has already been taken'] }),
  )
  assert.equal((await owner.delete(`${url}/URL`, { filter: { environment_scope: 'qa' } })).status, 204)
  assert.equal((await owner.get(`${url}/URL`)).body.environment_scope, '*')
  assert.equal((await owner.post(url, { key: 'URL', value: 'x', environment_scope: 'a?b' })).status, 400)
})

test('variables of a project are for Maintainers, those of a group for Owners, and nobody else learns their keys', async () => {
  const { project, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const { group, maintainer: below } = await scene.group({ members: ['maintainer'] })
  await maintainer.post(`${project.url}/variables`, { key: 'THERE', value: 'value' })

  for (const key of ['THERE', 'NOT_THERE']) assert.equal((await developer.get(`${project.url}/variables/${key}`)).status, 403)
  assert.equal((await below.get(`${group.url}/variables`)).status, 403)
  await root.put(project.url, { builds_access_level: 'disabled' })
  assert.equal((await maintainer.get(`${project.url}/variables`)).status, 404)
})

test('values are encrypted in the database', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/variables`, { key: 'SECRET', value: 'open sesame' })

  const { db } = scene.deps.database
  const stored = await db.selectFrom('ci_variables').selectAll().where('project_id', '=', project.id).executeTakeFirstOrThrow()

  assert.doesNotMatch(JSON.stringify(stored), /sesame/)
})

test('a value that is hidden is shown by no answer, stays masked, and reaches jobs', async () => {
  const { project, owner } = await scene.project()
  const { group, owner: groupOwner } = await scene.group()
  for (const [client, place] of [
    [owner, project],
    [groupOwner, group],
  ] as const) {
    const path = `${place.url}/variables`
    const { status, body } = await client.post(path, { key: 'SEALED', value: 'correct-horse', masked_and_hidden: true })
    assert.deepEqual([status, body.value, body.masked, body.hidden], [201, null, true, true])
    assert.deepEqual((await client.get(`${path}/SEALED`)).body, body)
    assert.deepEqual((await client.get(path)).body, [body])
    const changed = await client.put(`${path}/SEALED`, { value: 'other-horses', protected: true })
    assert.deepEqual([changed.status, changed.body], [200, { ...body, protected: true }])
    assert.deepEqual(await client.put(`${path}/SEALED`, { masked: false }), refusal({ masked: ['cannot be changed for hidden variables'] }))
    assert.equal((await client.post(path, { key: 'SHORT', value: 'abc', masked_and_hidden: true })).status, 400)
    assert.equal((await client.post(path, { key: 'OPEN', value: 'abc' })).body.hidden, false)
  }
})
