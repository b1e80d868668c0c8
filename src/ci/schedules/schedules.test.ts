import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { runSchedule, runSchedules } from './run.ts'

const scene = await openScene()
const { db } = scene.deps.database

/** A project with a CI file on `main`, which Developers may push. */
async function world() {
  const made = await scene.project({ members: ['reporter', 'developer', 'maintainer'] })
  await scene.commit(made.project, { '.gitlab-ci.yml': 'build:\n  script: [make]\n' })
  await made.maintainer.delete(`${made.project.url}/protected_branches/main`)
  return { ...made, url: `${made.project.url}/pipeline_schedules` }
}

const nightly = { description: 'Nightly', ref: 'main', cron: '0 1 * * *' }

/** What is queued of a schedule. */
const queued = async (id: number) => {
  const { rows } = await scene.deps.database.pool.query(
    `select payload from graphile_worker._private_jobs where (payload ->> 'schedule_id')::bigint = $1 order by id`,
    [id],
  )
  return rows.map(({ payload }) => payload as Parameters<typeof runSchedule>[1])
}

const pipelinesOf = async (person: Person, project: SceneProject) => (await person.get(`${project.url}/pipelines`)).body

test('a schedule is created, shown, listed, changed and deleted (pipeline schedules API)', async () => {
  scene.setTime('2021-06-01T12:00:00Z')
  const { developer, maintainer, reporter, url } = await world()

  const made = await developer.post(url, { ...nightly, cron_timezone: 'Eastern Time (US & Canada)' })

  assert.equal(made.status, 201)
  const { id, owner, created_at, updated_at, ...rest } = made.body
  assert.deepEqual(rest, {
    ...nightly,
    cron_timezone: 'Eastern Time (US & Canada)',
    next_run_at: '2021-06-02T05:00:00.000Z',
    active: true,
    last_run_at: null,
    last_run_errors: [],
    last_pipeline: null,
    variables: [],
  })
  assert.deepEqual([owner.id, created_at, updated_at], [developer.id, '2021-06-01T12:00:00.000Z', '2021-06-01T12:00:00.000Z'])
  assert.deepEqual((await developer.get(`${url}/${id}`)).body, made.body)
  assert.equal((await reporter.get(url)).status, 403)

  const changed = await developer.put(`${url}/${id}`, { cron: '30 2 * * *', cron_timezone: 'UTC', active: false })
  assert.deepEqual([changed.body.next_run_at, changed.body.active], ['2021-06-02T02:30:00.000Z', false])
  const ids = async (query = {}) => (await maintainer.get(url, query)).body.map((schedule: { id: number }) => schedule.id)
  assert.deepEqual([await ids(), await ids({ scope: 'active' }), await ids({ scope: 'inactive' })], [[id], [], [id]])
  assert.deepEqual(await developer.delete(`${url}/${id}`), { status: 204, body: undefined })
  assert.deepEqual(await developer.get(`${url}/${id}`), { status: 404, body: { message: '404 Pipeline Schedule Not Found' } })
  scene.setTime(undefined)
})

test('a schedule is created with its variables, which are refused like those that are added to it', async () => {
  const { developer, maintainer, project, url } = await world()
  const variables = [
    { key: 'TARGET', value: 'live' },
    { key: 'NOTES', value: 'a\nb', variable_type: 'file' },
  ]

  const { body } = await developer.post(url, { ...nightly, variables })
  const repeated = await developer.post(url, { ...nightly, variables: [...variables, { key: 'TARGET', value: 'test' }] })
  const badKey = await developer.post(url, { ...nightly, variables: [{ key: 'A-B', value: '' }] })
  await maintainer.put(project.url, { restrict_user_defined_variables: true })
  const restricted = await developer.post(url, { ...nightly, variables })

  assert.deepEqual(body.variables, [{ variable_type: 'env_var', key: 'TARGET', value: 'live' }, variables[1]])
  assert.deepEqual([repeated.status, repeated.body], [400, { message: { variables: ['has TARGET twice'] } }])
  assert.deepEqual([badKey.status, restricted.status], [400, 403])
  assert.equal((await developer.get(url)).body.length, 1, 'what is refused makes no schedule')
})

