/** The issues that merge requests close, and how they are found (document 3 "Issue operations", "Merge request operations"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../../test/scene.ts'
import { systemNotesShown } from '../../../collaboration/system_notes/scene.ts'
import { processCommitMessages } from '../../../planning/commit_messages/process.ts'
import { closeIssues } from '../merging/closing.ts'

const scene = await openScene()

const titles = ({ body }: { body: { title: string }[] }) => body.map(row => row.title)

/** Creates issues with these titles; numbers start at 1. */
async function issuesIn(who: Person, project: SceneProject, ...wanted: string[]): Promise<void> {
  for (const title of wanted) assert.equal((await who.post(`${project.url}/issues`, { title })).status, 201)
}

test('a merge request closes the issues that closing patterns in its description and commit messages name (document 3 `closes_issues`, `closed_by`)', async () => {
  const { project, owner } = await scene.project()
  await issuesIn(owner, project, 'one', 'two', 'three', 'four')
  await scene.commit(project, { 'a.txt': 'a\n' })
  await scene.commit(project, { 'b.txt': 'b\n' }, { branch: 'topic', start_branch: 'main', message: 'Add b\n\nFixes #2' })
  const description = `Closes #1 and ${scene.url}/${project.full_path}/-/issues/3. See #4.`
  const { url } = await scene.mergeRequest(project, { author: owner, source_branch: 'topic', description, title: 'Mend' })
  const closes = async () => titles(await owner.get(`${url}/closes_issues`))
  const issue = async (iid: number) => (await owner.get(`${project.url}/issues/${iid}`)).body

  assert.deepEqual(await closes(), ['one', 'two', 'three'])
  assert.deepEqual(titles(await owner.get(`${project.url}/issues/1/closed_by`)), ['Mend'])
  assert.deepEqual(titles(await owner.get(`${project.url}/issues/4/closed_by`)), [])
  assert.deepEqual([(await issue(1)).merge_requests_count, (await issue(4)).merge_requests_count], [1, 0])
  assert.deepEqual(titles(await owner.get(`${project.url}/issues/4/related_merge_requests`)), ['Mend'], 'it is named')
  assert.deepEqual(titles(await owner.get(`${url}/related_issues`)), ['one', 'two', 'three', 'four'])

  assert.equal((await owner.put(url, { description: 'Closes #4' })).status, 200)
  assert.deepEqual(await closes(), ['two', 'four'], 'commits still say what they said')
  assert.deepEqual([(await issue(1)).merge_requests_count, (await issue(4)).merge_requests_count], [0, 1])
  assert.deepEqual(titles(await owner.get(`${project.url}/issues/1/closed_by`)), [])
  assert.deepEqual(titles(await owner.get(`${project.url}/issues/1/related_merge_requests`)), ['Mend'], 'it was named once')

  assert.equal((await owner.delete(url)).status, 204)
  assert.equal((await issue(4)).merge_requests_count, 0)
  assert.deepEqual(titles(await owner.get(`${project.url}/issues/4/related_merge_requests`)), [])
})

test('a merge request of a private project that closes an issue counts for those alone who may see it', async () => {
  const { project, owner, reporter } = await scene.project({ visibility: 'public', members: ['reporter'] })
  await issuesIn(owner, project, 'open to all')
  const { project: hidden } = await scene.project({ owner })
  await scene.mergeRequest(hidden, { author: owner, description: `Closes ${project.full_path}#1`, title: 'Unannounced' })

  const seen = async (who: Pick<Person, 'get'>) => [
    (await who.get(`${project.url}/issues/1`)).body.merge_requests_count,
    (await who.get(`${project.url}/issues`)).body[0].merge_requests_count,
    (await who.get(`${project.url}/issues/1/closed_by`)).body.length,
  ]
  assert.deepEqual(await seen(owner), [1, 1, 1])
  assert.deepEqual(await seen(reporter), [0, 0, 0])
  assert.deepEqual(await seen(scene.anonymous), [0, 0, 0])
})

test('only merge requests into the default branch close issues, and only in projects where that is enabled (`autoclose_referenced_issues`)', async () => {
  const { project, owner } = await scene.project()
  const { project: other } = await scene.project({ owner })
  await issuesIn(owner, project, 'here')
  await issuesIn(owner, other, 'there')
  await scene.commit(project, { 'a.txt': 'a\n' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'stable', ref: 'main' })
  const description = `Closes #1, ${other.full_path}#1`
  const { url } = await scene.mergeRequest(project, { author: owner, description, target_branch: 'stable' })
  const closes = async () => titles(await owner.get(`${url}/closes_issues`))

  assert.deepEqual(await closes(), [])
  await owner.put(url, { target_branch: 'main' })
  assert.deepEqual(await closes(), ['here', 'there'])
  assert.deepEqual(
    (await owner.get(`${url}/closes_issues`)).body[1].references.relative,
    `${other.full_path}#1`,
    'otherwise the full path (decision 33)',
  )
  await owner.put(other.url, { autoclose_referenced_issues: false })
  await owner.put(url, { description: `${description}.` })
  assert.deepEqual(await closes(), ['here'])
})

