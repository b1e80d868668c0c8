/** Pending work of users who may no longer do it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { openScene, type Person, type SceneMergeRequest } from '../../../../test/scene.ts'
import { playground } from '../../../ci/pipelines/scene.ts'
import { runSchedule } from '../../../ci/schedules/run.ts'
import { mergeAfterPipeline, mergeOnRequest } from './auto_merge/after_pipeline.ts'
import { rebaseMergeRequest } from './rebase/rebase.ts'

const scene = await openScene()
const { deps, root } = scene
const { db } = deps.database
const ci = await playground(scene)

/** A developer who may merge into an unprotected `main`, and a merge request with a pipeline that waits for a runner. */
async function waitingMerge() {
  const { project, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { '.gitlab-ci.yml': 'test: {script: "true"}\n' })
  await root.delete(`${project.url}/protected_branches/main`)
  const proposal = await scene.mergeRequest(project, { author: developer })
  await eventually(async () => (await root.get(`${project.url}/pipelines?ref=${proposal.source_branch}`)).body.length > 0, 'its pipeline')
  const asked = await developer.put(`${proposal.url}/merge`, { merge_when_pipeline_succeeds: true })
  assert.deepEqual([asked.status, asked.body.merge_when_pipeline_succeeds], [200, true])
  return { project, developer, proposal }
}

const setState = (person: Person, state: 'blocked' | 'deactivated' | 'active') =>
  db.updateTable('users').set({ state }).where('id', '=', person.id).execute()

const shown = async (proposal: SceneMergeRequest) => {
  const { state, merge_when_pipeline_succeeds, merge_error } = (await root.get(proposal.url)).body
  return [state, merge_when_pipeline_succeeds, merge_error]
}

const notes = async (proposal: SceneMergeRequest): Promise<{ body: string; author: { id: number } }[]> =>
  (await root.get(`${proposal.url}/notes?per_page=100`)).body

const inactive = 'the account of the user who asked for it is not active'
const deleted = 'the account of the user who asked for it was deleted'
const unable = 'the user who asked for it may no longer merge into the target branch'