test('a cron line or time zone that is none is refused (pipeline schedules API)', async () => {
  const { developer, url } = await world()
  const wrong = ['is invalid syntax']
  const answer = await developer.post(url, { ...nightly, cron: 'daily', cron_timezone: 'Mars' })
  assert.deepEqual(answer, { status: 400, body: { message: { cron: wrong, cron_timezone: wrong } } })
  assert.deepEqual(await developer.post(url, { description: 'x', ref: 'main' }), {
    status: 400,
    body: { message: '400 (Bad request) "cron" not given' },
  })
})

test('only its owner and Maintainers change a schedule and see its variables; a Maintainer can take it over', async () => {
  const { developer, maintainer, project, url } = await world()
  const other = await scene.user()
  await maintainer.post(`${project.url}/members`, { user_id: other.id, access_level: 30 })
  const { id } = (await developer.post(url, nightly)).body
  const one = `${url}/${id}`

  const variable = await developer.post(`${one}/variables`, { key: 'TARGET', value: 'staging' })
  assert.deepEqual(variable, { status: 201, body: { variable_type: 'env_var', key: 'TARGET', value: 'staging' } })
  assert.deepEqual(await developer.post(`${one}/variables`, { key: 'TARGET', value: 'x' }), {
    status: 400,
    body: { message: { key: ['has already been taken'] } },
  })
  const changed = await developer.put(`${one}/variables/TARGET`, { value: 'live', variable_type: 'file' })
  assert.deepEqual(changed.body, { variable_type: 'file', key: 'TARGET', value: 'live' })
  assert.deepEqual((await maintainer.get(one)).body.variables, [changed.body])
  assert.equal('variables' in (await other.get(one)).body, false)
  assert.equal((await other.put(one, { active: false })).status, 403)
  assert.equal((await other.post(`${one}/take_ownership`)).status, 403)

  const taken = await maintainer.post(`${one}/take_ownership`)

  assert.deepEqual([taken.status, taken.body.owner.id], [201, maintainer.id])
  assert.equal((await developer.put(one, { active: false })).status, 403)
  assert.equal((await maintainer.delete(`${one}/variables/TARGET`)).status, 204)
  assert.equal((await maintainer.delete(`${one}/variables/TARGET`)).status, 404)
})

test('a user who changes a schedule or its variables becomes its owner, and it runs for them', async () => {
  const { developer, maintainer, project, url } = await world()
  const changes: ((one: string) => Promise<{ readonly status: number }>)[] = [
    one => maintainer.put(one, { cron: '0 2 * * *' }),
    one => maintainer.put(one, { ref: 'main' }),
    one => maintainer.post(`${one}/variables`, { key: 'ADDED', value: 'x' }),
    one => maintainer.put(`${one}/variables/TARGET`, { value: 'x' }),
    one => maintainer.delete(`${one}/variables/TARGET`),
  ]
  for (const change of changes) {
    const one = `${url}/${(await developer.post(url, nightly)).body.id}`
    await developer.post(`${one}/variables`, { key: 'TARGET', value: 'live' })

    const { status } = await change(one)

    assert.ok(status < 300, String(status))
    assert.equal((await maintainer.get(one)).body.owner.id, maintainer.id, change.toString())
    assert.equal((await developer.put(one, { active: false })).status, 403)
  }
  const { id } = (await developer.post(url, nightly)).body
  await maintainer.put(`${url}/${id}`, { description: 'Changed' })
  await runSchedule(scene.deps, { schedule_id: id, for: { due_at: '2021-06-01T01:00:00Z' } })
  const { last_pipeline } = (await maintainer.get(`${url}/${id}`)).body
  assert.equal((await maintainer.get(`${project.url}/pipelines/${last_pipeline.id}`)).body.user.id, maintainer.id)
})

test('the former owner of a schedule changes nothing after a Maintainer who changes it at the same moment', async () => {
  const { developer, maintainer, url } = await world()
  for (let round = 0; round < 5; round++) {
    const one = `${url}/${(await developer.post(url, nightly)).body.id}`
    const [theirs, other] = await Promise.all([
      developer.post(`${one}/variables`, { key: 'WHOSE', value: 'developer' }),
      maintainer.put(one, { description: 'Changed' }),
    ])
    const { owner } = (await maintainer.get(one)).body
    assert.equal(other.status, 200)
    assert.ok([201, 403, 409].includes(theirs.status), String(theirs.status))
    assert.equal(owner.id, maintainer.id)
  }
})

