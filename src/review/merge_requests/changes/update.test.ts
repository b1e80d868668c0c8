import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../../test/scene.ts'
import { git } from '../../../platform/git/scene.ts'
import { dropMergeRequestRefs } from './delete.ts'

const scene = await openScene()
const { db } = scene.deps.database

const repositoryOf = (project: { readonly id: number }) => scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })

/** The recorded change sets of a merge request. */
const changesOf = async (id: number) => {
  const events = await db.selectFrom('events').select('payload').where('kind', '=', 'merge_request.updated').orderBy('id').execute()
  return events
    .map(event => event.payload as { merge_request_id: number; changes: object })
    .filter(payload => payload.merge_request_id === id)
    .map(payload => payload.changes)
}

/** The bodies of the system notes of a merge request. */
const systemNotesOf = async (id: number) => {
  const notes = await db
    .selectFrom('notes')
    .select('body')
    .where('merge_request_id', '=', id)
    .where('action', 'is not', null)
    .orderBy('id')
    .execute()
  return notes.map(note => note.body)
}

test('all attributes of a merge request can be changed, and changes are recorded', async () => {
  const { project, owner, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const milestone = await owner.post(`${project.url}/milestones`, { title: 'v1' })
  const { id, url } = await scene.mergeRequest(project, { labels: 'wood' })
  const { status, body } = await developer.put(url, {
    title: 'Draft: Paint the shed',
    description: '- [ ] paint',
    assignee_id: owner.id,
    reviewer_ids: [reporter.id],
    add_labels: 'colour',
    remove_labels: 'wood',
    milestone_id: milestone.body.id,
    discussion_locked: true,
    squash: true,
    remove_source_branch: false,
    approvals_before_merge: 2,
  })

  assert.equal(status, 200)
  assert.deepEqual(
    [
      body.title,
      body.draft,
      body.assignee.id,
      body.reviewers[0].id,
      body.labels,
      body.milestone.title,
      body.discussion_locked,
      body.squash,
    ],
    ['Draft: Paint the shed', true, owner.id, reporter.id, ['colour'], 'v1', true, true],
  )
  assert.deepEqual([body.force_remove_source_branch, body.task_completion_status], [false, { count: 1, completed_count: 0 }])
  assert.deepEqual(Object.keys((await changesOf(id))[0]!).sort(), [
    'approvals_before_merge',
    'assignees',
    'description',
    'discussion_locked',
    'draft',
    'force_remove_source_branch',
    'labels',
    'milestone_id',
    'reviewers',
    'squash',
    'title',
  ])
  const notes = await systemNotesOf(id)
  assert.ok(notes.includes('marked this merge request as **draft**'))
  assert.ok(notes.includes(`assigned to @${owner.username}`))
  assert.ok(notes.includes(`requested review from @${reporter.username}`))
  // Contract: no note about the title, which is the same apart from the draft mark (public behaviour at 14.0).
  assert.ok(!notes.some(note => note.startsWith('changed title')))
  const todos = await db.selectFrom('todos').select(['user_id', 'action']).where('merge_request_id', '=', id).orderBy('id').execute()
  assert.deepEqual(todos, [
    { user_id: owner.id, action: 'assigned' },
    { user_id: reporter.id, action: 'review_requested' },
  ])

  const { first_contribution: _, ...before } = (await developer.get(url)).body
  assert.deepEqual((await developer.put(url, { title: 'Draft: Paint the shed', squash: true })).body, before)
  assert.equal((await changesOf(id)).length, 1)
  const cleared = (await developer.put(url, { title: 'Paint the shed', assignee_ids: [0], reviewer_ids: '', milestone_id: 0, labels: '' }))
    .body
  assert.deepEqual([cleared.draft, cleared.assignees, cleared.reviewers, cleared.milestone, cleared.labels], [false, [], [], null, []])
})

test('a merge request is closed and reopened by its author, each recorded once', async () => {
  const { project, reporter } = await scene.project({ members: ['reporter'], visibility: 'public' })
  const { id, url } = await scene.mergeRequest(project)
  await db.updateTable('merge_requests').set({ author_id: reporter.id }).where('id', '=', id).execute()
  const closed = await reporter.put(url, { state_event: 'close' })
  const again = await reporter.put(url, { state_event: 'close' })

  assert.deepEqual([closed.body.state, closed.body.closed_by.id, typeof closed.body.closed_at], ['closed', reporter.id, 'string'])
  assert.deepEqual(again.body, closed.body)
  const opened = (await reporter.put(url, { state_event: 'reopen' })).body
  assert.deepEqual([opened.state, opened.closed_by, opened.closed_at], ['opened', null, null])
  assert.deepEqual(await systemNotesOf(id), ['closed', 'reopened'])
  const facts = await db.selectFrom('resource_events').select('state').where('merge_request_id', '=', id).orderBy('id').execute()
  assert.deepEqual(
    facts.map(fact => fact.state),
    ['closed', 'reopened'],
  )
})

test('reopening picks up commits pushed to the source branch while it was closed', async () => {
  const { project, owner } = await scene.project()
  const mergeRequest = await scene.mergeRequest(project)
  await owner.put(mergeRequest.url, { state_event: 'close' })
  const head = await scene.commit(project, { 'later.txt': 'x\n' }, { branch: mergeRequest.source_branch })
  await db.updateTable('merge_requests').set({ head_sha: mergeRequest.sha }).where('id', '=', mergeRequest.id).execute()
  const { body } = await owner.put(mergeRequest.url, { state_event: 'reopen' })

  assert.deepEqual([body.sha, body.diff_refs.head_sha, body.changes_count], [head, head, '2'])
  assert.equal(git(repositoryOf(project), ['rev-parse', 'refs/merge-requests/1/head']), head)
})

test('a changed target branch creates a new version, and is refused if it does not exist', async () => {
  const { project, owner } = await scene.project()
  const mergeRequest = await scene.mergeRequest(project)
  await scene.commit(project, { 'stable.txt': 'x\n' }, { branch: 'stable', start_branch: 'main' })
  const { body } = await owner.put(mergeRequest.url, { target_branch: 'stable' })

  const repository = repositoryOf(project)
  assert.deepEqual(body.diff_refs, {
    base_sha: git(repository, ['merge-base', 'stable', mergeRequest.source_branch]),
    head_sha: mergeRequest.sha,
    start_sha: git(repository, ['rev-parse', 'stable']),
  })
  assert.deepEqual([body.target_branch, body.merge_status], ['stable', 'unchecked'])
  assert.deepEqual(await systemNotesOf(mergeRequest.id), ['changed target branch from `main` to `stable`'])
  const other = await owner.post(`${project.url}/merge_requests`, {
    title: 'Other',
    source_branch: mergeRequest.source_branch,
    target_branch: 'main',
  })
  assert.equal(other.status, 201)
  const message = 'Another open merge request already exists for this source branch'
  assert.deepEqual(await owner.put(mergeRequest.url, { target_branch: 'main' }), { status: 409, body: { message: [`${message}: !2`] } })
  assert.equal((await owner.put(mergeRequest.url, { target_branch: mergeRequest.source_branch })).status, 422)
  assert.deepEqual(await owner.put(mergeRequest.url, { target_branch: 'nowhere' }), {
    status: 400,
    body: { message: { target_branch: ['does not exist'] } },
  })
  await owner.put(mergeRequest.url, { state_event: 'close' })
  await owner.delete(`${project.url}/repository/branches/${mergeRequest.source_branch}`)
  assert.deepEqual((await owner.put(mergeRequest.url, { state_event: 'reopen' })).body, { message: { source_branch: ['does not exist'] } })
})

test('an author without a role can change the text, but nothing that requires a role', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const author = await scene.user()
  const { id, url } = await scene.mergeRequest(project)
  await db.updateTable('merge_requests').set({ author_id: author.id }).where('id', '=', id).execute()
  const { status, body } = await author.put(url, { title: 'Better', labels: 'wood', assignee_ids: [author.id], discussion_locked: true })

  assert.equal(status, 200)
  assert.deepEqual([body.title, body.labels, body.assignees, body.discussion_locked], ['Better', [], [], null])
})

