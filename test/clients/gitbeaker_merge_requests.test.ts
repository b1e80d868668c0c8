/** Merge requests by gitbeaker (`@gitbeaker/rest`) as npm has it: what they are, and what they change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitbeakerRequestError, Gitlab } from '@gitbeaker/rest'
import { openScene } from '../scene.ts'

const scene = await openScene()

/** A project whose branch `topic` adds a file to `main`. */
async function withTopic() {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { 'a.txt': 'a\n' })
  const head = await scene.commit(project, { 'b.txt': 'b\n' }, { branch: 'topic', start_branch: 'main' })
  return { id: project.id, owner, developer, head, client: new Gitlab({ host: scene.url, token: owner.token }) }
}

test('merge requests are created, read, changed and deleted', async () => {
  const { client, id, developer, head } = await withTopic()
  const options = { assigneeIds: [developer.id], reviewerIds: [developer.id], labels: 'wood', removeSourceBranch: true }
  const made = await client.MergeRequests.create(id, 'topic', 'main', 'Paint the shed', options)

  assert.deepEqual([made.iid, made.sha, made.state, made.labels], [1, head, 'opened', ['wood']])
  const shown = await client.MergeRequests.show(id, made.iid, {
    includeDivergedCommitsCount: true,
    includeRebaseInProgress: true,
    renderHtml: true,
  })
  assert.deepEqual([shown.diverged_commits_count, shown.rebase_in_progress, shown.title_html], [0, false, 'Paint the shed'])
  assert.equal((await client.MergeRequests.edit(id, made.iid, { title: 'Draft: Paint', addLabels: 'colour' })).draft, true)
  assert.equal((await client.MergeRequests.edit(id, made.iid, { stateEvent: 'close' })).state, 'closed')
  assert.deepEqual(
    (await client.MergeRequests.showReviewers(id, made.iid)).map(reviewer => [reviewer.user.id, reviewer.state]),
    [[developer.id, 'unreviewed']],
  )
  await client.MergeRequests.remove(id, made.iid)
  await assert.rejects(
    client.MergeRequests.show(id, made.iid),
    error => error instanceof GitbeakerRequestError && error.cause?.response.status === 404,
  )
})

test('what merge requests change', async () => {
  const { client, id, head } = await withTopic()
  const { iid } = await client.MergeRequests.create(id, 'topic', 'main', 'Paint the shed')

  assert.deepEqual(
    (await client.MergeRequests.allCommits(id, iid)).map(commit => commit.id),
    [head],
  )
  assert.equal((await client.MergeRequests.showChanges(id, iid, { accessRawDiffs: true })).changes?.[0]?.new_path, 'b.txt')
  assert.equal((await client.MergeRequests.allDiffs(id, iid))[0]?.new_path, 'b.txt')
  const [version] = await client.MergeRequests.allDiffVersions(id, iid)
  assert.equal((await client.MergeRequests.showDiffVersion(id, iid, version?.id as number)).head_commit_sha, head)
})