test('a change of a schedule that gets another owner meanwhile is refused', async () => {
  const { developer, maintainer, url } = await world()
  const { id } = (await developer.post(url, nightly)).body
  const one = `${url}/${id}`
  await developer.post(`${one}/variables`, { key: 'TARGET', value: 'a' })
  const writes = [
    () => maintainer.put(one, { description: 'Weekly' }),
    () => maintainer.post(`${one}/variables`, { key: 'OTHER', value: 'b' }),
    () => maintainer.put(`${one}/variables/TARGET`, { value: 'b' }),
    () => maintainer.delete(`${one}/variables/TARGET`),
  ]
  for (const write of writes) {
    await db.updateTable('pipeline_schedules').set({ owner_id: developer.id }).where('id', '=', id).execute()
    const { promise, resolve } = Promise.withResolvers<void>()
    // Another change holds the row until the write waits for it.
    const holding = db.transaction().execute(async held => {
      await held.updateTable('pipeline_schedules').set({ owner_id: null }).where('id', '=', id).execute()
      resolve()
      await eventually(async () => {
        const { rowCount } = await scene.deps.database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%pipeline_schedules%'`,
        )
        return rowCount !== 0
      }, 'the write to wait')
    })
    await promise
    const [{ status }] = await Promise.all([write(), holding])
    assert.equal(status, 409)
  }
  assert.equal((await maintainer.get(one)).body.description, 'Nightly')
})

test('a schedule that is due is queued once, by however many processes, and runs for its owner with its variables', async () => {
  const { maintainer, project, url } = await world()
  scene.setTime('2021-06-01T00:59:00Z')
  const { id } = (await maintainer.post(url, nightly)).body
  await maintainer.post(`${url}/${id}/variables`, { key: 'TARGET', value: 'live' })
  await runSchedules(scene.deps)
  assert.deepEqual(await queued(id), [], 'not due yet')

  scene.setTime('2021-06-01T01:00:00Z')
  await Promise.all([runSchedules(scene.deps), runSchedules(scene.deps), runSchedules(scene.deps)])

  const [run, ...others] = await queued(id)
  assert.deepEqual([run?.for, others], [{ due_at: '2021-06-01T01:00:00.000Z' }, []])
  scene.setTime(undefined)
  await runSchedule(scene.deps, run as NonNullable<typeof run>)
  await runSchedule(scene.deps, run as NonNullable<typeof run>)
  const made = await pipelinesOf(maintainer, project)
  const shown = (await maintainer.get(`${url}/${id}`)).body
  const scheduled = made.filter((pipeline: { source: string }) => pipeline.source === 'schedule')
  assert.deepEqual([scheduled.length, shown.last_pipeline?.id, shown.next_run_at], [1, scheduled[0]?.id, '2021-06-02T01:00:00.000Z'])
  assert.equal((await maintainer.get(`${project.url}/pipelines/${shown.last_pipeline.id}`)).body.user.id, maintainer.id)
})

test('a line of every minute runs every ten minutes', async () => {
  const { developer, url } = await world()
  scene.setTime('2021-06-01T00:00:30Z')
  const { id } = (await developer.post(url, { ...nightly, cron: '* * * * *' })).body
  scene.setTime('2021-06-01T00:01:00Z')
  await runSchedules(scene.deps)
  assert.equal((await developer.get(`${url}/${id}`)).body.next_run_at, '2021-06-01T00:11:00.000Z')
  scene.setTime(undefined)
})

test('a run that begins a moment late does not skip the next one', async () => {
  const { developer, url } = await world()
  scene.setTime('2021-06-01T00:00:00Z')
  const { id } = (await developer.post(url, { ...nightly, cron: '*/10 * * * *' })).body
  scene.setTime('2021-06-01T00:10:00.131Z')
  await runSchedules(scene.deps)
  assert.equal((await developer.get(`${url}/${id}`)).body.next_run_at, '2021-06-01T00:20:00.000Z')
  scene.setTime(undefined)
})

test('a schedule whose owner may not run pipelines any more, or is gone, is not active from then on', async () => {
  const { developer, maintainer, project, url } = await world()
  const due = { due_at: '2021-06-01T01:00:00Z' }
  const lost = (await developer.post(url, nightly)).body.id
  const orphaned = (await maintainer.post(url, nightly)).body.id
  await scene.root.delete(`${project.url}/members/${developer.id}`)
  await db.updateTable('pipeline_schedules').set({ owner_id: null }).where('id', '=', orphaned).execute()

  for (const schedule_id of [lost, orphaned]) {
    await runSchedule(scene.deps, { schedule_id, for: due })
    const { active, last_run_at, last_run_errors } = (await maintainer.get(`${url}/${schedule_id}`)).body
    assert.deepEqual([active, typeof last_run_at, last_run_errors.length], [false, 'string', 1])
    assert.match(last_run_errors[0], schedule_id === lost ? /^Its owner may not see the project/ : /^The account of its owner is deleted/)
  }
})

