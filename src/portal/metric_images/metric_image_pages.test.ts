/** The metric images of incidents in the browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A picture of one pixel, with bytes after it that no reader minds. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
const picture = Buffer.concat([pixel, Buffer.alloc(600_000)])

test('an image is added to an incident, gets a link, and is removed; other issues have none', async () => {
  const owner = await surfer()
  const reader = await surfer()
  const by = scene.as({ 'private-token': owner.person.token })
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const { body: incident } = await by.post(`${project.url}/issues`, { title: 'Dark', issue_type: 'incident' })
  const { body: issue } = await by.post(`${project.url}/issues`, { title: 'Lamp' })
  const at = `/${project.full_path}/-/issues/${incident.iid}`
  const images = `${at}/metric_images`
  assert.ok((await owner.get(at)).body.includes(`href="${images}"`))

  const form = (await owner.get(`${images}/new`)).body
  const [, token = ''] = /name="authenticity_token" value="([^"]+)"/.exec(form) ?? []
  const sent = new FormData()
  for (const [name, value] of Object.entries({ authenticity_token: token, url: '', url_text: '' })) sent.set(name, value)
  sent.set('file', new Blob([picture], { type: 'image/png' }), 'load <1>.png')
  const added = await owner.client.post(`${scene.url}${images}/new`, sent)
  assert.equal(added.status, 303, added.body)

  const [{ id, filename }] = (await by.get(`${project.url}/issues/${incident.iid}/metric_images`)).body
  const edit = await owner.submit(`${images}/${id}/edit`, { url: 'https://charts.example.com/1', url_text: '<b>Load' })
  assert.equal(edit.status, 303)
  const shown = (await reader.get(images)).body
  assert.match(shown, /href="https:\/\/charts\.example\.com\/1"[^>]*>&lt;b&gt;Load</)
  assert.ok(!shown.includes('/remove') && filename !== '')
  const onIncident = new RegExp(`<a class="side-picture" href="${images}"><img src="([^"]*)" alt="&lt;b&gt;Load"`).exec(
    (await reader.get(at)).body,
  )
  assert.equal((await reader.get(onIncident?.[1] ?? '')).status, 200)
  assert.equal((await reader.submit(`${images}/${id}/remove`, {})).status, 403)
  assert.equal((await owner.submit(`${images}/${id}/edit`, { url: 'javascript:alert(1)', url_text: '' })).status, 422)
  assert.equal((await owner.submit(`${images}/${id}/remove`, {})).status, 303)
  assert.match((await owner.get(images)).body, /Nothing here yet/)
  assert.equal((await owner.get(`/${project.full_path}/-/issues/${issue.iid}/metric_images`)).status, 400)
})
