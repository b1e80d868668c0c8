/** What jobs of a fork are given of its merge request: what the user for whom they run may read now. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { runnerVariablesOf } from '../../ci/job_variables/for_job.ts'
import { variablesForPlan } from '../../ci/job_variables/for_plan.ts'
import { placeOf } from '../../ci/job_variables/place.ts'
import { playground } from '../../ci/pipelines/scene.ts'
import { systemContext } from '../../platform/kernel/context.ts'
import { forkedProposal, removeMember } from './scene.ts'

const scene = await openScene()
const ci = await playground(scene)
const ctx = systemContext(scene.deps, ci.db)

type Proposal = Awaited<ReturnType<typeof forkedProposal>>

/** The variables about merge requests of the job of the merge request when it runs for this user, by key. */
async function variablesFor({ pipeline }: Proposal, user: { readonly id: number } | undefined) {
  const job = await ci.find(pipeline, 'check')
  const variables = await runnerVariablesOf(ctx, { ...job, user_id: user?.id ?? null })
  return Object.fromEntries(variables.filter(({ key }) => key.includes('MERGE_REQUEST')).map(({ key, value }) => [key, value.reveal()]))
}

function assertHidden(proposal: Proposal, variables: Readonly<Record<string, string>>): void {
  const { fork, mergeRequest } = proposal
  assert.deepEqual(variables, {
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
    CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
    CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '',
    CI_MERGE_REQUEST_ID: String(mergeRequest.id),
    CI_MERGE_REQUEST_IID: String(mergeRequest.iid),
    CI_MERGE_REQUEST_REF_PATH: `refs/merge-requests/${mergeRequest.iid}/head`,
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(fork.id),
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: fork.full_path,
    CI_MERGE_REQUEST_SOURCE_PROJECT_URL: `${scene.url}/${fork.full_path}`,
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'topic',
  })
}

function assertGiven({ project, owner, mergeRequest }: Proposal, variables: Readonly<Record<string, string>>): void {
  const { CI_MERGE_REQUEST_DIFF_ID: version, ...others } = variables
  assert.match(version ?? '', /^\d+$/)
  const expected = {
    CI_MERGE_REQUEST_TITLE: 'SECRET title',
    CI_MERGE_REQUEST_LABELS: 'SECRET-label',
    CI_MERGE_REQUEST_MILESTONE: 'SECRET milestone',
    CI_MERGE_REQUEST_ASSIGNEES: owner.username,
    CI_MERGE_REQUEST_PROJECT_ID: String(project.id),
    CI_MERGE_REQUEST_PROJECT_PATH: project.full_path,
    CI_MERGE_REQUEST_PROJECT_URL: `${scene.url}/${project.full_path}`,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    CI_MERGE_REQUEST_DIFF_BASE_SHA: mergeRequest.base_commit_sha,
    CI_OPEN_MERGE_REQUESTS: `${project.full_path}!${mergeRequest.iid}`,
  }
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map(key => [key, others[key]])), expected)
}

test('a job of a fork is given all of its merge request as long as its user may read that', async () => {
  const proposal = await forkedProposal(scene, ci)
  const { project, owner, developer } = proposal
  assertGiven(proposal, await variablesFor(proposal, developer))
  assertGiven(proposal, await variablesFor(proposal, owner))

  await removeMember(owner, project, developer)
  assertHidden(proposal, await variablesFor(proposal, developer))
  await owner.post(`${project.url}/members`, { user_id: developer.id, access_level: 10 })
  assertHidden(proposal, await variablesFor(proposal, developer))
  await owner.put(`${project.url}/members/${developer.id}`, { access_level: 20 })
  assertGiven(proposal, await variablesFor(proposal, developer))
  await scene.root.post(`/users/${developer.id}/block`)
  assertHidden(proposal, await variablesFor(proposal, developer))
})

test('a Developer of a fork who never saw its origin, an administrator who is no member, and nobody are given what the fork knows', async () => {
  const proposal = await forkedProposal(scene, ci)
  const { fork, developer } = proposal
  const stranger = await scene.user()
  const joined = await developer.post(`${fork.url}/members`, { user_id: stranger.id, access_level: 30 })
  assert.equal(joined.status, 201)

  for (const user of [stranger, await scene.user({ admin: true }), undefined]) assertHidden(proposal, await variablesFor(proposal, user))
})

test('where the origin shows its merge requests to members alone, others are given what the fork knows', async () => {
  const proposal = await forkedProposal(scene, ci)
  const { project, owner, developer } = proposal
  const [stranger, external] = [await scene.user(), await scene.user({ external: true })]
  const setTo = async (attributes: object) => assert.equal((await owner.put(project.url, attributes)).status, 200)

  await setTo({ visibility: 'internal' })
  assertGiven(proposal, await variablesFor(proposal, stranger))
  assertHidden(proposal, await variablesFor(proposal, external))
  await setTo({ visibility: 'public' })
  for (const user of [stranger, external]) assertGiven(proposal, await variablesFor(proposal, user))
  await setTo({ merge_requests_access_level: 'private' })
  for (const user of [stranger, external]) assertHidden(proposal, await variablesFor(proposal, user))
  assertGiven(proposal, await variablesFor(proposal, developer))
  await setTo({ merge_requests_access_level: 'enabled', repository_access_level: 'private' })
  assertHidden(proposal, await variablesFor(proposal, stranger))
  await setTo({ repository_access_level: 'disabled' })
  assertHidden(proposal, await variablesFor(proposal, owner))
})

test('the rules of a fork’s CI file see no more than its jobs do', async () => {
  const proposal = await forkedProposal(scene, ci)
  const { project, owner, developer, pipeline, mergeRequest } = proposal
  const { project: fork } = await placeOf(ci.db, await ci.find(pipeline, 'check'))
  const planned = async (input: { readonly ref: string; readonly merge_request_id?: number }) => {
    const variables = await scene.run(developer, inside =>
      variablesForPlan(inside, fork, { ...input, source: 'push', sha: pipeline.sha, protected: false }),
    )
    return Object.fromEntries(variables.map(({ key, value }) => [key, value.reveal()]))
  }
  const ofMergeRequest = { ref: pipeline.ref, merge_request_id: mergeRequest.id }
  assert.equal((await planned(ofMergeRequest)).CI_MERGE_REQUEST_TITLE, 'SECRET title')
  assert.equal((await planned({ ref: 'refs/heads/topic' })).CI_OPEN_MERGE_REQUESTS, `${project.full_path}!${mergeRequest.iid}`)

  await removeMember(owner, project, developer)
  const { CI_MERGE_REQUEST_TITLE: title, CI_MERGE_REQUEST_IID: iid } = await planned(ofMergeRequest)
  assert.deepEqual([title, iid], [undefined, String(mergeRequest.iid)])
  assert.equal((await planned({ ref: 'refs/heads/topic' })).CI_OPEN_MERGE_REQUESTS, undefined)
})
