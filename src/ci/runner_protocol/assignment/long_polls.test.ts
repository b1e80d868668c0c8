/** What wakes runners that wait, and what it costs when nothing does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openScene, type Scene } from '../../../../test/scene.ts'
import { recordStatements } from '../../../platform/db/statements/statements.ts'
import { info, jobIn, pipelineIn, registered, type SceneRunner } from '../scene.ts'
import { longPollsOf } from './long_polls.ts'

const scene = await openScene({ settings: { runnerWait: '20' } })
/** A configuration with short long polls. */
const brief = await openScene({ settings: { runnerWait: '1' } })

/** Waits for the subscription: all runners have queried by then, and no change is missed from here on. */
async function listening({ deps }: Scene): Promise<void> {
  while (!longPollsOf(deps).isHeard) await delay(10)
}

/** Requests a job as a runner does that got none before. */
async function askAgain(runner: SceneRunner) {
  const { headers } = await runner.ask()
  const last_update = headers['x-gitlab-last-update'] ?? assert.fail('the answer has no state of the queue')
  return () => brief.app.inject({ method: 'POST', url: '/api/v4/jobs/request', payload: { token: runner.token, info, last_update } })
}

test('a runner that asks again for what is not there costs no statement; when it asked is written down later', async () => {
  const { project } = await brief.project()
  const runner = await registered(brief, { project })
  await runner.ask()
  const again = await askAgain(runner)
  const contactedAt = async () =>
    (await brief.deps.database.db.selectFrom('runners').select('contacted_at').where('id', '=', runner.id).executeTakeFirstOrThrow())
      .contacted_at
  const before = await contactedAt()

  const { result, statements } = await recordStatements(async () => again())

  assert.equal(result.statusCode, 204)
  assert.deepEqual(statements, [])
  assert.equal(await contactedAt(), before)
  await longPollsOf(brief.deps).known.write()
  assert.notEqual(await contactedAt(), before)
})

test('a runner that got no job is refused once it is removed, also while it waits (c.1)', async () => {
  const { project, owner } = await brief.project()
  const early = await registered(brief, { project })
  const late = await registered(brief, { project })
  await early.ask()
  const [earlyAgain, lateAgain] = await Promise.all([askAgain(early), askAgain(late)])

  await owner.delete(`/runners/${early.id}`)
  const waits = lateAgain()
  await owner.delete(`/runners/${late.id}`)

  assert.deepEqual([(await earlyAgain()).statusCode, (await waits).statusCode], [403, 403])
})

test('a runner that waits is refused once it has another token (c.1)', async () => {
  const { project } = await scene.project()
  const runner = await registered(scene, { project })
  const answer = runner.ask()
  await listening(scene)

  await scene.anonymous.post('/runners/reset_authentication_token', { token: runner.token })

  assert.equal((await answer).status, 403)
})

test('a runner that waits takes what it could not run before: once it is changed, or its project shares the runners of the instance, or moves to its group (c.6)', async () => {
  const { project, owner } = await scene.project()
  const { group, owner: mover } = await scene.group()
  const { project: moved } = await scene.project({ owner: mover })
  await owner.put(project.url, { shared_runners_enabled: false })
  const jobs = {
    changed: (await jobIn(scene, project, { tags: ['changed'] })).id,
    shared: (await jobIn(scene, project, { tags: ['shared'] })).id,
    moved: (await jobIn(scene, moved, { tags: ['moved'] })).id,
  }
  const tagged = (tag_list: string) => ({ tag_list, run_untagged: false })
  const changing = await registered(scene, { project }, tagged('other'))
  const ofInstance = await registered(scene, {}, tagged('shared'))
  const ofGroup = await registered(scene, { group }, tagged('moved'))
  const answers = [changing, ofInstance, ofGroup].map(runner => runner.ask())
  await listening(scene)

  await owner.put(`/runners/${changing.id}`, { tag_list: 'changed' })
  await owner.put(project.url, { shared_runners_enabled: true })
  await mover.put(`${moved.url}/transfer`, { namespace: group.id })

  assert.deepEqual(
    (await Promise.all(answers)).map(({ body }) => body.id),
    [jobs.changed, jobs.shared, jobs.moved],
  )
})

test('jobs that arrive together go to as many waiting runners, each in one attempt; runners that may not run them keep waiting', async () => {
  const { project } = await scene.project()
  const { project: other } = await scene.project()
  const runners = await Promise.all(Array.from({ length: 20 }, () => registered(scene, { project })))
  const unfit = await registered(scene, { project: other })
  const ask = ({ token }: SceneRunner) => scene.app.inject({ method: 'POST', url: '/api/v4/jobs/request', payload: { token, info } })

  const { result, statements } = await recordStatements(async () => {
    const foreign = ask(unfit)
    const answers = runners.map(ask)
    while (longPollsOf(scene.deps).size < 21) await delay(10)
    const pipeline_id = await pipelineIn(scene, project)
    const values = {
      project_id: project.id,
      pipeline_id,
      stage: 'test',
      stage_position: 0,
      status: 'pending',
      user_id: scene.root.id,
      options: '{"script": ["x"]}',
    } as const
    const jobs = await scene.deps.database.db
      .insertInto('jobs')
      .values(runners.map((_, n) => ({ ...values, name: `job ${n}` })))
      .returning('id')
      .execute()
    const given = (await Promise.all(answers)).map(answer => answer.json().id)
    const { id } = await jobIn(scene, other)
    assert.equal((await foreign).json().id, id)
    return { jobs: jobs.map(job => job.id), given }
  })

  assert.deepEqual(
    result.given.sort((a, b) => a - b),
    result.jobs.sort((a, b) => a - b),
  )
  const holds = statements.flatMap((statement, at) => (/from "jobs".*skip locked/.test(statement) ? [at] : []))
  assert.ok(holds.length <= 21, `jobs were reached for ${holds.length} times`)
  // From the first job on nobody looks into the queue.
  assert.ok(!statements.slice(holds[0]).some(statement => statement.includes('recursive waiting')))
})
