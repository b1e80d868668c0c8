/** The topics of projects: explored by all, managed by administrators. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('a topic leads to the projects that the reader may see, and is changed and merged by administrators', async () => {
  const admin = await surfer({ admin: true })
  const reader = await surfer()
  const { project: open } = await scene.project({ owner: admin.person, visibility: 'public' })
  const { project: closed } = await scene.project({ owner: admin.person, visibility: 'private' })
  for (const { url } of [open, closed]) await scene.root.put(url, { topics: 'lamps & <oil>' })
  const { body: topics } = await scene.root.get('/topics', { search: 'lamps' })
  const page = `/explore/projects/topics/${encodeURIComponent('lamps & <oil>')}`

  assert.equal(
    (await admin.submit(`/admin/topics/${topics[0].id}/edit`, { name: 'lamps & <oil>', title: 'All lamps', description: '<b>Light' }))
      .status,
    303,
  )

  const { body } = await reader.get(page)
  assert.ok(body.includes(open.full_path) && !body.includes(closed.full_path))
  assert.match(body, /<h1>All lamps<\/h1>.*&lt;b&gt;Light/s)
  assert.ok((await reader.get(`/${open.full_path}`)).body.includes(`href="${page}"`))
  assert.ok((await reader.get('/explore/projects/topics', { search: 'lamps' })).body.includes(`href="${page}"`))
  assert.equal((await reader.get('/explore/projects/topics/none-of-that-name')).status, 404)

  assert.equal((await admin.submit('/admin/topics/new', { name: 'lanterns' })).status, 303)
  const refused = await admin.submit('/admin/topics/merge', { source: 'no topic', target: 'lanterns' })
  assert.match(refused.body, /Topic that goes is not the name of a topic/)
  assert.equal((await admin.submit('/admin/topics/merge', { source: 'lamps & <oil>', target: 'lanterns' })).status, 303)
  assert.deepEqual((await scene.root.get(open.url)).body.topics, ['lanterns'])
  assert.equal((await reader.get('/admin/topics')).status, 404)
  assert.equal((await reader.submit('/admin/topics/new', { name: 'mine' })).status, 404)
})
