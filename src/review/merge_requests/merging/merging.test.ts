/** Merging, as seen by git and by API clients (merge requests API at 14.0; document 3 `merge_method`, `squash_option`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, openScene, type SceneProject } from '../../../../test/scene.ts'
import type { Repository } from '../../../platform/git/index.ts'
import { git } from '../../../platform/git/scene.ts'
import { checkMergeability } from './mergeability/check.ts'

const scene = await openScene()

const repositoryOf = (project: SceneProject): Repository =>
  scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })

const say = (project: SceneProject, args: readonly string[]) => git(repositoryOf(project), args)

/** A project with a file on its default branch, and a topic with two commits. */
async function world(settings: Record<string, unknown> = {}) {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const start = await scene.commit(project, { 'a.txt': 'a\n' })
  await scene.root.delete(`${project.url}/protected_branches/main`)
  if (Object.keys(settings).length > 0) assert.equal((await owner.put(project.url, settings)).status, 200)
  await scene.commit(project, { 'b.txt': 'b\n' }, { branch: 'topic', start_branch: 'main', message: 'Add b\n\nIt was missing.' })
  const head = await scene.commit(project, { 'c.txt': 'c\n' }, { branch: 'topic', message: 'Add c' })
  const open = (author: Client, more: Record<string, unknown> = {}) =>
    author.post(`${project.url}/merge_requests`, {
      source_branch: 'topic',
      target_branch: 'main',
      title: 'Add b and c',
      remove_source_branch: false,
      ...more,
    })
  const created = await open(developer)
  assert.equal(created.status, 201)
  return { project, owner, developer, start, head, url: `${project.url}/merge_requests/1`, open }
}

test('a merge commit joins both branches, with the default message, by the user who merges', async () => {
  const { project, developer, head, url } = await world()
  const tip = await scene.commit(project, { 'd.txt': 'd\n' })

  const { status, body } = await developer.put(`${url}/merge`)

  assert.equal(status, 200)
  assert.deepEqual(
    [body.state, body.merged_by.id, body.merge_user.id, body.squash_commit_sha, body.merge_commit_sha],
    ['merged', developer.id, developer.id, null, say(project, ['rev-parse', 'main'])],
  )
  assert.equal(
    say(project, ['log', '-1', '--format=%P%n%an %ae%n%B', 'main']),
    `${tip} ${head}
${developer.name} ${developer.email}
Merge branch 'topic' into 'main'

Add b and c

See merge request ${project.full_path}!1`,
  )
  assert.equal(say(project, ['ls-tree', '--name-only', 'main']), 'a.txt\nb.txt\nc.txt\nd.txt')
  assert.equal(say(project, ['rev-parse', 'topic']), head)
})

test('a squash makes one commit by the author on top of the merge base', async () => {
  const { project, owner, developer, start, url } = await world()
  const tip = await scene.commit(project, { 'd.txt': 'd\n' })

  const { body } = await owner.put(`${url}/merge`, { squash: true, merge_commit_message: 'Both' })

  assert.equal(say(project, ['log', '-1', '--format=%P %B', 'main']), `${tip} ${body.squash_commit_sha} Both`)
  // The first commit message of more than one line (merge requests API).
  assert.equal(
    say(project, ['log', '-1', '--format=%P|%an|%cn|%B', body.squash_commit_sha]),
    `${start}|${developer.name}|${owner.name}|Add b\n\nIt was missing.`,
  )
  assert.equal(say(project, ['ls-tree', '--name-only', 'main']), 'a.txt\nb.txt\nc.txt\nd.txt')
})

test('a fast-forward makes no commit, and is refused when the branch must be rebased first (document 3 `merge_method`)', async () => {
  const { project, owner, head, url } = await world({ merge_method: 'ff' })
  const { body } = await owner.put(`${url}/merge`)
  assert.deepEqual([body.state, body.merge_commit_sha, body.squash_commit_sha], ['merged', null, null])
  assert.equal(say(project, ['rev-parse', 'main']), head)

  const other = await world({ merge_method: 'ff' })
  await scene.commit(other.project, { 'd.txt': 'd\n' })
  assert.deepEqual(await other.owner.put(`${other.url}/merge`), { status: 406, body: { message: 'Branch cannot be merged' } })

  const squashed = await world({ merge_method: 'ff' })
  const answer = await squashed.owner.put(`${squashed.url}/merge`, { squash: true, squash_commit_message: 'One' })
  assert.deepEqual([answer.body.merge_commit_sha, answer.body.squash_commit_sha], [null, say(squashed.project, ['rev-parse', 'main'])])
  assert.equal(say(squashed.project, ['log', '-1', '--format=%P %B', 'main']), `${squashed.start} One`)
})