describe('an automatic merge, when its pipeline has succeeded', () => {
  const endings: [string, (scene: Awaited<ReturnType<typeof waitingMerge>>) => Promise<unknown>, string][] = [
    ['was blocked', ({ developer }) => setState(developer, 'blocked'), inactive],
    ['was deactivated', ({ developer }) => setState(developer, 'deactivated'), inactive],
    ['has left the project', ({ project, developer }) => root.delete(`${project.url}/members/${developer.id}`), unable],
    ['became a Reporter', ({ project, developer }) => root.put(`${project.url}/members/${developer.id}`, { access_level: 20 }), unable],
    [
      'is shut out by a protection that was made since',
      ({ project }) => root.post(`${project.url}/protected_branches`, { name: 'main', push_access_level: 40, merge_access_level: 40 }),
      unable,
    ],
    [
      'reads no merge requests here any more, since they were switched off',
      ({ project }) => root.put(project.url, { merge_requests_access_level: 'disabled' }),
      unable,
    ],
  ]
  for (const [what, happen, reason] of endings)
    test(`is not carried out for a user who ${what}`, async () => {
      const made = await waitingMerge()
      await happen(made)

      await mergeAfterPipeline(deps, { id: made.proposal.id, sha: made.proposal.sha })

      await root.put(made.project.url, { merge_requests_access_level: 'enabled' })
      assert.deepEqual(await shown(made.proposal), ['opened', false, `The automatic merge failed: ${reason}.`])
      const note = (await notes(made.proposal)).find(({ body }) => body === `aborted the automatic merge because ${reason}`)
      assert.equal(note?.author.id, made.developer.id)
    })

  for (const [how, query, teller] of [
    ['was deleted', '', 1],
    ['was deleted with what they wrote', '?hard_delete=true', 0],
  ] as const)
    test(`is cancelled when the account ${how}, and the pipeline then merges nothing`, async () => {
      const { project, developer } = await scene.project({ members: ['developer'] })
      await scene.commit(project, { '.gitlab-ci.yml': 'test: {script: "true"}\n' })
      await root.delete(`${project.url}/protected_branches/main`)
      const proposal = await scene.mergeRequest(project, { author: root })
      const of = async () => (await root.get(`${project.url}/pipelines?ref=${proposal.source_branch}`)).body
      await eventually(async () => (await of()).length > 0, 'its pipeline')
      assert.equal((await developer.put(`${proposal.url}/merge`, { merge_when_pipeline_succeeds: true })).status, 200)
      const main = (await root.get(`${project.url}/repository/branches/main`)).body.commit.id

      assert.equal((await root.delete(`/users/${developer.id}${query}`)).status, 204)

      const ended = ['opened', false, `The automatic merge failed: ${deleted}.`]
      assert.deepEqual(await shown(proposal), ended)
      const [pipeline] = await of()
      await ci.run(pipeline, 'test')
      await eventually(async () => (await root.get(`${project.url}/pipelines/${pipeline.id}`)).body.status === 'success', 'its success')
      await mergeAfterPipeline(deps, { id: proposal.id, sha: proposal.sha })
      assert.deepEqual(await shown(proposal), ended)
      assert.equal((await root.get(`${project.url}/repository/branches/main`)).body.commit.id, main)
      const matching = (await notes(proposal)).filter(({ body }) => body === `aborted the automatic merge because ${deleted}`)
      assert.equal(matching.length, teller)
    })

  test('is cancelled when the bot that requested it is deleted', async () => {
    const { project, proposal } = await waitingMerge()
    const token = await root.post(`${project.url}/access_tokens`, { name: 'bot', scopes: ['api'] })
    assert.equal(token.status, 201)
    await db.updateTable('merge_requests').set({ merge_user_id: token.body.user_id }).where('id', '=', proposal.id).execute()

    assert.equal((await root.delete(`${project.url}/access_tokens/${token.body.id}`)).status, 204)

    assert.deepEqual(await shown(proposal), ['opened', false, `The automatic merge failed: ${deleted}.`])
  })

  test('is cancelled if the user who requested it is unknown', async () => {
    const { proposal } = await waitingMerge()
    await db.updateTable('merge_requests').set({ merge_user_id: null }).where('id', '=', proposal.id).execute()

    await mergeAfterPipeline(deps, { id: proposal.id, sha: proposal.sha })

    assert.deepEqual(await shown(proposal), ['opened', false, `The automatic merge failed: ${inactive}.`])
  })
})

test('blocking a user ends their pending and running work, and it stays ended when they are active again', async () => {
  const { project, developer, proposal } = await waitingMerge()
  const schedule = await developer.post(`${project.url}/pipeline_schedules`, { description: 'Nightly', ref: 'main', cron: '0 1 * * *' })
  const pipeline = await developer.post(`${project.url}/pipeline`, { ref: 'main' })
  assert.deepEqual([schedule.status, pipeline.status], [201, 201])

  assert.equal((await root.post(`/users/${developer.id}/block`)).status, 201)

  await eventually(async () => (await shown(proposal))[1] === false, 'the end of the automatic merge')
  assert.deepEqual(await shown(proposal), ['opened', false, `The automatic merge failed: ${inactive}.`])
  await eventually(
    async () => (await root.get(`${project.url}/pipeline_schedules/${schedule.body.id}`)).body.active === false,
    'the end of the schedule',
  )
  await eventually(async () => {
    const [job] = await ci.jobsIn(pipeline.body)
    return job?.status === 'failed' && job.failure_reason === 'user_blocked'
  }, 'the end of the job')

  assert.equal((await root.post(`/users/${developer.id}/unblock`)).status, 201)
  assert.equal((await shown(proposal))[1], false)
})

test('deleting a user ends their running and pending jobs', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { '.gitlab-ci.yml': 'test: {script: "true"}\nlast: {stage: deploy, script: "true"}\n' })
  await root.delete(`${project.url}/protected_branches/main`)
  const pipeline = await developer.post(`${project.url}/pipeline`, { ref: 'main' })
  assert.equal(pipeline.status, 201)

  assert.equal((await root.delete(`/users/${developer.id}`)).status, 204)

  await eventually(async () => {
    const jobs = await ci.jobsIn(pipeline.body)
    return jobs.every(job => job.status === 'failed' && job.failure_reason === 'user_blocked')
  }, 'the end of the jobs')
})

