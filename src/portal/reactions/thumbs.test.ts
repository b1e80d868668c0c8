/** Thumbs stand below the descriptions of a project's items, where it says so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('thumbs are shown to those who may react, also while nobody has, unless the project turns them off', async () => {
  const owner = await surfer()
  const by = scene.as({ 'private-token': owner.person.token })
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const { body: issue } = await by.post(`${project.url}/issues`, { title: 'Lamp' })
  const page = `/${project.full_path}/-/issues/${issue.iid}`
  await by.post(`${project.url}/issues/${issue.iid}/award_emoji`, { name: 'tada' })

  assert.match((await owner.get(page)).body, /React with thumbsup: 0.*React with thumbsdown: 0.*Take back tada: 1/s)
  const seen = await scene.anonymous.get(`${scene.url}${page}`)
  assert.ok(!seen.body.includes('thumbsup') && seen.body.includes('reacted with tada'))

  await by.put(project.url, { show_default_award_emojis: false })
  const { body } = await owner.get(page)
  assert.ok(!body.includes('React with thumbsup: 0') && body.includes('Take back tada: 1'))
})