test('two concurrent requests to close a merge request record one event', async () => {
  const { project, owner } = await scene.project()
  const { id, url } = await scene.mergeRequest(project)
  await Promise.all(Array.from({ length: 4 }, () => owner.put(url, { state_event: 'close' })))

  assert.equal((await changesOf(id)).length, 1)
})

test('an owner deletes a merge request, and its git references are deleted', async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  const { url, iid, sha } = await scene.mergeRequest(project)
  const refs = () => git(repositoryOf(project), ['for-each-ref', '--format=%(refname)', 'refs/merge-requests/'])

  assert.equal((await maintainer.delete(url)).status, 403)
  assert.equal((await owner.delete(url)).status, 204)
  assert.equal((await owner.get(url)).status, 404)
  assert.equal(refs(), 'refs/merge-requests/1/head')
  for (const _ of [1, 2]) await dropMergeRequestRefs(scene.deps, { merge_request_id: 0, iid }, { project_id: project.id })
  assert.equal(refs(), '')
  // Its number is not reused.
  const next = await scene.mergeRequest(project)
  assert.deepEqual([next.iid, typeof sha], [2, 'string'])
})

test('merge requests of deleted users are reassigned to the ghost user, or deleted with them', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const other = await scene.user()
  const kept = await scene.mergeRequest(project, { author: developer })
  const gone = await scene.mergeRequest(project)
  await db.updateTable('merge_requests').set({ author_id: other.id }).where('id', '=', gone.id).execute()
  const remove = (person: Person, query: string) => scene.root.delete(`/users/${person.id}${query}`)

  assert.equal((await remove(developer, '')).status, 204)
  assert.equal((await remove(other, '?hard_delete=true')).status, 204)
  assert.equal((await scene.root.get(kept.url)).body.author.username, 'ghost')
  assert.equal((await scene.root.get(gone.url)).status, 404)
})
