import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene } from '../../../test/scene.ts'
import { playground } from '../../ci/pipelines/scene.ts'
import { type MergeRequestRow, mergeRequestById } from '../merge_requests/queries.ts'
import { createMergeRequestPipeline } from './commands.ts'
import { headPipelinesOf } from './queries.ts'

const scene = await openScene()
const ci = await playground(scene)
const { root } = scene

const forMergeRequests = 'check: {script: "true", rules: [{if: $CI_MERGE_REQUEST_IID}]}\n'

const headOf = async ({ id }: { readonly id: number }) => (await headPipelinesOf(ci.db, [{ id }])).get(id)
const rowOf = async ({ id }: { readonly id: number }) => (await mergeRequestById(ci.db, id, null)) as MergeRequestRow

test('a merge request pipeline is created with the merge request and for new commits, where the rules ask for one', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { '.gitlab-ci.yml': forMergeRequests })
  const proposal = await scene.mergeRequest(project)

  const first = await eventually(() => headOf(proposal), 'the first pipeline')
  assert.deepEqual(
    [first.source, first.ref, first.sha, first.user_id],
    ['merge_request_event', `refs/merge-requests/${proposal.iid}/head`, proposal.sha, root.id],
  )
  const sha = await scene.commit(project, { 'more.txt': 'More\n' }, { branch: proposal.source_branch })
  const second = await eventually(async () => {
    const head = await headOf(proposal)
    return head?.sha === sha && head
  }, 'the second pipeline')

  assert.equal(second.source, 'merge_request_event')
  await ci.jobsAre(second, { check: 'pending' })
})

test('an automatic merge waits for the running pipeline and happens when it has succeeded (document 3 `merge_when_pipeline_succeeds`)', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { '.gitlab-ci.yml': 'test: {script: "true"}\n' })
  const proposal = await scene.mergeRequest(project)
  const pipeline = await eventually(() => headOf(proposal), 'its pipeline')

  const answer = await root.put(`${proposal.url}/merge`, { merge_when_pipeline_succeeds: true })
  assert.deepEqual([answer.status, answer.body.state, answer.body.merge_when_pipeline_succeeds], [200, 'opened', true])
  await ci.run(pipeline, 'test')

  await eventually(async () => (await root.get(proposal.url)).body.state === 'merged', 'the merge')
})

test('where pipelines must succeed, a running, failed or missing pipeline blocks the merge (document 3 `only_allow_merge_if_pipeline_succeeds`)', async () => {
  const { project } = await scene.project()
  await root.put(project.url, { only_allow_merge_if_pipeline_succeeds: true })
  await scene.commit(project, { '.gitlab-ci.yml': 'test: {script: "true"}\n' })
  const proposal = await scene.mergeRequest(project)
  const merge = async () => (await root.put(`${proposal.url}/merge`)).status
  const pipeline = await eventually(() => headOf(proposal), 'its pipeline')

  assert.equal(await merge(), 405)
  await ci.run(pipeline, 'test', { state: 'failed', failure_reason: 'script_failure' })
  await ci.pipelineIs(pipeline, 'failed')
  assert.equal(await merge(), 405)
  await scene.run(root, ctx => ctx.db.updateTable('pipelines').set({ status: 'success' }).where('id', '=', pipeline.id).execute())

  assert.equal(await merge(), 200)
})

test('a merge request pipeline is created on request, and refused if its rules leave no job', async () => {
  const [one, other] = [await scene.project(), await scene.project()]
  await scene.commit(one.project, { '.gitlab-ci.yml': forMergeRequests })
  await scene.commit(other.project, { '.gitlab-ci.yml': 'test: {script: "true"}\n' })
  const [wanted, unwanted] = [await scene.mergeRequest(one.project), await scene.mergeRequest(other.project)]

  const made = await scene.run(root, async ctx => createMergeRequestPipeline(ctx, await rowOf(wanted)))

  assert.equal(made.merge_request_id, wanted.id)
  await assert.rejects(
    scene.run(root, async ctx => createMergeRequestPipeline(ctx, await rowOf(unwanted))),
    { kind: 'bad_request' },
  )
})

test('the pipelines of a merge request that the caller may not read are not there', async () => {
  const { project, guest, owner } = await scene.project({ visibility: 'public', members: ['guest'] })
  await scene.commit(project, { '.gitlab-ci.yml': forMergeRequests })
  const { iid } = await scene.mergeRequest(project)
  const path = `${project.url}/merge_requests/${iid}/pipelines`
  assert.equal((await scene.anonymous.get(path)).status, 200)

  await owner.put(project.url, { merge_requests_access_level: 'private' })
  assert.equal((await scene.anonymous.get(path)).status, 404)
  assert.equal((await owner.get(path)).status, 200)

  await owner.put(project.url, { merge_requests_access_level: 'disabled' })
  assert.equal((await owner.get(path)).status, 404)
  assert.equal((await guest.get(path)).status, 404)
})

test('a pipeline of a merge request from a protected branch is for users who may run pipelines of that branch', async () => {
  const { project, developer, maintainer } = await scene.project({ members: ['developer', 'maintainer'] })
  const file = 'deploy: {script: "true", rules: [{if: $CI_MERGE_REQUEST_IID, when: manual}]}\n'
  await scene.commit(project, { '.gitlab-ci.yml': file }, { message: 'Begin [skip ci]' })
  for (const branch of ['side', 'topic']) await developer.post(`${project.url}/repository/branches`, { branch, ref: 'main' })
  await scene.commit(project, { 'more.txt': 'More' }, { message: 'More [skip ci]' })
  await scene.commit(project, { 'own.txt': 'Own' }, { branch: 'topic', message: 'Own [skip ci]' })
  const open = async (source_branch: string) => {
    const { body } = await developer.post(`${project.url}/merge_requests`, { source_branch, target_branch: 'side', title: source_branch })
    return `${project.url}/merge_requests/${body.iid}/pipelines`
  }
  const [ofMain, ofTopic] = [await open('main'), await open('topic')]
  const jobOf = async (pipeline: { id: number }) =>
    `${project.url}/jobs/${(await maintainer.get(`${project.url}/pipelines/${pipeline.id}/jobs`)).body[0].id}`

  const refused = await developer.post(ofMain)
  assert.equal(refused.status, 400)
  assert.match(refused.body.message.base[0], /^You do not have sufficient permission to run a pipeline on 'main'/)
  const made = await maintainer.post(ofMain)
  assert.equal(made.status, 201)
  const job = await jobOf(made.body)
  for (const action of ['play', 'cancel']) assert.equal((await developer.post(`${job}/${action}`)).status, 403, action)
  assert.equal((await developer.post(`${project.url}/pipelines/${made.body.id}/retry`)).status, 403)
  const report = { state: 'running', name: 'hold', pipeline_id: made.body.id }
  assert.equal((await developer.post(`${project.url}/statuses/${made.body.sha}`, report)).status, 403)
  assert.equal((await maintainer.post(`${job}/play`)).body.status, 'pending')
  assert.equal((await scene.root.delete(ofMain.replace('/pipelines', ''))).status, 204)
  for (const action of ['cancel', 'erase']) assert.equal((await developer.post(`${job}/${action}`)).status, 403, action)
  assert.equal((await maintainer.post(`${job}/cancel`)).status, 201)
  assert.equal((await developer.post(`${project.url}/pipelines/${made.body.id}/retry`)).status, 403, 'the branch is not known any more')

  const own = await developer.post(ofTopic)
  assert.equal(own.status, 201)
  assert.equal((await developer.post(`${await jobOf(own.body)}/play`)).body.status, 'pending')
})
