import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { openScene } from '../../../../test/scene.ts'
import { info, jobIn, pipelineIn, registered, runOf, type SceneRunner } from '../scene.ts'

const scene = await openScene()
const waiting = await openScene({ settings: { runnerWait: '20' } })
const failing = await openScene({ failuresExpected: true })

const { db } = scene.deps.database
const jobRow = (id: number) => db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const idOf = async (runner: SceneRunner): Promise<number | undefined> => (await runner.ask()).body?.id

test('two runners that ask at the same instant never get the same job', async () => {
  const { project } = await scene.project()
  const runners = await Promise.all(Array.from({ length: 8 }, () => registered(scene, { project })))
  const { id } = await jobIn(scene, project)

  const got = await Promise.all(runners.map(idOf))

  assert.deepEqual(
    got.filter(found => found !== undefined),
    [id],
  )
})

test('sixteen runners take two hundred jobs, each once', async () => {
  const { group } = await scene.group()
  const projects = await Promise.all([1, 2, 3].map(async () => (await scene.project({ group })).project))
  const runners = await Promise.all(Array.from({ length: 16 }, () => registered(scene, { group })))
  const wanted: number[] = []
  for (const project of projects) {
    const pipelineId = await pipelineIn(scene, project)
    const jobs = await Promise.all(Array.from({ length: 67 }, (_, index) => jobIn(scene, project, { pipelineId, name: `job ${index}` })))
    wanted.push(...jobs.map(({ id }) => id))
  }

  const taken = await Promise.all(
    runners.map(async runner => {
      const ids: number[] = []
      for (let id = await idOf(runner); id !== undefined; id = await idOf(runner)) ids.push(id)
      return ids
    }),
  )

  assert.deepEqual(
    taken.flat().sort((a, b) => a - b),
    wanted.sort((a, b) => a - b),
  )
})

test('a runner gets jobs whose tags it all has, and those without tags if it runs them (c.6)', async () => {
  const { project } = await scene.project()
  const untagged = await jobIn(scene, project)
  const tagged = await jobIn(scene, project, { tags: ['ruby', 'linux'] })
  const ruby = await registered(scene, { project }, { tag_list: 'ruby', run_untagged: false })
  const both = await registered(scene, { project }, { tag_list: 'linux,ruby,large', run_untagged: false })
  const plain = await registered(scene, { project })

  const got = [await idOf(ruby), await idOf(both), await idOf(plain), await idOf(plain)]

  assert.deepEqual(got, [undefined, tagged.id, untagged.id, undefined])
})

test('a runner for protected branches gets their jobs alone; a paused one gets none (c.6)', async () => {
  const { project } = await scene.project()
  const open = await jobIn(scene, project)
  const closed = await jobIn(scene, project, { protected: true })
  const guard = await registered(scene, { project }, { access_level: 'ref_protected' })
  const paused = await registered(scene, { project }, { active: false })
  const any = await registered(scene, { project })

  const got = [await idOf(paused), await idOf(guard), await idOf(guard), await idOf(any)]

  assert.deepEqual(got, [undefined, closed.id, undefined, open.id])
})

test('runners of the instance serve projects that share them, those of a group what is below it, those of a project that project (c.6)', async () => {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ parent: group, owner })
  const { project: inner } = await scene.project({ group: below })
  const { project: other } = await scene.project()
  await scene.root.put(other.url, { shared_runners_enabled: false })
  const job = await jobIn(scene, inner)
  const foreign = await jobIn(scene, other)
  const ofOther = await registered(scene, { project: other })
  const ofGroup = await registered(scene, { group })
  const shared = await registered(scene)

  assert.deepEqual([await idOf(ofOther), await idOf(ofOther)], [foreign.id, undefined])
  assert.deepEqual([await idOf(ofGroup), await idOf(ofGroup)], [job.id, undefined])
  const refused = await jobIn(scene, other)
  const given = await jobIn(scene, inner)
  assert.deepEqual([await idOf(shared), await idOf(shared)], [given.id, undefined])
  assert.equal((await jobRow(refused.id)).status, 'pending')
})

