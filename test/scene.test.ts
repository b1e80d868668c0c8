import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from './scene.ts'

const scene = await openScene()

test('people see what their membership lets them see', async () => {
  const { project, owner, guest } = await scene.project({ members: ['guest'] })
  const outsider = await scene.user()

  const answers = await Promise.all([owner, guest, outsider, scene.anonymous].map(client => client.get(project.url)))

  assert.deepEqual(
    answers.map(answer => answer.status),
    [200, 200, 404, 404],
  )
  assert.deepEqual(answers[2], { status: 404, body: { message: '404 Project Not Found' } })
})

test('a project in a group belongs to the group', async () => {
  const { group, owner, maintainer } = await scene.group({ members: ['maintainer'], visibility: 'public' })
  const { project } = await scene.project({ group, visibility: 'public' })

  assert.equal(project.full_path, `${group.path}/${project.path}`)
  assert.equal((await maintainer.get(project.url)).body.permissions.group_access.access_level, 40)
  assert.equal((await owner.get(group.url)).body.full_path, group.full_path)
})

test('the clock stands still where a test wants it to', async () => {
  scene.setTime('2031-05-01T12:00:00.000Z')
  const { project } = await scene.project()
  const answer = await scene.root.get(project.url)
  scene.setTime(undefined)

  assert.equal(answer.body.created_at, '2031-05-01T12:00:00.000Z')
})

test('clients send queries, JSON, forms and multipart bodies', async () => {
  const { group, owner } = await scene.group()
  const form = new FormData()
  form.set('description', 'by multipart')

  const descriptions = [
    await owner.put(group.url, { description: 'by JSON' }),
    await owner.put(group.url, new URLSearchParams({ description: 'by form' })),
    await owner.put(group.url, form),
    await owner.request('PUT', group.url, { query: { description: 'by query' } }),
  ].map(answer => answer.body.description)

  assert.deepEqual(descriptions, ['by JSON', 'by form', 'by multipart', 'by query'])
})
