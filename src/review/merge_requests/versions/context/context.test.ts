/** Commits that merge requests build upon (merge request context commits API at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'

const scene = await openScene()

test('commits of the target project are listed with a merge request, newest first, until they are removed', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const older = await scene.commit(project, { 'a.txt': 'a' }, { message: 'Begin\n\nWith a text' })
  const newer = await scene.commit(project, { 'b.txt': 'b' }, { message: 'Go on' })
  const { url } = await scene.mergeRequest(project, { author: developer })
  const context = `${url}/context_commits`
  const listed = async () => (await owner.get(context)).body.map((commit: { id: string }) => commit.id)

  const added = await developer.post(context, { commits: [older.slice(0, 10), newer] })

  assert.equal(added.status, 201)
  assert.deepEqual(
    added.body.map((commit: { id: string; title: string; message: string }) => [commit.id, commit.title, commit.message.trim()]),
    [
      [older, 'Begin', 'Begin\n\nWith a text'],
      [newer, 'Go on', 'Go on'],
    ],
  )
  assert.deepEqual(new Set(await listed()), new Set([newer, older]))
  assert.equal((await developer.get(`${context}?per_page=1`)).body.length, 1)
  assert.equal((await developer.delete(context, { commits: older })).status, 403, 'removing takes the right to delete the merge request')
  assert.equal((await owner.delete(context, { commits: older })).status, 204)
  assert.deepEqual(await listed(), [newer])
})

test('unknown commits and commits added before are a 400 and change nothing', async () => {
  const { project, owner } = await scene.project()
  const sha = await scene.commit(project, { 'a.txt': 'a' })
  const { url } = await scene.mergeRequest(project, { author: owner })
  const context = `${url}/context_commits`
  await owner.post(context, { commits: sha })
  const wrong = { message: { commits: ["One or more context commits' sha is not valid."] } }

  for (const commits of [['main'], ['f'.repeat(40)], [sha, 'deadbeef']])
    assert.deepEqual(await owner.post(context, { commits }), { status: 400, body: wrong })
  assert.equal((await owner.post(context, { commits: [sha] })).status, 400)
  assert.equal((await owner.post(context, { commits: Array(21).fill(sha) })).status, 400)
  assert.equal((await owner.delete(context, { commits: 'f'.repeat(40) })).status, 400)
  assert.equal((await owner.get(context)).body.length, 1)
})
