/**
 * Every endpoint of a merge request, called by gitbeaker (`@gitbeaker/rest`) as npm has it. The last test counts: an endpoint that is new and that gitbeaker knows is to be called here.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gitlab } from '@gitbeaker/rest'
import { endpoints } from '../../src/server/endpoints.ts'
import { openScene } from '../scene.ts'

const scene = await openScene()
const base = '/projects/:id/merge_requests/:merge_request_iid'

/** What gitbeaker has no call for, or calls by another method than the API has. */
const unknown = [
  `GET ${base}/approval_rules/:approval_rule_id`,
  `POST ${base}/approvals`,
  `GET ${base}/discussions/:discussion_id/notes`,
  `GET ${base}/discussions/:discussion_id/notes/:note_id`,
  `PUT ${base}/draft_notes/:draft_note_id`,
  `GET ${base}/merge_ref`,
  `GET ${base}/raw_diffs`,
  `PUT ${base}/reset_approvals`,
  `GET ${base}/viewed_files`,
  `PUT ${base}/viewed_files`,
  `DELETE ${base}/viewed_files`,
]

/** The requests that were sent, `GET /projects/1/…`. */
const sent = new Set<string>()
const { fetch } = globalThis
globalThis.fetch = (input, init) => {
  const request = input instanceof Request ? input : undefined
  const { pathname } = new URL(request?.url ?? String(input))
  sent.add(`${(init?.method ?? request?.method ?? 'GET').toUpperCase()} ${pathname.replace('/api/v4', '')}`)
  return fetch(input, init)
}

async function proposed(files: Readonly<Record<string, string>> = { 'f.txt': 'one\ntwo\n' }) {
  const world = await scene.project({ members: ['developer', 'maintainer'] })
  const { iid, sha } = await scene.mergeRequest(world.project, { author: world.developer, files })
  await world.owner.post(`${world.project.url}/labels`, { name: 'wood', color: '#ff0000' })
  return { ...world, id: world.project.id, iid, sha, client: new Gitlab({ host: scene.url, token: world.owner.token }) }
}

test('time, to-do items and subscriptions', async () => {
  const { client, id, iid } = await proposed()
  const { MergeRequests } = client

  assert.equal((await MergeRequests.setTimeEstimate(id, iid, '3h')).time_estimate, 10_800)
  assert.equal((await MergeRequests.addSpentTime(id, iid, '1h')).total_time_spent, 3_600)
  assert.equal((await MergeRequests.showTimeStats(id, iid)).human_time_estimate, '3h')
  assert.equal((await MergeRequests.resetSpentTime(id, iid)).total_time_spent, 0)
  assert.equal((await MergeRequests.resetTimeEstimate(id, iid)).time_estimate, 0)
  assert.equal((await MergeRequests.createTodo(id, iid)).target_type, 'MergeRequest')
  assert.equal((await MergeRequests.subscribe(id, iid)).subscribed, true)
  assert.equal((await MergeRequests.unsubscribe(id, iid)).subscribed, false)
})

test('approvals and their rules', async () => {
  const { client, id, iid, maintainer } = await proposed()
  const { MergeRequestApprovals } = client
  const options = { mergerequestIId: iid, userIds: [maintainer.id] }
  const rule = await MergeRequestApprovals.createApprovalRule(id, 'Painters', 1, options as never)

  assert.deepEqual(
    (await MergeRequestApprovals.allApprovalRules(id, { mergerequestIId: iid })).map(({ name }) => name),
    ['Painters'],
  )
  const edited = await MergeRequestApprovals.editApprovalRule(id, rule.id, 'All painters', 1, options as never)
  assert.equal(edited.name, 'All painters')
  const byMaintainer = new Gitlab({ host: scene.url, token: maintainer.token })
  await byMaintainer.MergeRequestApprovals.approve(id, iid)
  const { rules } = await MergeRequestApprovals.showApprovalState(id, iid)
  assert.deepEqual(rules[0]?.approved, true)
  assert.equal((await MergeRequestApprovals.showConfiguration(id, { mergerequestIId: iid } as never)).approvals_left, 0)
  await byMaintainer.MergeRequestApprovals.unapprove(id, iid)
  assert.equal((await MergeRequestApprovals.showConfiguration(id, { mergerequestIId: iid } as never)).approvals_left, 1)
  await MergeRequestApprovals.removeApprovalRule(id, rule.id, { mergerequestIId: iid })
  assert.deepEqual(await MergeRequestApprovals.allApprovalRules(id, { mergerequestIId: iid }), [])
})