test('a merge commit of a linear history needs a branch that is up to date (document 3 `rebase_merge`)', async () => {
  const { project, owner, start, head, url } = await world({ merge_method: 'rebase_merge' })
  assert.equal((await owner.put(`${url}/merge`)).status, 200)
  assert.equal(say(project, ['log', '-1', '--format=%P', 'main']), `${start} ${head}`)

  const other = await world({ merge_method: 'rebase_merge' })
  await scene.commit(other.project, { 'd.txt': 'd\n' })
  assert.equal((await other.owner.put(`${other.url}/merge`)).status, 406)
})

test('a single merge request reports that it must be rebased, until it is (additive `detailed_merge_status`)', async () => {
  const { project, owner, url } = await world({ merge_method: 'ff' })
  const { id } = (await owner.get(url)).body
  const said = async () => {
    await checkMergeability(scene.deps, { merge_request_id: id })
    return (await owner.get(url)).body.detailed_merge_status
  }
  const words = [await said()]
  await scene.commit(project, { 'd.txt': 'd\n' })
  words.push(await said())
  assert.equal((await owner.put(project.url, { merge_method: 'merge' })).status, 200)
  words.push(await said())

  assert.deepEqual(words, ['mergeable', 'need_rebase', 'mergeable'])
})

test("the project's setting decides whether commits are squashed (document 3 `squash_option`)", async () => {
  const always = await world({ squash_option: 'always' })
  assert.match((await always.owner.put(`${always.url}/merge`, { squash: false })).body.squash_commit_sha, /^[0-9a-f]{40}$/)
  const never = await world({ squash_option: 'never' })
  assert.equal((await never.owner.put(`${never.url}/merge`, { squash: true })).body.squash_commit_sha, null)
})

test('a merge request that is not ready is refused and unchanged', async () => {
  const { project, developer, head, url } = await world()
  const merge = (more = {}) => developer.put(`${url}/merge`, more)
  const refusal = { status: 405, body: { message: '405 Method Not Allowed' } }

  assert.deepEqual(await merge({ sha: '0'.repeat(40) }), {
    status: 409,
    body: { message: `SHA does not match HEAD of source branch: ${head}` },
  })
  const reader = await scene.user()
  await scene.root.put(project.url, { visibility: 'public' })
  assert.deepEqual(await reader.put(`${url}/merge`), { status: 401, body: { message: '401 Unauthorized' } })
  // The branch protection decides who may merge.
  await scene.root.post(`${project.url}/protected_branches`, { name: 'main', merge_access_level: 40, push_access_level: 40 })
  assert.equal((await merge()).status, 401)
  await scene.root.delete(`${project.url}/protected_branches/main`)
  await scene.commit(project, { 'c.txt': 'other\n' })
  assert.deepEqual(await merge(), { status: 406, body: { message: 'Branch cannot be merged' } })
  assert.equal((await developer.get(url)).body.state, 'opened')

  const draft = await scene.mergeRequest(project, { title: 'Draft: not yet' })
  assert.deepEqual(await scene.root.put(`${draft.url}/merge`), refusal)
  const done = await scene.mergeRequest(project)
  assert.equal((await scene.root.put(`${done.url}/merge`)).status, 200)
  assert.deepEqual(await scene.root.put(`${done.url}/merge`), refusal)
  await scene.root.put(project.url, { only_allow_merge_if_pipeline_succeeds: true })
  const unbuilt = await scene.mergeRequest(project)
  assert.deepEqual(await scene.root.put(`${unbuilt.url}/merge`), refusal)
})

test('the source branch is removed on request unless other merge requests use it', async () => {
  const { project, developer, url } = await world()
  assert.equal((await developer.put(`${url}/merge`, { should_remove_source_branch: true })).status, 200)
  assert.equal(say(project, ['for-each-ref', '--format=%(refname)', 'refs/heads']), 'refs/heads/main')

  const kept = await world()
  await scene.root.post(`${kept.project.url}/protected_branches`, { name: 'topic' })
  assert.equal((await kept.owner.put(`${kept.url}/merge`, { should_remove_source_branch: true })).status, 200)
  assert.equal(say(kept.project, ['rev-parse', 'topic']), kept.head)
})

test("the project's default for removing source branches does not apply to the API (public behaviour)", async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a\n' })
  await scene.commit(project, { 'b.txt': 'b\n' }, { branch: 'topic', start_branch: 'main' })
  assert.equal((await owner.get(project.url)).body.remove_source_branch_after_merge, true)

  const made = await owner.post(`${project.url}/merge_requests`, { source_branch: 'topic', target_branch: 'main', title: 'b' })
  const merged = await owner.put(`${project.url}/merge_requests/${made.body.iid}/merge`)

  assert.deepEqual([made.body.force_remove_source_branch, merged.body.state], [null, 'merged'])
  assert.equal((await owner.get(`${project.url}/repository/branches/topic`)).status, 200)
})