test('jobs of a group that switched shared runners off for good go to its own runners alone (groups API, shared_runners_setting)', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const [shared, own] = [await registered(scene), await registered(scene, { group })]
  const job = await jobIn(scene, project)
  await owner.put(group.url, { shared_runners_setting: 'disabled_and_unoverridable' })

  assert.deepEqual([await idOf(shared), await idOf(own)], [undefined, job.id])
})

test('nothing of a project runs that is archived or whose builds are off', async () => {
  const { project: archived } = await scene.project()
  const { project: off } = await scene.project()
  await jobIn(scene, archived)
  await jobIn(scene, off)
  await scene.root.post(`${archived.url}/archive`)
  await scene.root.put(off.url, { builds_access_level: 'disabled' })

  for (const project of [archived, off]) assert.equal(await idOf(await registered(scene, { project })), undefined)
})

test('runners of the instance go first to the project with the fewest of its jobs on them, then to the oldest job', async () => {
  const shared = await registered(scene, {}, { tag_list: 'fair', run_untagged: false })
  const { project: busy } = await scene.project()
  const { project: quiet } = await scene.project()
  const jobs: number[] = []
  for (let count = 0; count < 3; count++) jobs.push((await jobIn(scene, busy, { tags: ['fair'] })).id)
  for (let count = 0; count < 2; count++) jobs.push((await jobIn(scene, quiet, { tags: ['fair'] })).id)
  const [first, second, third, fourth, fifth] = jobs

  const got: unknown[] = []
  for (let count = 0; count < 5; count++) got.push(await idOf(shared))

  assert.deepEqual(got, [first, fourth, second, fifth, third])
})

test('a job that its runner is too old for fails, and the next one is handed out (c.1 `features`; `runner_unsupported`)', async () => {
  const { project } = await scene.project()
  const runner = await registered(scene, { project })
  const releasing = await jobIn(scene, project, { name: 'release', options: { script: ['true'], release: { tag_name: 'v1' } } })
  const plain = await jobIn(scene, project, { name: 'plain' })
  const old = { ...info, features: { ...info.features, multi_build_steps: false } }

  const { body } = await runner.ask({ info: old })

  assert.equal(body.id, plain.id)
  const { status, failure_reason } = await jobRow(releasing.id)
  assert.deepEqual([status, failure_reason], ['failed', 'runner_unsupported'])
})

test('a runner that waits gets the job as soon as there is one; another one that may not run it goes on waiting (c.2)', async () => {
  const { project } = await waiting.project()
  const unfit = await registered(waiting, { project }, { tag_list: 'other', run_untagged: false })
  const runner = await registered(waiting, { project })
  const settled: string[] = []
  const stop = new AbortController()
  const unfitAnswer = fetch(`${waiting.url}/api/v4/jobs/request`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: unfit.token }),
    signal: stop.signal,
  }).then(
    () => settled.push('unfit'),
    () => settled.push('left'),
  )
  const answer = runner.ask()
  await listening(waiting)

  const { id } = await jobIn(waiting, project)
  const { status, body } = await answer

  assert.deepEqual([status, body.id, settled], [201, id, []])
  stop.abort()
  await unfitAnswer
  assert.deepEqual(settled, ['left'])
})

test('of many that wait one is given the job, and a second job to another', async () => {
  const { project } = await waiting.project()
  const runners = await Promise.all(Array.from({ length: 10 }, () => registered(waiting, { project })))
  const answers = runners.map(runner => runner.ask())
  await listening(waiting)

  const first = await jobIn(waiting, project)
  const one = await Promise.race(answers)
  const second = await jobIn(waiting, project)
  const rest = await Promise.race(
    answers.map(async (answer, index) =>
      (await answer).body.id === first.id ? new Promise<never>(() => {}) : { index, answer: await answer },
    ),
  )

  assert.deepEqual([one.body.id, rest.answer.body.id], [first.id, second.id])
  // The others are sent home when the server stops.
  await waiting.app.close()
  const others = (await Promise.all(answers)).filter(({ status }) => status === 204)
  assert.equal(others.length, 8)
})

/** Waits until runners wait: they have looked by then. */
async function listening({ deps }: typeof waiting): Promise<void> {
  const { pool } = deps.database
  await eventually(async () => {
    const { rows } = await pool.query(
      `select from pg_stat_activity where query = 'listen ingot_runner_queue' and datname = current_database()`,
    )
    return rows.length > 0
  }, 'a subscription to the queue')
}