test('what it changes and what it is about', async () => {
  const { client, id, iid, sha, project, owner } = await proposed()
  const { MergeRequests, MergeRequestContextCommits } = client
  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'Shed' })
  await MergeRequests.edit(id, iid, { description: `Closes #${issue.iid}` })
  const context = await scene.commit(project, { 'before.txt': 'before' })

  assert.equal((await MergeRequests.allCommits(id, iid))[0]?.id, sha)
  assert.equal((await MergeRequests.allDiffs(id, iid))[0]?.new_path, 'f.txt')
  assert.equal((await MergeRequests.showChanges(id, iid)).changes?.length, 1)
  const [version] = await MergeRequests.allDiffVersions(id, iid)
  assert.equal((await MergeRequests.showDiffVersion(id, iid, version!.id)).head_commit_sha, sha)
  assert.equal((await MergeRequests.allIssuesClosed(id, iid))[0]?.title, 'Shed')
  assert.equal((await MergeRequests.allIssuesRelated(id, iid))[0]?.title, 'Shed')
  assert.equal((await MergeRequests.allParticipants(id, iid)).length > 0, true)
  assert.deepEqual(await MergeRequests.showReviewers(id, iid), [])
  const [added] = (await MergeRequestContextCommits.create(id, [context], { mergerequestIId: iid })) as unknown as { id: string }[]
  assert.equal(added?.id, context)
  assert.equal((await MergeRequestContextCommits.all(id, iid))[0]?.id, context)
  await MergeRequestContextCommits.remove(id, iid, { commits: [context] } as never)
  assert.deepEqual(await MergeRequestContextCommits.all(id, iid), [])
})

test('notes, threads, drafts and reactions', async () => {
  const { client, id, iid } = await proposed()
  const { MergeRequestNotes, MergeRequestDiscussions, MergeRequestDraftNotes, MergeRequestAwardEmojis, MergeRequestNoteAwardEmojis } =
    client
  const note = await MergeRequestNotes.create(id, iid, 'Red?')
  assert.equal((await MergeRequestNotes.show(id, iid, note.id)).body, 'Red?')
  assert.equal((await MergeRequestNotes.edit(id, iid, note.id, { body: 'Red!' })).body, 'Red!')
  assert.equal((await MergeRequestNotes.all(id, iid)).length, 1)
  const star = await MergeRequestNoteAwardEmojis.award(id, iid, note.id, 'star')
  assert.equal((await MergeRequestNoteAwardEmojis.show(id, iid, note.id, star.id)).name, 'star')
  assert.equal((await MergeRequestNoteAwardEmojis.all(id, iid, note.id)).length, 1)
  await MergeRequestNoteAwardEmojis.remove(id, iid, note.id, star.id)
  const thumb = await MergeRequestAwardEmojis.award(id, iid, 'thumbsup')
  assert.equal((await MergeRequestAwardEmojis.show(id, iid, thumb.id)).name, 'thumbsup')
  assert.equal((await MergeRequestAwardEmojis.all(id, iid)).length, 1)
  await MergeRequestAwardEmojis.remove(id, iid, thumb.id)
  await MergeRequestNotes.remove(id, iid, note.id)

  const thread = await MergeRequestDiscussions.create(id, iid, 'Why?')
  const answer = await MergeRequestDiscussions.addNote(id, iid, thread.id, 'Because')
  assert.equal((await MergeRequestDiscussions.editNote(id, iid, thread.id, answer.id, { body: 'So' })).body, 'So')
  await MergeRequestDiscussions.removeNote(id, iid, thread.id, answer.id)
  assert.equal((await MergeRequestDiscussions.show(id, iid, thread.id)).notes?.length, 1)
  assert.equal((await MergeRequestDiscussions.all(id, iid)).length, 1)
  assert.equal((await MergeRequestDiscussions.resolve(id, iid, thread.id, true)).notes?.[0]?.resolved, true)

  const [first, second] = [await MergeRequestDraftNotes.create(id, iid, 'One'), await MergeRequestDraftNotes.create(id, iid, 'Two')]
  assert.equal((await MergeRequestDraftNotes.all(id, iid)).length, 2)
  assert.equal((await MergeRequestDraftNotes.show(id, iid, first.id)).note, 'One')
  await MergeRequestDraftNotes.publish(id, iid, first.id)
  await MergeRequestDraftNotes.remove(id, iid, second.id)
  await MergeRequestDraftNotes.create(id, iid, 'Three')
  await MergeRequestDraftNotes.publishBulk(id, iid)
  assert.deepEqual(await MergeRequestDraftNotes.all(id, iid), [])
})

