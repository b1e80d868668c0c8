import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import { git } from '../../../platform/git/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()

/** A public project with a merge request that was merged by a commit. */
async function place() {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const { iid, source_branch, url, sha } = await scene.mergeRequest(project)
  assert.equal((await owner.person.put(`${url}/merge`, { merge_commit_message: 'Bring it' })).status, 200)
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const say = (...args: string[]) => git(repository, args)
  return { project, source_branch, sha, say, page: `/${project.full_path}/-/merge_requests/${iid}` }
}

test('what was merged is reverted on its branch, or on one of its own for a new merge request', async () => {
  const { page, say, project } = await place()
  assert.match((await owner.get(page)).body, /href="[^"]*\/revert">Revert/)
  assert.doesNotMatch((await reader.get(page)).body, /\/revert"/)
  assert.equal((await reader.get(`${page}/revert`)).status, 403)
  const [merge, before] = [say('rev-parse', 'main'), say('rev-parse', 'main^1^{tree}')]

  const proposed = await owner.submit(`${page}/revert`, { branch: 'main', new_merge_request: 'true' })
  const branch = `revert-${merge.slice(0, 8)}`
  assert.equal(proposed.status, 303)
  assert.deepEqual(Object.fromEntries(new URL(String(proposed.headers.location), scene.url).searchParams), {
    'merge_request[source_branch]': branch,
    'merge_request[target_branch]': 'main',
  })
  assert.equal(say('rev-parse', `${branch}^{tree}`), before)
  assert.equal(say('rev-parse', 'main'), merge)

  const made = await owner.submit(`${page}/revert`, { branch: 'main', new_merge_request: 'false' })
  assert.equal(made.headers.location, `/${project.full_path}/-/commit/${say('rev-parse', 'main')}`)
  assert.equal(say('rev-parse', 'main^{tree}'), before)
  const again = await owner.submit(`${page}/revert`, { branch: 'main', new_merge_request: 'false' })
  assert.equal(again.status, 422)
  assert.match(again.body, /cannot revert this commit automatically/)
})

test('what was merged is picked onto another branch', async () => {
  const { page, say } = await place()
  say('branch', 'older', 'main^1')
  assert.equal((await owner.submit(`${page}/cherry_pick`, { branch: 'older', new_merge_request: 'false' })).status, 303)
  assert.equal(say('rev-parse', 'older^{tree}'), say('rev-parse', 'main^{tree}'))
})

test('the source branch is deleted and restored by those who may push', async () => {
  const { page, say, source_branch, sha } = await place()
  assert.equal((await reader.submit(`${page}/source_branch/delete`, {})).status, 403)
  const deleted = await owner.submit(`${page}/source_branch/delete`, {})
  assert.deepEqual([deleted.status, deleted.headers.location], [303, page])
  assert.equal(say('for-each-ref', `refs/heads/${source_branch}`), '')
  assert.match((await owner.get(page)).body, /Restore the source branch/)
  assert.equal((await owner.submit(`${page}/source_branch/restore`, {})).headers.location, page)
  assert.equal(say('rev-parse', source_branch), sha)
})
