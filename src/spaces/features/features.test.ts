import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { featureEnabled, type Gate, opens } from '../../platform/access/feature_flags.ts'

const scene = await openScene()
const isOn = (flag: Parameters<typeof featureEnabled>[1], asked = {}) => featureEnabled(scene.deps.database.db, flag, asked)
const closed = { key: 'boolean', value: false }

test('a flag that is not set has its documented default', async () => {
  assert.equal(await isOn('group_level_protected_environments'), false, 'decision 31')
})

test('an administrator enables, disables and removes a flag', async () => {
  const on = await scene.root.post('/features/ci_job_token_scope', { value: 'true' })

  assert.deepEqual(on, {
    status: 201,
    body: {
      name: 'ci_job_token_scope',
      state: 'on',
      gates: [{ key: 'boolean', value: true }],
      definition: { name: 'ci_job_token_scope', type: 'development', default_enabled: false },
    },
  })
  assert.equal(await isOn('ci_job_token_scope'), true)
  assert.deepEqual(
    (await scene.root.get('/features')).body.find((row: { name: string }) => row.name === 'ci_job_token_scope'),
    on.body,
  )

  const off = await scene.root.post('/features/ci_job_token_scope', { value: false })
  assert.deepEqual([off.body.state, off.body.gates], ['off', [closed]])
  assert.equal(await isOn('ci_job_token_scope'), false)
  assert.deepEqual(await scene.root.delete('/features/ci_job_token_scope'), { status: 204, body: undefined })
  assert.ok(!(await scene.root.get('/features')).body.some((row: { name: string }) => row.name === 'ci_job_token_scope'))
})

test('a flag that the server does not use can be set, and two slashes are one (clients.md 0.5)', async () => {
  const set = await scene.root.post('/features//foo', { value: 30 })
  assert.deepEqual(set.body, {
    name: 'foo',
    state: 'conditional',
    gates: [closed, { key: 'percentage_of_time', value: 30 }],
    definition: null,
  })
})

test('a flag is on for the users, groups and projects that it is enabled for', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const other = await scene.user()

  const set = await scene.root.post('/features/similarity_search', {
    value: true,
    user: owner.username,
    group: group.full_path,
    project: project.full_path,
  })

  assert.deepEqual(
    [set.body.state, set.body.gates],
    ['conditional', [closed, { key: 'actors', value: [`User:${owner.id}`, `Group:${group.id}`, `Project:${project.id}`] }]],
  )
  for (const asked of [{ user: owner }, { group }, { project }, { user: other, project }])
    assert.equal(await isOn('similarity_search', asked), true)
  for (const asked of [{}, { user: other }, { user: project }]) assert.equal(await isOn('similarity_search', asked), false)

  const less = await scene.root.post('/features/similarity_search', { value: false, user: owner.username })
  assert.deepEqual(less.body.gates[1].value, [`Group:${group.id}`, `Project:${project.id}`])
  assert.equal((await scene.root.post('/features/similarity_search', { value: false })).body.state, 'off')
})

test('an unknown user cannot have a flag', async () => {
  const answer = await scene.root.post('/features/similarity_search', { value: true, user: 'nobody', project: 'no/thing' })
  assert.deepEqual(answer, {
    status: 400,
    body: { message: { user: ['nobody does not exist'], project: ['no/thing does not exist'] } },
  })
})

test('a value is required, and is true, false or a percentage', async () => {
  assert.deepEqual((await scene.root.post('/features/x', {})).body, { message: '400 (Bad request) "value" not given' })
  assert.equal((await scene.root.post('/features/x', { value: 'maybe' })).status, 400)
  assert.equal((await scene.root.post('/features/x', { value: 101 })).status, 400)
})

test('of two users who set parts of a flag concurrently neither loses', async () => {
  const people = await Promise.all([scene.user(), scene.user(), scene.user()])
  await Promise.all(people.map(person => scene.root.post('/features/raced', { value: true, user: person.username })))
  const stored = (await scene.root.get('/features', { per_page: 100 })).body.find((row: { name: string }) => row.name === 'raced')
  assert.equal(stored.gates[1].value.length, 3)
})

test('only administrators use feature flags', async () => {
  const person = await scene.user()
  for (const answer of [
    await person.get('/features'),
    await person.post('/features/x', { value: true }),
    await person.delete('/features/x'),
    await person.get('/features/definitions'),
  ])
    assert.equal(answer.status, 403)
})

test('gates open for their actors', () => {
  const of = (gate: Gate) => [gate]
  const table: [Gate, object, number, boolean][] = [
    [{ key: 'boolean', value: true }, {}, 0, true],
    [{ key: 'boolean', value: false }, {}, 0, false],
    [{ key: 'percentage_of_time', value: 30 }, {}, 0.29, true],
    [{ key: 'percentage_of_time', value: 30 }, {}, 0.3, false],
    [{ key: 'percentage_of_actors', value: 100 }, { user: { id: 1 } }, 0, true],
    [{ key: 'percentage_of_actors', value: 100 }, {}, 0, false],
    [{ key: 'actors', value: ['User:1'] }, { user: { id: 1 } }, 0, true],
    [{ key: 'actors', value: ['User:1'] }, { group: { id: 1 } }, 0, false],
    [{ key: 'groups', value: ['perf_team'] }, { user: { id: 1 } }, 0, false],
  ]
  for (const [gate, asked, chance, open] of table) assert.equal(opens(of(gate), 'flag', asked, chance), open, JSON.stringify(gate))
})

test('a percentage of actors keeps its members as it grows', () => {
  const inShare = (share: number) =>
    Array.from({ length: 1000 }, (_, id) => id).filter(id =>
      opens([{ key: 'percentage_of_actors', value: share }], 'flag', { user: { id } }),
    )
  const [some, more] = [inShare(20), inShare(50)]
  assert.ok(some.length > 150 && some.length < 250, String(some.length))
  assert.ok(some.every(id => more.includes(id)))
})
