/** A runner is handed jobs of users who are active, and reports on those alone, from the moment of a block on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { openScene, type Person } from '../../../../test/scene.ts'
import { jobIn, registered, runOf } from '../scene.ts'
import { longPollsOf } from './long_polls.ts'
import { claimAll, claimOne, nextJobs } from './queue.ts'

// Background tasks do not run here: what a test sees is what a runner sees before the task of the block begins.
const scene = await openScene({ settings: { runnerWait: '20' } })
const { db } = scene.deps.database

async function world() {
  const { project } = await scene.project()
  const user = await scene.user()
  return { project, user, runner: await registered(scene, { project }) }
}

const statusOf = async (id: number) => (await db.selectFrom('jobs').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

/** What ends an account, for good or not. */
const endings: Readonly<Record<string, (user: Person) => Promise<{ status: number }>>> = {
  blocked: ({ id }) => scene.root.post(`/users/${id}/block`),
  banned: ({ id }) => scene.root.post(`/users/${id}/ban`),
  deactivated: ({ id }) => scene.root.post(`/users/${id}/deactivate`),
  deleted: ({ id }) => scene.root.delete(`/users/${id}`),
}

for (const [state, end] of Object.entries(endings))
  test(`a pending job of a user who has just been ${state} is handed to no runner`, async () => {
    const { project, user, runner } = await world()
    const theirs: number[] = []
    // More than the candidates of one query.
    for (let n = 0; n < 33; n++) theirs.push((await jobIn(scene, project, { user_id: user.id, variables: [{ key: 'A', value: 'b' }] })).id)
    const candidates = await nextJobs(db, runner.id)
    const { id } = await jobIn(scene, project)
    assert.ok((await end(user)).status < 300)

    assert.equal((await runner.ask()).body.id, id)
    // Also by a runner that looked before, and takes hold after.
    assert.equal(candidates.length, 32)
    assert.equal(await db.transaction().execute(tx => claimOne(tx, candidates)), undefined)
    assert.deepEqual(await db.transaction().execute(tx => claimAll(tx, theirs)), [])
    assert.equal(await statusOf(theirs[0]!), 'pending')
  })

test('a runner that waits is handed the job of a user who is active again', async () => {
  const { project, user, runner } = await world()
  await endings.blocked!(user)
  const { id } = await jobIn(scene, project, { user_id: user.id })
  const answer = runner.ask()
  await eventually(() => longPollsOf(scene.deps).size > 0, 'the runner to wait')
  assert.equal((await scene.root.post(`/users/${user.id}/unblock`)).status, 201)

  assert.equal((await answer).body.id, id)
})

test('the runner of a job whose user has just been blocked learns that the job has failed', async () => {
  const { project, user, runner } = await world()
  const { id } = await jobIn(scene, project, { user_id: user.id })
  const run = runOf(scene.anonymous, (await runner.ask()).body)
  assert.equal((await run.trace('one', 0)).status, 202)
  await endings.blocked!(user)

  const over = { status: 403, body: { message: '403 Forbidden - Job is not running' } }
  assert.deepEqual(await run.trace('two', 3), over)
  assert.deepEqual(await run.update({ state: 'running' }), over)
  assert.deepEqual(await run.finish('success', 'one'), over)
  assert.deepEqual(await scene.anonymous.post(`/jobs/${id}/artifacts/authorize`, { token: run.token }), over)
  assert.equal(await statusOf(id), 'running')
})
