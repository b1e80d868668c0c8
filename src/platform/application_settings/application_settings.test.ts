import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const url = '/application/settings'

test('an administrator changes a setting, and new projects and groups follow it', async () => {
  const before = (await scene.root.get(url)).body
  assert.equal(before.default_project_visibility, 'private')

  const changed = await scene.root.put(url, { default_project_visibility: 'internal', default_group_visibility: 'public' })

  const { updated_at } = changed.body
  assert.deepEqual(changed, {
    status: 200,
    body: { ...before, default_project_visibility: 'internal', default_group_visibility: 'public', updated_at },
  })
  assert.ok(Date.parse(updated_at) > Date.parse(before.updated_at))
  assert.equal((await scene.root.post('/projects', { name: 'follows' })).body.visibility, 'internal')
  assert.equal((await scene.root.post('/groups', { name: 'follows', path: 'follows' })).body.visibility, 'public')
  await scene.root.put(url, { default_project_visibility: 'private', default_group_visibility: 'private' })
})

test('what is not given stays, and what is not allowed changes nothing', async () => {
  const before = (await scene.root.get(url)).body
  assert.deepEqual(await scene.root.put(url, {}), { status: 200, body: before })
  assert.equal((await scene.root.put(url, { default_project_visibility: 'secret' })).status, 400)
  assert.deepEqual((await scene.root.get(url)).body, before)
})