test('a schedule whose owner is blocked, or may not push to its protected branch any more, makes no pipeline', async () => {
  const { developer, maintainer, project, url } = await world()
  const other = await scene.user()
  await maintainer.post(`${project.url}/members`, { user_id: other.id, access_level: 30 })
  const ofBlocked = (await other.post(url, nightly)).body.id
  const ofDeveloper = (await developer.post(url, nightly)).body.id
  await scene.root.post(`/users/${other.id}/block`)
  await maintainer.post(`${project.url}/protected_branches`, { name: 'main', push_access_level: 40, merge_access_level: 40 })

  for (const schedule_id of [ofBlocked, ofDeveloper]) {
    await runSchedule(scene.deps, { schedule_id, for: { due_at: '2021-06-01T01:00:00Z' } })
    const { active, last_pipeline } = (await maintainer.get(`${url}/${schedule_id}`)).body
    assert.deepEqual([active, last_pipeline], [false, null])
  }
})

test('a schedule of a branch that is gone stays active, makes nothing and says why, until a run makes a pipeline', async () => {
  const { developer, maintainer, project, url } = await world()
  const { id, last_run_at: before, updated_at } = (await developer.post(url, { ...nightly, ref: 'gone' })).body
  const run = () => runSchedule(scene.deps, { schedule_id: id, for: { due_at: '2021-06-01T01:00:00Z' } })
  await run()
  const failed = (await developer.get(`${url}/${id}`)).body
  assert.deepEqual([before, failed.active, failed.last_pipeline], [null, true, null])
  assert.deepEqual([failed.last_run_errors, failed.updated_at], [['There is no branch or tag gone'], updated_at])

  await maintainer.post(`${project.url}/repository/branches`, { branch: 'gone', ref: 'main' })
  await run()
  const { last_pipeline, last_run_at, last_run_errors } = (await developer.get(`${url}/${id}`)).body
  assert.deepEqual([last_pipeline.ref, last_run_errors], ['gone', []])
  assert.ok(last_run_at > failed.last_run_at)
})

test('a user who plays a schedule gets its pipeline, and the next due time is unchanged', async () => {
  const { developer, maintainer, project, url } = await world()
  const made = (await developer.post(url, nightly)).body
  const before = (await pipelinesOf(maintainer, project)).length

  const answer = await maintainer.post(`${url}/${made.id}/play`)

  assert.deepEqual(answer, { status: 201, body: { message: '201 Created' } })
  const [run] = await queued(made.id)
  await runSchedule(scene.deps, run as NonNullable<typeof run>)
  await runSchedule(scene.deps, run as NonNullable<typeof run>)
  assert.equal((await pipelinesOf(maintainer, project)).length, before + 1, 'a task that runs twice makes one pipeline')
  const shown = (await developer.get(`${url}/${made.id}`)).body
  assert.equal(shown.next_run_at, made.next_run_at)
  assert.equal(shown.last_pipeline.source, 'schedule')
})

test('a schedule of a branch or tag on which the caller may run nothing is not played: 403, and nothing is queued', async () => {
  const { developer, maintainer, project, url } = await world()
  await maintainer.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
  await maintainer.post(`${project.url}/protected_tags`, { name: 'v*', create_access_level: 40 })
  await maintainer.post(`${project.url}/protected_branches`, { name: 'main', push_access_level: 40, merge_access_level: 40 })

  for (const ref of ['main', 'v1', 'refs/heads/main']) {
    const { id } = (await maintainer.post(url, { ...nightly, ref })).body
    const name = ref.replace('refs/heads/', '')
    const { status, body } = await developer.post(`${url}/${id}/play`)
    assert.equal(status, 403, ref)
    assert.match(body.message, new RegExp(`^403 Forbidden - You do not have sufficient permission to run a pipeline on '${name}'`))
    assert.deepEqual(await queued(id), [])
    assert.equal((await maintainer.post(`${url}/${id}/play`)).status, 201)
  }
})
