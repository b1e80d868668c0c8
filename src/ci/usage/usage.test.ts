/** What CI did on a day, as the worker counts it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../test/scene.ts'
import { endJob, pendingJob, runningJob } from '../jobs/scene.ts'
import { countDay, countRecentDays, forgetOldDays } from './counting.ts'
import { busiestProjects, usageByName, usageDays } from './queries.ts'

const scene = await openScene()
const { db } = scene.deps.database
const day = '2021-04-06'
const range = { from: '2021-04-01', to: '2021-04-30' }

/** A job of that day which ran for so many seconds, after it had waited for ten. */
async function ran(
  project: SceneProject,
  owner: { readonly id: number },
  name: string,
  seconds: number,
  how: 'succeed' | 'drop' = 'succeed',
  { pipelineId, on = day }: { readonly pipelineId?: number; readonly on?: string } = {},
) {
  const job = await runningJob(scene, project, owner, { name, ...(pipelineId === undefined ? {} : { pipelineId }) })
  await endJob(scene, job, how)
  const at = (second: number) => new Date(Date.parse(`${on}T12:00:00Z`) + second * 1_000)
  await db
    .updateTable('jobs')
    .set({ created_at: at(0), queued_at: at(0), started_at: at(10), finished_at: at(10 + seconds), retried: false })
    .where('id', '=', job.id)
    .execute()
  await db
    .updateTable('pipelines')
    .set({ created_at: at(0), status: how === 'succeed' ? 'success' : 'failed', finished_at: at(10 + seconds), duration: seconds })
    .where('id', '=', job.pipelineId)
    .execute()
  return job
}

const counted = (day: string) => scene.deps.database.db.transaction().execute(tx => countDay(tx, day))

test('pipelines and jobs are counted for their project, for its groups and for the instance; twice is the same as once', async () => {
  const owner = await scene.user()
  const { group } = await scene.group({ owner })
  const { group: below } = await scene.group({ parent: group, owner })
  const { project } = await scene.project({ group: below, owner })
  const { project: other } = await scene.project({ group, owner })
  await ran(project, owner, 'build', 100)
  await ran(project, owner, 'build', 300, 'drop')
  await ran(other, owner, 'unit 1/2', 40)
  await pendingJob(scene, project, owner)

  await counted(day)
  await counted(day)

  const [ofProject, ...more] = await usageDays(db, { project_id: project.id }, range)
  assert.deepEqual(more, [])
  assert.deepEqual(ofProject, {
    day,
    pipelines: 2,
    succeeded: 1,
    failed: 1,
    canceled: 0,
    duration_p50: 200,
    duration_p95: 290,
    jobs: 2,
    failed_jobs: 1,
    flaky_jobs: 0,
    job_seconds: 400,
    queue_p50: 10,
    queue_p95: 10,
  })
  for (const [id, seconds, pipelines] of [
    [below.id, 400, 2],
    [group.id, 440, 3],
  ] as const) {
    const [row] = await usageDays(db, { namespace_id: id }, range)
    assert.deepEqual([row?.job_seconds, row?.pipelines], [seconds, pipelines])
  }
  const [ofInstance] = await usageDays(db, 'instance', range)
  assert.ok((ofInstance?.job_seconds ?? 0) >= 440)
  const ids = async (place: Parameters<typeof busiestProjects>[1]) => (await busiestProjects(db, place, range)).map(row => row.project_id)
  assert.deepEqual(await ids({ namespace_id: group.id }), [project.id, other.id])
  assert.deepEqual(await ids({ namespace_id: below.id }), [project.id])
  assert.ok((await ids('instance')).includes(project.id))
  const { group: elsewhere } = await scene.group({ owner })
  assert.equal((await owner.put(`${other.url}/transfer`, { namespace: elsewhere.id })).status, 200)
  assert.deepEqual(await ids({ namespace_id: group.id }), [project.id], 'what has left the group is not shown to its members')
})

test('a job that failed and passed when it was run again is flaky; parallel jobs are counted together', async () => {
  const { project, owner } = await scene.project()
  const first = await ran(project, owner, 'browser 1/3', 20, 'drop')
  await ran(project, owner, 'browser 1/3', 30, 'succeed', { pipelineId: first.pipelineId })
  await db.updateTable('jobs').set({ retried: true }).where('id', '=', first.id).execute()
  await ran(project, owner, 'browser 2/3', 50)
  await ran(project, owner, 'lint', 500, 'drop')

  await counted(day)

  const rows = await usageByName(db, project.id, range)
  assert.deepEqual(
    rows
      .map(({ name, runs, failed, flaky, ended, seconds, longest, by_time }) => ({
        name,
        runs,
        failed,
        flaky,
        ended,
        seconds,
        longest,
        by_time,
      }))
      .toSorted((a, b) => a.by_time - b.by_time),
    [
      { name: 'lint', runs: 1, failed: 1, flaky: 0, ended: 1, seconds: 500, longest: 500, by_time: 1 },
      { name: 'browser', runs: 3, failed: 1, flaky: 1, ended: 3, seconds: 100, longest: 50, by_time: 2 },
    ],
  )
  const [row] = await usageDays(db, { project_id: project.id }, range)
  assert.deepEqual([row?.flaky_jobs, row?.failed_jobs], [1, 2])
})

test('days that no worker has counted are caught up, and old ones forgotten', async t => {
  t.after(() => scene.setTime(undefined))
  const may = { from: '2021-05-01', to: '2021-05-31' }
  scene.setTime('2021-05-10T12:00:00Z')
  const { project, owner } = await scene.project()
  await ran(project, owner, 'build', 60, 'succeed', { on: '2021-05-06' })

  await countRecentDays(scene.deps, 2)
  const caughtUp = await usageDays(db, { project_id: project.id }, may)
  scene.setTime('2022-08-10T12:00:00Z')
  await forgetOldDays(scene.deps)

  assert.deepEqual(
    caughtUp.map(row => row.day),
    ['2021-05-06'],
  )
  assert.deepEqual(await usageDays(db, { project_id: project.id }, may), [])
})