test('what has become of it', async () => {
  const { client, id, iid, project, owner } = await proposed()
  const { body: milestone } = await owner.post(`${project.url}/milestones`, { title: 'One' })
  await client.MergeRequests.edit(id, iid, { labels: 'wood', milestoneId: milestone.id })
  await client.MergeRequests.edit(id, iid, { stateEvent: 'close' })
  for (const Events of [client.MergeRequestLabelEvents, client.MergeRequestMilestoneEvents]) {
    const [event] = await Events.all(id, iid)
    assert.equal((await Events.show(id, iid, event!.id)).id, event!.id)
  }
  // Its types lack what it has.
  const { MergeRequestStateEvents } = client as unknown as { MergeRequestStateEvents: typeof client.IssueStateEvents }
  const [closed] = await MergeRequestStateEvents.all(id, iid)
  assert.equal((await MergeRequestStateEvents.show(id, iid, closed!.id)).state, 'closed')
})

test('pipelines, rebasing and merging', async () => {
  const ci = 'test: { script: "true", rules: [{ if: $CI_MERGE_REQUEST_IID }] }\n'
  const { client, id, iid, project } = await proposed({ '.gitlab-ci.yml': ci })
  const { MergeRequests } = client
  const pipeline = await MergeRequests.createPipeline(id, iid)
  assert.equal((await MergeRequests.allPipelines(id, iid))[0]?.id, pipeline.id)
  await MergeRequests.merge(id, iid, { mergeWhenPipelineSucceeds: true })
  await MergeRequests.cancelOnPipelineSuccess(id, iid)
  assert.equal((await MergeRequests.show(id, iid)).merge_when_pipeline_succeeds, false)
  assert.deepEqual(await MergeRequests.rebase(id, iid, { skipCI: true }), { rebase_in_progress: true })
  const other = await scene.mergeRequest(project)
  await MergeRequests.remove(id, other.iid)
  const last = await scene.mergeRequest(project)
  assert.equal((await MergeRequests.accept(id, last.iid)).state, 'merged')
})

test('every endpoint that gitbeaker knows was called', () => {
  const literals = (path: string) => path.split('/').filter(part => part !== '' && !part.startsWith(':')).length
  const routes = endpoints.map(({ route }) => route).filter(route => route.split(' ')[1]?.startsWith(base))
  const called = new Set<string>()
  for (const request of sent) {
    const matching = routes.filter(route => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(request))
    const [best] = matching.sort((a, b) => literals(b) - literals(a))
    if (best) called.add(best)
  }

  assert.deepEqual(routes.filter(route => !called.has(route)).sort(), unknown.toSorted())
})
