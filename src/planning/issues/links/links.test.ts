import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'

const scene = await openScene()

test('two issues are linked, seen from both sides, and the link is deleted', async () => {
  const { project, owner } = await scene.project()
  const other = await scene.project({ owner })
  await owner.post(`${project.url}/issues`, { title: 'one' })
  await owner.post(`${other.project.url}/issues`, { title: 'two' })
  const path = `${project.url}/issues/1/links`

  const made = await owner.post(path, { target_project_id: other.project.full_path, target_issue_iid: 1, link_type: 'is_blocked_by' })
  assert.equal(made.status, 201)
  assert.deepEqual([made.body.source_issue.title, made.body.target_issue.title, made.body.link_type], ['one', 'two', 'is_blocked_by'])

  const [seen] = (await owner.get(path)).body
  assert.deepEqual([seen.title, seen.link_type, seen.references.relative], ['two', 'is_blocked_by', `${other.project.full_path}#1`])
  const [back] = (await owner.get(`${other.project.url}/issues/1/links`)).body
  assert.deepEqual([back.title, back.link_type, back.issue_link_id], ['one', 'blocks', seen.issue_link_id])

  const alone = await owner.get(`${path}/${seen.issue_link_id}`)
  assert.deepEqual([alone.status, alone.body], [200, made.body])
  assert.equal((await owner.get(`${other.project.url}/issues/1/links/${seen.issue_link_id}`)).body.link_type, 'blocks')
  assert.equal((await owner.get(`${path}/${seen.issue_link_id + 1000}`)).status, 404)

  const again = await owner.post(`${other.project.url}/issues/1/links`, { target_project_id: project.id, target_issue_iid: 1 })
  assert.equal(again.status, 409)
  const gone = await owner.delete(`${path}/${seen.issue_link_id}`)
  assert.deepEqual([gone.status, gone.body.link_type], [200, 'is_blocked_by'])
  assert.deepEqual((await owner.get(path)).body, [])
  assert.equal((await owner.delete(`${path}/${seen.issue_link_id}`)).status, 404)
})

test('an issue is not linked with itself, nor with one that does not exist for the caller', async () => {
  const { project, owner } = await scene.project()
  const hidden = await scene.project()
  await owner.post(`${project.url}/issues`, { title: 'one' })
  await hidden.owner.post(`${hidden.project.url}/issues`, { title: 'two' })
  const link = async (id: number | string, iid: number) =>
    (await owner.post(`${project.url}/issues/1/links`, { target_project_id: id, target_issue_iid: iid })).status

  assert.equal(await link(project.id, 1), 400)
  assert.equal(await link(project.id, 99), 404)
  assert.equal(await link(hidden.project.id, 1), 404)
})

test('confidential linked issues are hidden from users who may not see them (decision 34)', async () => {
  const { project, owner, guest } = await scene.project({ members: ['guest'] })
  for (const attributes of [{ title: 'one' }, { title: 'secret', confidential: true }, { title: 'open' }])
    await owner.post(`${project.url}/issues`, attributes)
  for (const iid of [2, 3]) await owner.post(`${project.url}/issues/1/links`, { target_project_id: project.id, target_issue_iid: iid })

  const seen = async (who: typeof owner) =>
    (await who.get(`${project.url}/issues/1/links`)).body.map((issue: { title: string }) => issue.title)
  assert.deepEqual(await seen(owner), ['secret', 'open'])
  assert.deepEqual(await seen(guest), ['open'])
})