test('a merge requested by a quick action is not carried out if the user was blocked since', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { 'a.txt': 'a\n' })
  await root.delete(`${project.url}/protected_branches/main`)
  const proposal = await scene.mergeRequest(project, { author: developer })
  await setState(developer, 'blocked')

  await mergeOnRequest(deps, { merge_request_id: proposal.id, user_id: developer.id, sha: proposal.sha })

  assert.deepEqual(await shown(proposal), ['opened', false, `The automatic merge failed: ${inactive}.`])
})

test('a requested rebase is not carried out if the user was blocked since', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { 'a.txt': 'a\n' })
  const proposal = await scene.mergeRequest(project, { author: developer })
  await scene.commit(project, { 'b.txt': 'b\n' })
  const requested_at = deps.now()
  await db.updateTable('merge_requests').set({ rebase_requested_at: requested_at }).where('id', '=', proposal.id).execute()
  await setState(developer, 'blocked')

  await rebaseMergeRequest(deps, {
    merge_request_id: proposal.id,
    user_id: developer.id,
    requested_at: requested_at.toISOString(),
    skip_ci: false,
  })

  const { sha, merge_error } = (await root.get(proposal.url)).body
  assert.deepEqual([sha, merge_error], [proposal.sha, 'Rebase failed: the account of the user who asked for it is not active.'])
})

test('a requested rebase is not carried out if the user may not read the target project any more', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { 'a.txt': 'a\n' })
  const proposal = await scene.mergeRequest(project, { author: developer })
  await scene.commit(project, { 'b.txt': 'b\n' })
  const requested_at = deps.now()
  await db.updateTable('merge_requests').set({ rebase_requested_at: requested_at }).where('id', '=', proposal.id).execute()
  await root.put(project.url, { merge_requests_access_level: 'disabled' })

  await rebaseMergeRequest(deps, {
    merge_request_id: proposal.id,
    user_id: developer.id,
    requested_at: requested_at.toISOString(),
    skip_ci: false,
  })

  await root.put(project.url, { merge_requests_access_level: 'enabled' })
  const { sha, merge_error } = (await root.get(proposal.url)).body
  assert.deepEqual([sha, merge_error], [proposal.sha, 'Rebase failed: the source branch cannot be pushed to.'])
})

test('a schedule creates no pipeline if its owner was blocked since', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { '.gitlab-ci.yml': 'test: {script: "true"}\n' })
  await root.delete(`${project.url}/protected_branches/main`)
  const { id } = (await developer.post(`${project.url}/pipeline_schedules`, { description: 'Nightly', ref: 'main', cron: '0 1 * * *' }))
    .body
  const pipelines = async () => (await root.get(`${project.url}/pipelines`)).body.length
  await eventually(async () => (await pipelines()) === 1, 'the pipeline of the push')
  await setState(developer, 'blocked')

  await runSchedule(deps, { schedule_id: id, for: { due_at: deps.now().toISOString() }, request_key: 'once' })
  await runSchedule(deps, { schedule_id: id, for: { user_id: developer.id }, request_key: 'twice' })

  assert.equal(await pipelines(), 1)
  assert.equal((await root.get(`${project.url}/pipeline_schedules/${id}`)).body.active, false)
})

test('sudo as a blocked user is refused', async () => {
  const person = await scene.user()
  await setState(person, 'blocked')

  const answer = await root.get('/user', {}, { sudo: person.username })

  assert.deepEqual(answer, { status: 403, body: { message: '403 Forbidden - Your account has been blocked.' } })
})

test('a downstream pipeline is not started if the user was blocked since', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const config = 'first: {stage: build, script: "true"}\nchild: {stage: deploy, trigger: {include: child.yml}}\n'
  await scene.commit(project, { '.gitlab-ci.yml': config, 'child.yml': 'inner: {script: "true"}\n' })
  await root.delete(`${project.url}/protected_branches/main`)
  const made = await developer.post(`${project.url}/pipeline`, { ref: 'main' })
  assert.equal(made.status, 201)
  await setState(developer, 'blocked')

  await ci.run(made.body, 'first')

  await eventually(async () => {
    const [bridge] = (await root.get(`${project.url}/pipelines/${made.body.id}/bridges`)).body
    return bridge.status === 'failed' && bridge.downstream_pipeline === null
  }, 'the end of the bridge')
})
