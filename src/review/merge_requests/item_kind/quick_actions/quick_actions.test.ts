/** Quick actions in notes about merge requests and in their descriptions (public behaviour at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'
import { mergeOnRequest } from '../../merging/auto_merge/after_pipeline.ts'

const scene = await openScene()

async function proposed() {
  const world = await scene.project({ visibility: 'public', members: ['reporter', 'developer', 'maintainer'] })
  const mergeRequest = await scene.mergeRequest(world.project, { author: world.developer })
  await world.owner.post(`${world.project.url}/labels`, { name: 'bug', color: '#ff0000' })
  const { body: milestone } = await world.owner.post(`${world.project.url}/milestones`, { title: 'One' })
  return { ...world, milestone, url: mergeRequest.url, notes: `${mergeRequest.url}/notes` }
}

test('labels and milestone are copied from an issue or another merge request (`/copy_metadata`)', async () => {
  const { project, maintainer, milestone, url, notes } = await proposed()
  const { body: issue } = await maintainer.post(`${project.url}/issues`, { title: 'Like this', labels: 'bug', milestone_id: milestone.id })
  const other = await scene.mergeRequest(project, { labels: 'bug' })

  assert.deepEqual(
    (await maintainer.post(notes, { body: `/copy_metadata #${issue.iid}` })).body.commands_changes.milestone_id,
    milestone.id,
  )
  const { labels, milestone: taken } = (await maintainer.get(url)).body
  assert.deepEqual([labels, taken.id], [['bug'], milestone.id])
  await maintainer.put(url, { labels: '' })
  await maintainer.post(notes, { body: `/copy_metadata !${other.iid}` })
  assert.deepEqual((await maintainer.get(url)).body.labels, ['bug'])
})

test('`/merge` merges in the background for users who may merge, if nothing was pushed since', async () => {
  const { developer, maintainer, url, notes } = await proposed()

  // `main` is protected: developers may not merge into it.
  assert.deepEqual((await developer.post(notes, { body: '/merge' })).body.commands_changes, {})
  const { sha, id } = (await maintainer.get(url)).body
  const { body } = await maintainer.post(notes, { body: '/merge' })
  assert.deepEqual(body.commands_changes, { merge: sha })

  await mergeOnRequest(scene.deps, { merge_request_id: id, user_id: maintainer.id, sha: sha.replace(/./g, '0') })
  assert.match((await maintainer.get(url)).body.merge_error, /could not be merged/)
  await mergeOnRequest(scene.deps, { merge_request_id: id, user_id: maintainer.id, sha })
  const merged = (await maintainer.get(url)).body
  assert.deepEqual([merged.state, merged.merged_by.id], ['merged', maintainer.id])
})

test('several actions change attributes together, and the response lists the changes', async () => {
  const { maintainer, developer, milestone, url, notes } = await proposed()

  const { status, body } = await maintainer.post(notes, {
    body: `As agreed\n/label ~bug\n/assign me\n/reviewer @${developer.username}\n/milestone %One\n/draft\n/title Paint it\n/lock\n/done`,
  })

  assert.equal(status, 201)
  assert.equal(body.body, 'As agreed')
  assert.equal(body.commands_changes.milestone_id, milestone.id)
  assert.deepEqual(body.commands_changes.reviewer_ids, [developer.id])
  const { body: after } = await maintainer.get(url)
  assert.deepEqual(after.labels, ['bug'])
  assert.deepEqual([after.assignees[0].id, after.reviewers[0].id, after.milestone.id], [maintainer.id, developer.id, milestone.id])
  assert.deepEqual([after.title, after.discussion_locked], ['Paint it', true])
})

test('`/draft` changes the title, and actions without other text create no note', async () => {
  const { developer, url, notes } = await proposed()
  const say = async (body: string) => (await developer.post(notes, { body })).status
  const title = async () => (await developer.get(url)).body.title

  assert.equal(await say('/draft'), 202)
  assert.equal(await title(), 'Draft: Paint the shed')
  assert.equal(await say('/draft'), 202)
  assert.equal(await title(), 'Paint the shed')
  assert.equal(await say('/draft\n/ready'), 202)
  assert.equal(await title(), 'Paint the shed')
  assert.equal(await say('/close'), 202)
  assert.equal((await developer.get(url)).body.state, 'closed')
  assert.equal(await say('/reopen'), 202)
  assert.equal((await developer.get(url)).body.state, 'opened')
})

test('actions that the caller may not use are ignored, and the rest of the text is kept', async () => {
  const { reporter, url, notes } = await proposed()

  const { status, body } = await reporter.post(notes, { body: 'Please\n/close\n/label ~bug\n/approve\n/subscribe\n/award :tada:\n/todo' })

  assert.equal(status, 201)
  assert.deepEqual(body.commands_changes, { todo_event: 'add', subscription_event: 'subscribe', emoji_award: 'tada' })
  const { body: after } = await reporter.get(url)
  assert.deepEqual([after.state, after.labels, after.subscribed], ['opened', [], true])
  assert.equal((await reporter.get('/todos')).body.length, 1)
  assert.equal((await reporter.get(`${url}/award_emoji`)).body[0].name, 'tada')
})

test('`/approve` and `/unapprove` work like the approvals API', async () => {
  const { maintainer, url, notes } = await proposed()
  const approvers = async () =>
    (await maintainer.get(`${url}/approvals`)).body.approved_by.map((row: { user: { id: number } }) => row.user.id)

  assert.equal((await maintainer.post(notes, { body: '/approve' })).status, 202)
  assert.deepEqual(await approvers(), [maintainer.id])
  assert.equal((await maintainer.post(notes, { body: '/unapprove' })).status, 202)
  assert.deepEqual(await approvers(), [])
})

test('time tracking works as on issues, and users who may push can request a rebase', async () => {
  const { developer, reporter, url, notes } = await proposed()

  const { body } = await developer.post(notes, { body: '/estimate 1d\n/spend 2h\n/spend -3h\n/estimate soon' })
  const refused = await reporter.post(notes, { body: 'Please\n/rebase\n/spend 1h' })
  const asked = await developer.post(notes, { body: '/rebase' })

  assert.deepEqual([body.commands_changes.time_estimate, body.commands_changes.spend_time.duration], [28_800, -10_800])
  const { time_stats } = (await developer.get(url)).body
  assert.deepEqual([time_stats.time_estimate, time_stats.total_time_spent], [28_800, 7_200])
  assert.deepEqual(refused.body.commands_changes, {})
  assert.deepEqual([asked.status, asked.body.commands_changes], [202, { rebase: true }])
  assert.equal((await developer.get(`${url}?include_rebase_in_progress=true`)).body.rebase_in_progress, true)
})

test('quick actions in the description of a new merge request are applied for users who may plan', async () => {
  const { project, developer, reporter, milestone } = await proposed()
  for (const name of ['red', 'green']) await developer.post(`${project.url}/repository/branches`, { branch: name, ref: 'main' })
  await scene.commit(project, { 'red.txt': 'red' }, { branch: 'red' })
  await scene.commit(project, { 'green.txt': 'green' }, { branch: 'green' })
  const description = [
    'Text stays',
    '/label ~bug',
    '/milestone %One',
    `/assign @${reporter.username}`,
    `/reviewer @${developer.username}`,
    '/estimate 1h',
    '/draft',
    '/award :tada:',
    '/merge',
    '/due 2030-01-01',
  ]
  const given = { source_branch: 'red', target_branch: 'main', title: 'Paint', description: description.join('\n') }

  const { status, body } = await developer.post(`${project.url}/merge_requests`, given)

  assert.equal(status, 201)
  assert.deepEqual([body.title, body.draft, body.labels, body.milestone.id], ['Draft: Paint', true, ['bug'], milestone.id])
  assert.deepEqual([body.assignee.id, body.reviewers[0].id, body.time_stats.time_estimate], [reporter.id, developer.id, 3600])
  assert.equal(body.upvotes + body.downvotes, 0)
  assert.equal(body.description, 'Text stays\n/due 2030-01-01', 'which is an action of issues')
  const url = `${project.url}/merge_requests/${body.iid}`
  assert.equal((await developer.get(`${url}/award_emoji`)).body[0].name, 'tada')
})

test('quick actions in a changed description are applied', async () => {
  const { project, developer, reporter, url } = await proposed()
  await developer.post(`${project.url}/repository/branches`, { branch: 'stable', ref: 'main' })

  const { status, body } = await developer.put(url, { title: 'Paint it', description: 'As agreed\n/draft\n/target_branch stable\n/close' })

  assert.deepEqual([status, body.title, body.state], [200, 'Draft: Paint it', 'closed'])
  assert.deepEqual([body.target_branch, body.description], ['stable', 'As agreed'])
  assert.equal((await reporter.put(url, { description: '/reopen' })).status, 403)
})

test('quick actions in an edited note are applied', async () => {
  const { developer, url, notes } = await proposed()
  const { body: thread } = await developer.post(`${url}/discussions`, { body: 'Shall we?' })

  const { status, body } = await developer.put(`${url}/discussions/${thread.id}/notes/${thread.notes[0].id}`, { body: 'Yes\n/approve' })

  assert.deepEqual([status, body.body, body.commands_changes], [200, 'Yes', { approve: true }])
  assert.equal((await developer.get(`${url}/approvals`)).body.approved_by.length, 1)
  assert.equal((await developer.put(`${notes}/${body.id}`, { body: '/unapprove' })).status, 202)
  assert.equal((await developer.get(`${notes}/${body.id}`)).status, 404)
})

test('a branch that cannot be the target is ignored, and the other actions are applied (`/target_branch`)', async () => {
  const { project, developer, url, notes } = await proposed()
  const { source_branch, target_branch } = (await developer.get(url)).body
  await developer.post(`${project.url}/repository/branches`, { branch: 'stable', ref: 'main' })
  await scene.mergeRequest(project, { author: developer, source_branch, target_branch: 'stable' })

  for (const branch of ['nowhere', 'no..where', source_branch, 'stable']) {
    const { status, body } = await developer.post(notes, { body: `Elsewhere\n/target_branch ${branch}\n/draft` })
    assert.deepEqual([status, body.commands_changes?.target_branch, body.body], [201, undefined, 'Elsewhere'], branch)
  }

  assert.equal((await developer.get(url)).body.target_branch, target_branch)
})