test('merge requests and issues that a user may not see are not listed', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const { project: secret } = await scene.project({ owner })
  await issuesIn(owner, project, 'open')
  await owner.post(`${project.url}/issues`, { title: 'confidential', confidential: true })
  await issuesIn(owner, secret, 'hidden')
  const own = await scene.mergeRequest(project, { author: owner, title: 'own', description: `Closes #1, #2, ${secret.full_path}#1` })
  await scene.mergeRequest(secret, { author: owner, title: 'far', description: `Closes ${project.full_path}#1` })

  for (const [who, issues, requests] of [
    [owner, ['open', 'confidential', 'hidden'], ['own', 'far']],
    [scene.anonymous, ['open'], ['own']],
  ] as const) {
    assert.deepEqual(titles(await who.get(`${own.url}/closes_issues`)).sort(), [...issues].sort())
    assert.deepEqual(titles(await who.get(`${project.url}/issues/1/closed_by`)), requests)
    assert.deepEqual(titles(await who.get(`${project.url}/issues/1/related_merge_requests`)).sort(), [...requests].sort())
  }
})

test('the merge requests of a commit: those that contain it, and the one that merged it (commits API)', async () => {
  const { project, owner } = await scene.project()
  const base = await scene.commit(project, { 'a.txt': 'a\n' })
  const sha = await scene.commit(project, { 'b.txt': 'b\n' }, { branch: 'topic', start_branch: 'main' })
  const last = await scene.commit(project, { 'c.txt': 'c\n' }, { branch: 'topic' })
  const { url } = await scene.mergeRequest(project, { author: owner, source_branch: 'topic', title: 'first' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'stable', ref: 'main' })
  await scene.mergeRequest(project, { author: owner, source_branch: 'topic', target_branch: 'stable', title: 'second' })
  const of = async (commit: string) => titles(await owner.get(`${project.url}/repository/commits/${commit}/merge_requests`))

  assert.deepEqual(await of(sha), ['second', 'first'])
  assert.deepEqual(await of(last.slice(0, 10)), ['second', 'first'])
  assert.deepEqual(await of(base), [])
  const merged = await owner.put(`${url}/merge`)
  assert.equal(merged.status, 200)
  assert.deepEqual(await of(merged.body.merge_commit_sha), ['first'])
  assert.equal((await owner.get(`${project.url}/repository/commits/${'0'.repeat(39)}1/merge_requests`)).status, 404)
})

test('a merge closes issues, and leaves a note naming the merge request for readers who may see it (public behaviour)', async () => {
  const { project, owner, guest } = await scene.project({ members: ['guest'] })
  const { project: other } = await scene.project({ owner, visibility: 'public' })
  await issuesIn(owner, project, 'here')
  await issuesIn(owner, other, 'there')
  const given = { author: owner, title: 'Mend', description: `Closes #1, ${other.full_path}#1` }
  const { url } = await scene.mergeRequest(project, given)
  const closingNotes = async (who: { readonly id?: number }, { id }: SceneProject) =>
    (await systemNotesShown(scene, who.id, id, 1)).filter(body => body.startsWith('closed'))

  const { body: merged } = await owner.put(`${url}/merge`, { merge_commit_message: 'Merge it\n\nCloses #1' })
  const actor_id = owner.id
  // The commit message of the merge is processed first, and closes nothing by itself.
  const moves = [{ ref: 'refs/heads/main', old: merged.diff_refs.start_sha, new: merged.merge_commit_sha }]
  await processCommitMessages(scene.deps, { moves }, { actor_id, project_id: project.id })
  await closeIssues(scene.deps, { merge_request_id: merged.id }, { actor_id, project_id: project.id })

  assert.deepEqual(await closingNotes(owner, project), [`closed via merge request !${merged.iid}`])
  assert.deepEqual(await closingNotes(guest, project), [], 'guests of a private project see no merge requests')
  assert.deepEqual(await closingNotes(owner, other), [`closed via merge request ${project.full_path}!${merged.iid}`])
  assert.deepEqual(await closingNotes({}, other), [])
})
