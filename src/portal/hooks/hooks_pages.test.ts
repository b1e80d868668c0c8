import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { openReceiver, workOf } from '../../integrations/hooks/scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { surfer } = oauthScene(scene)
const { deliver } = workOf(scene)
const maintainer = await surfer()
const by = scene.as({ 'private-token': maintainer.person.token })

async function hooked() {
  const { project } = await scene.project({ owner: maintainer.person, visibility: 'public' })
  await scene.commit(project, { 'a.txt': 'a' })
  return { project, hooks: `/${project.full_path}/-/hooks` }
}

test('a hook is set up, fails, is mended and sent again, and its token is on no page', async () => {
  let status = 422
  const receiver = await openReceiver((_request, response) => void response.writeHead(status, { 'x-reason': 'lamp' }).end('<b>no wick</b>'))
  const { project, hooks } = await hooked()
  assert.match((await maintainer.get(hooks)).body, /Nothing here yet/)

  const refused = await maintainer.submit(`${hooks}/new`, { url: 'ftp://nowhere', push_events: 'true' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /value="ftp:\/\/nowhere"/)
  assert.match(refused.body, /name="url"[^>]*aria-invalid="true"/)
  assert.match(refused.body, /must begin with http:\/\/ or https:\/\//)
  const wrong = { url: receiver.url, token: 'a\u2026', push_events_branch_filter: 'a..b' }
  for (const name of ['push_events_branch_filter', 'token']) {
    const { body } = await maintainer.submit(`${hooks}/new`, name === 'token' ? { ...wrong, push_events_branch_filter: '' } : wrong)
    assert.match(body, new RegExp(`name="${name}"[^>]*aria-invalid="true"`))
  }
  assert.equal((await maintainer.submit(`${hooks}/new`, { url: receiver.url, token: 'hush', push_events: 'true' })).status, 303)
  const [{ id }] = (await by.get(`${project.url}/hooks`)).body
  const hook = `${hooks}/${id}`
  assert.equal((await maintainer.submit(`${hook}/test/releases_events`, {})).status, 422)
  assert.equal((await maintainer.submit(`${hook}/test/push_events`, {})).status, 303)
  await deliver()

  assert.match((await maintainer.get(hooks)).body, /Failed 422/)
  const log = await maintainer.get(hook)
  const delivery = /href="([^"]*\/hook_logs\/\d+)"/.exec(log.body)?.[1] as string
  const failed = await maintainer.get(delivery)
  assert.match(failed.body, /&lt;b&gt;no wick&lt;\/b&gt;/)
  assert.match(failed.body, /<dt>x-reason<\/dt><dd>lamp<\/dd>/)
  assert.match(failed.body, /X-Gitlab-Event<\/dt><dd>Push Hook/)
  for (const { body } of [failed, log, await maintainer.get(`${hook}/edit`)]) assert.ok(!body.includes('hush'))

  status = 200
  const again = await maintainer.submit(`${delivery}/retry`, {})
  assert.equal(again.status, 303)
  const sent = await maintainer.get(String(again.headers.location))
  assert.match(sent.body, /Delivered 200/)
  const [first, second] = receiver.received.slice(-2)
  assert.deepEqual(second?.body, first?.body)
  assert.equal(second?.headers['x-gitlab-token'], 'hush')
  assert.notEqual(second?.headers['x-gitlab-event-uuid'], first?.headers['x-gitlab-event-uuid'])
})

test('a form that leaves the token empty keeps it', async () => {
  const receiver = await openReceiver()
  const { project, hooks } = await hooked()
  const { body } = await by.post(`${project.url}/hooks`, { url: receiver.url, token: 'hush' })
  const changed = await maintainer.submit(`${hooks}/${body.id}/edit`, {
    url: receiver.url,
    token: '',
    push_events: 'true',
    issues_events: 'true',
  })
  assert.equal(changed.status, 303)
  assert.equal((await by.get(`${project.url}/hooks/${body.id}`)).body.issues_events, true)
  await maintainer.submit(`${hooks}/${body.id}/test/push_events`, {})
  await deliver()
  assert.equal(receiver.received[0]?.headers['x-gitlab-token'], 'hush')
})

test('the page of a delivery that failed says when it is tried again; trials are offered of what there can be', async () => {
  const receiver = await openReceiver((_request, response) => void response.writeHead(503).end())
  const { project, hooks } = await hooked()
  const { body } = await by.post(`${project.url}/hooks`, { url: receiver.url })
  await by.post(`${project.url}/hooks/${body.id}/test/push_events`)
  await deliver()
  const [event] = (await by.get(`${project.url}/hooks/${body.id}/events`)).body

  const [delivery, hook] = [await maintainer.get(`${hooks}/${body.id}/hook_logs/${event.id}`), await maintainer.get(`${hooks}/${body.id}`)]

  assert.match(delivery.body, /<dt>Next attempt<\/dt><dd><relative-time/)
  assert.match(hook.body, /Try with: Push/)
  assert.match(hook.body, /Try with: Changes of wiki pages/)
})

test('the API sends again, by those who manage the hook, and only what was sent to it', async () => {
  const receiver = await openReceiver()
  const { project, hooks } = await hooked()
  const { body } = await by.post(`${project.url}/hooks`, { url: receiver.url })
  await by.post(`${project.url}/hooks/${body.id}/test/push_events`)
  await deliver()
  const sent = receiver.received.length
  const [event] = (await by.get(`${project.url}/hooks/${body.id}/events`)).body
  const again = await by.post(`${project.url}/hooks/${body.id}/events/${event.id}/resend`)
  assert.deepEqual([again.status, again.body.response_status, receiver.received.length], [201, 200, sent + 1])
  const other = await by.post(`${project.url}/hooks`, { url: receiver.url })
  assert.equal((await by.post(`${project.url}/hooks/${other.body.id}/events/${event.id}/resend`)).status, 404)
  const stranger = await surfer()
  assert.equal((await stranger.submit(`${hooks}/${body.id}/hook_logs/${event.id}/retry`, {})).status, 403)
  assert.equal((await stranger.get(`${hooks}/${body.id}`)).status, 403)
  assert.equal(receiver.received.length, sent + 1)
})

test('hooks of the instance have the same pages, for administrators alone', async () => {
  const receiver = await openReceiver()
  const admin = await surfer({ admin: true })
  assert.equal((await maintainer.get('/admin/hooks')).status, 404)
  assert.equal((await maintainer.submit('/admin/hooks/new', { url: receiver.url })).status, 404)
  // What has happened so far is not for it.
  await deliver()

  assert.equal((await admin.submit('/admin/hooks/new', { url: receiver.url, token: 'hush' })).status, 303)
  const hook = /href="(\/admin\/hooks\/\d+)"/.exec((await admin.get('/admin/hooks')).body)?.[1] as string
  assert.equal((await admin.submit(`${hook}/test`, {})).status, 303)
  await deliver()
  const log = await admin.get(hook)
  const delivery = /href="([^"]*\/hook_logs\/\d+)"/.exec(log.body)?.[1] as string
  assert.match((await admin.get(delivery)).body, /project_create/)
  assert.equal((await maintainer.get(delivery)).status, 404)
  assert.equal((await admin.submit(`${delivery}/retry`, {})).status, 303)
  assert.equal(receiver.received.length, 2)
  assert.equal((await admin.submit(`${hook}/edit`, { url: receiver.url, token: '', push_events: 'true' })).status, 303)
  assert.equal((await admin.submit(`${hook}/remove`, {})).status, 303)
  assert.match((await admin.get('/admin/hooks')).body, /Nothing here yet/)
})
