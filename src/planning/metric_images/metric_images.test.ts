/** Metric images of incidents (document 3 "Issue operations", "Metric image"). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

/** The smallest valid GIF. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

function form(bytes: Buffer = gif, fields: Record<string, string> = {}, filename = 'load.gif'): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([Uint8Array.from(bytes)]), filename)
  return form
}

async function incident() {
  const world = await scene.project({ visibility: 'private', members: ['guest', 'reporter'] })
  const { body } = await world.owner.post(`${world.project.url}/issues`, { title: 'All is down', issue_type: 'incident' })
  const url = `${world.project.url}/issues/${body.iid}`
  return { ...world, url, images: `${url}/metric_images` }
}

test('an image is uploaded, listed, changed, served and deleted', async () => {
  const { reporter, guest, images } = await incident()

  const { status, body } = await reporter.post(images, form(gif, { url: 'https://example.com/load' }))

  assert.equal(status, 201)
  assert.deepEqual(body, {
    id: body.id,
    created_at: body.created_at,
    filename: 'load.gif',
    file_path: `/uploads/-/system/issuable_metric_image/file/${body.id}/load.gif`,
    url: 'https://example.com/load',
    url_text: null,
  })
  assert.deepEqual((await guest.get(images)).body, [body])
  const changed = await reporter.put(`${images}/${body.id}`, { url_text: 'Load' })
  assert.deepEqual([changed.status, changed.body.url, changed.body.url_text], [200, 'https://example.com/load', 'Load'])

  const served = await fetch(`${scene.url}${body.file_path}`, { headers: { 'private-token': guest.token } })
  assert.deepEqual([served.status, served.headers.get('content-type')], [200, 'image/gif'])
  assert.ok(Buffer.from(await served.arrayBuffer()).equals(gif))
  const stranger = await fetch(`${scene.url}${body.file_path}`)
  await stranger.body?.cancel()
  assert.equal(stranger.status, 404)

  assert.equal((await reporter.delete(`${images}/${body.id}`)).status, 204)
  assert.deepEqual((await guest.get(images)).body, [])
})

test('an unknown image is a 404 (decision 42)', async () => {
  const { reporter, images } = await incident()

  assert.deepEqual(await reporter.delete(`${images}/1000000`), { status: 404, body: { message: '404 Metric image Not Found' } })
})

test('issues that are not incidents have none: 400', async () => {
  const { owner, project } = await incident()
  const { body } = await owner.post(`${project.url}/issues`, { title: 'Paint the shed' })
  const images = `${project.url}/issues/${body.iid}/metric_images`

  assert.equal((await owner.get(images)).status, 400)
  assert.equal((await owner.post(images, form())).status, 400)
})

test('files that are not images are refused, whatever their name; so are script URLs', async () => {
  const { owner, images } = await incident()

  assert.equal((await owner.post(images, form(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')))).status, 400)
  assert.equal((await owner.post(images, form(Buffer.concat([gif, Buffer.alloc(1024 * 1024)])))).status, 400)
  assert.equal((await owner.post(images, form(gif, { url: 'javascript:alert(1)' }))).status, 400)
  assert.deepEqual((await owner.get(images)).body, [])
})

test('Guests can only read the images of incidents', async () => {
  const { guest, images } = await incident()

  assert.equal((await guest.post(images, form())).status, 403)
  assert.equal((await guest.get(images)).status, 200)
})

test('the images of a deleted issue are not served', async () => {
  const { owner, url, images } = await incident()
  const { body } = await owner.post(images, form())
  await owner.delete(url)

  const answer = await fetch(`${scene.url}${body.file_path}`, { headers: { 'private-token': owner.token } })
  await answer.body?.cancel()
  assert.equal(answer.status, 404)
})
