/** Which approvals count: those of people who could give them today. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'

const scene = await openScene()

async function proposed(settings: object = {}) {
  const world = await scene.project({ members: ['developer', 'maintainer'] })
  await world.owner.post(`${world.project.url}/approvals`, { approvals_before_merge: 1, reset_approvals_on_push: false, ...settings })
  const mergeRequest = await scene.mergeRequest(world.project, { author: world.developer })
  const approver = await scene.user()
  await world.owner.post(`${world.project.url}/members`, { user_id: approver.id, access_level: 30 })
  const left = async () => (await world.owner.get(`${mergeRequest.url}/approvals`)).body.approvals_left
  const merge = async () => (await world.maintainer.put(`${mergeRequest.url}/merge`)).status
  return { ...world, mergeRequest, approver, left, merge }
}

type World = Awaited<ReturnType<typeof proposed>>

const ends: Record<string, (world: World) => Promise<{ status: number }>> = {
  removed: ({ owner, project, approver }) => owner.delete(`${project.url}/members/${approver.id}`),
  'made a Reporter': ({ owner, project, approver }) => owner.put(`${project.url}/members/${approver.id}`, { access_level: 20 }),
  blocked: ({ approver }) => scene.root.post(`/users/${approver.id}/block`),
}

for (const [end, take] of Object.entries(ends))
  test(`the approval of an approver who was ${end} counts neither for a number nor for a rule for everyone, and nothing is merged by it`, async () => {
    for (const byRule of [false, true]) {
      const world = await proposed()
      const { owner, project, mergeRequest, approver, left, merge } = world
      if (byRule) await owner.post(`${project.url}/approval_rules`, { name: 'All', rule_type: 'any_approver', approvals_required: 1 })
      assert.equal((await approver.post(`${mergeRequest.url}/approve`)).status, 201)
      assert.equal(await left(), 0)

      assert.ok((await take(world)).status < 300)

      assert.equal(await left(), 1)
      assert.equal((await owner.get(`${mergeRequest.url}/approvals`)).body.approved, false)
      assert.equal((await owner.get(`${mergeRequest.url}/approval_state`)).body.rules.at(0).approved, false)
      assert.equal(await merge(), 405)
      assert.equal((await owner.post(`${mergeRequest.url}/approve`)).status, 201, 'another approves in their place')
      assert.equal(await merge(), 200)
    }
  })

test('the approval of an author counts no longer than authors may approve', async () => {
  const { owner, project, mergeRequest, developer, left } = await proposed({ merge_requests_author_approval: true })
  assert.equal((await developer.post(`${mergeRequest.url}/approve`)).status, 201)
  assert.equal(await left(), 0)

  await owner.post(`${project.url}/approvals`, { merge_requests_author_approval: false })

  assert.equal(await left(), 1)
})

test('an administrator without a role approves, until they are none', async () => {
  const { mergeRequest, left } = await proposed()
  const admin: Person = await scene.user({ admin: true })
  assert.equal((await admin.post(`${mergeRequest.url}/approve`)).status, 201)
  assert.equal(await left(), 0)

  await scene.root.put(`/users/${admin.id}`, { admin: false })

  assert.equal(await left(), 1)
})

test('who approves and then commits has not approved, where committers may not', async () => {
  for (const isBarred of [true, false]) {
    const world = await proposed({ merge_requests_disable_committers_approval: isBarred })
    const { project, mergeRequest, approver, left, merge } = world
    assert.equal((await approver.post(`${mergeRequest.url}/approve`)).status, 201)
    const own = [{ action: 'create', file_path: 'own.txt', content: 'my own work' }]
    const branch = mergeRequest.source_branch
    const commit = await approver.post(`${project.url}/repository/commits`, { branch, commit_message: 'Add own work', actions: own })
    assert.equal(commit.status, 201)

    assert.equal(await merge(), isBarred ? 405 : 200)
    if (isBarred) assert.equal(await left(), 1)
  }
})