test('a runner that got no job is answered again without a query until something has changed (c.2 `last_update`)', async () => {
  const { project } = await scene.project()
  const runner = await registered(scene, { project })
  const { headers } = await runner.ask()
  const last_update = headers['x-gitlab-last-update']
  assert.ok(last_update)
  await runner.ask({ last_update })

  const { id } = await jobIn(scene, project)
  const found = async (): Promise<number> => (await runner.ask({ last_update })).body?.id ?? delay(20).then(found)

  assert.equal(await found(), id)
})

test('a runner takes what it had not been allowed to run before, once that has changed', async () => {
  const { project, owner } = await scene.project()
  const runner = await registered(scene, { project }, { run_untagged: false, tag_list: 'a' })
  const { id } = await jobIn(scene, project)
  const before = await idOf(runner)

  await owner.put(`/runners/${runner.id}`, { run_untagged: true })

  assert.deepEqual([before, await idOf(runner)], [undefined, id])
})

test('the end of a job waits for a log that its runner has and the server has not: 202; another log is sent again: 412 (c.4)', async () => {
  const { project } = await scene.project()
  const runner = await registered(scene, { project })
  const start = async () => {
    const { id } = await jobIn(scene, project)
    return { ...runOf(scene.anonymous, (await runner.ask()).body), row: () => jobRow(id) }
  }
  const old = await start()
  await old.trace('Hello', 0)
  const incomplete = await old.finish('success', 'Hello, world', { info: { features: {} } })
  await old.trace(', world', 5)
  const whole = await old.finish('success', 'Hello, world', { info: { features: {} } })
  assert.deepEqual(
    [incomplete.status, incomplete.headers['job-status'], whole.status, (await old.row()).status],
    [202, 'running', 200, 'success'],
  )

  const fresh = await start()
  await fresh.trace('Hellu', 0)
  const differs = await fresh.finish('failed', 'Hello', { failure_reason: 'script_failure', exit_code: 3 })
  const emptied = await fresh.row()
  const again = await fresh.trace('Hello', 0)
  const done = await fresh.finish('failed', 'Hello', { failure_reason: 'script_failure', exit_code: 3 })
  assert.deepEqual([differs.status, emptied.status, emptied.trace_size, again.status, done.status], [412, 'running', 0, 202, 200])
  const { status, failure_reason, exit_code } = await fresh.row()
  assert.deepEqual([status, failure_reason, exit_code], ['failed', 'script_failure', 3])

  const silent = await start()
  await silent.trace('Hellu', 0)
  const answers = [
    await silent.finish('success', 'Hello', { info: undefined }),
    await silent.finish('success', 'Hello', { info: { name: 'x' } }),
  ]
  assert.deepEqual(
    answers.map(answer => answer.status),
    [412, 412],
    'a runner that lists no features is asked for its log',
  )
})

test('an end without a checksum counts; an unknown reason is `unknown_failure`; an unknown state is a 400 (c.4)', async () => {
  const { project } = await scene.project()
  const runner = await registered(scene, { project })
  const { id } = await jobIn(scene, project)
  const run = runOf(scene.anonymous, (await runner.ask()).body)

  const odd = await run.update({ state: 'pending' })
  const done = await run.update({ state: 'failed', failure_reason: 'the dog ate it' })

  assert.deepEqual([odd.status, done.status, done.headers['job-status']], [400, 200, 'failed'])
  assert.equal((await jobRow(id)).failure_reason, 'unknown_failure')
})

test('a job that cannot be handed out fails, and does not stand in the way of those behind it', async () => {
  const { project } = await failing.project()
  const runner = await registered(failing, { project })
  const pipelineId = await pipelineIn(failing, project)
  const broken = await jobIn(failing, project, { pipelineId })
  await failing.deps.database.db
    .insertInto('run_variables')
    .values({ job_id: broken.id, key: 'KEY', value: 'not encrypted by this key' })
    .execute()
  const next = await jobIn(failing, project)

  const got = await idOf(runner)

  const { status, failure_reason } = await failing.deps.database.db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', broken.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual([got, status, failure_reason], [next.id, 'failed', 'data_integrity_failure'])
})
