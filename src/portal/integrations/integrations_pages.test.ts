import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { openServer } from '../../integrations/integration_deliveries/scene.ts'
import { integrationKinds } from '../../spaces/integration_settings/kinds/kinds.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { surfer } = oauthScene(scene)
const maintainer = await surfer()
const by = scene.as({ 'private-token': maintainer.person.token })

async function placed() {
  const { project } = await scene.project({ owner: maintainer.person, visibility: 'public' })
  await scene.commit(project, { 'a.txt': 'a' })
  return { project, pages: `/${project.full_path}/-/settings/integrations` }
}

test('an integration is set up by its form, tried, read in its log and turned off', async () => {
  const { project, pages } = await placed()
  const server = await openServer(({ body }) => (body.channel === 'broken' ? { status: 404, body: { error: '<no> channel' } } : undefined))
  const form = `${pages}/slack`
  assert.match((await maintainer.get(pages)).body, /Slack notifications/)
  const refused = await maintainer.submit(`${form}/edit`, { webhook: 'http://10.0.0.1/x', username: 'lamp', active: 'true' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /is blocked/)
  assert.match(refused.body, /value="lamp"/)

  assert.equal(
    (await maintainer.submit(`${form}/edit`, { webhook: `${server.url}/in`, username: 'lamp', active: 'true', push_events: 'true' }))
      .status,
    303,
  )
  assert.match((await maintainer.get(pages)).body, /Slack notifications<\/a> <span[^>]*>.*?In use/)
  assert.equal((await maintainer.submit(`${form}/test`, {})).status, 303)
  assert.equal(server.asked[0]?.body.username, 'lamp')
  assert.match((await maintainer.get(`${form}/edit`)).body, /Done/)

  await maintainer.submit(`${form}/edit`, { webhook: `${server.url}/in`, channel: 'broken', active: 'true', push_events: 'true' })
  const kept = (await by.get(`${project.url}/integrations/slack`)).body
  assert.deepEqual([kept.properties.username, kept.properties.channel], ['', 'broken'])
  await maintainer.submit(`${form}/test`, {})
  const log = (await maintainer.get(`${form}/edit`)).body
  assert.match(log, /The server answered 404/)
  assert.match(log, /&lt;no&gt; channel/)

  assert.equal((await maintainer.submit(`${form}/remove`, {})).status, 303)
  assert.equal((await by.get(`${project.url}/integrations/slack`)).body.active, false)
})

test('a secret is in no form; left empty it stays, unless the address changes', async () => {
  const { project, pages } = await placed()
  const server = await openServer(({ headers }) => (headers.authorization ? { body: { name: 'bot' } } : { status: 401 }))
  const jira = (more: object) => ({ url: server.url, username: 'bot', active: 'true', ...more })
  assert.equal((await maintainer.submit(`${pages}/jira/edit`, jira({ password: 'hush' }))).status, 303)
  const again = await maintainer.submit(`${pages}/jira/edit`, jira({ password: '', jira_issue_transition_id: '31' }))
  assert.equal(again.status, 303)
  await maintainer.submit(`${pages}/jira/test`, {})
  assert.equal(server.asked[0]?.headers.authorization, `Basic ${Buffer.from('bot:hush').toString('base64')}`)
  assert.ok(!(await maintainer.get(`${pages}/jira/edit`)).body.includes('hush'))
  const moved = await maintainer.submit(`${pages}/jira/edit`, jira({ url: 'https://jira.example.com', password: '' }))
  assert.equal(moved.status, 422)
  assert.match(moved.body, /must be given/)
  // A second address that there was none of before is where the secret would go from then on.
  const added = await maintainer.submit(`${pages}/jira/edit`, jira({ api_url: 'https://jira.example.com', password: '' }))
  assert.deepEqual([added.status, /must be given/.test(added.body)], [422, true])
  assert.equal((await by.get(`${project.url}/integrations/jira`)).body.properties.url, server.url)
})

test('the form of each kind has a field for each of its settings, and says where nothing follows from them', async () => {
  const { pages } = await placed()
  for (const kind of integrationKinds) {
    const { status, body } = await maintainer.get(`${pages}/${kind.slug}/edit`)
    assert.equal(status, 200, kind.slug)
    for (const { name } of kind.fields)
      assert.ok(name === 'notify_only_default_branch' || body.includes(`name="${name}"`), `${kind.slug} ${name}`)
    for (const name of kind.kept ? [] : kind.events) assert.ok(body.includes(`name="${name}"`), `${kind.slug} ${name}`)
    assert.equal(body.includes('nothing follows from them'), kind.kept === true, kind.slug)
  }
  assert.equal((await maintainer.get(`${pages}/carrier-pigeon/edit`)).status, 404)
})

test('a tracker and a wiki outside are tabs of the project, in the place of its own issues where it has none', async () => {
  const { project } = await placed()
  const visitor = await surfer()
  const page = `/${project.full_path}`
  await by.put(`${project.url}/integrations/external-wiki`, { external_wiki_url: 'https://wiki.example.com/lamp' })
  const urls = {
    project_url: 'https://r.example.com/p',
    issues_url: 'https://r.example.com/issues/:id',
    new_issue_url: 'https://r.example.com/new',
  }
  await by.put(`${project.url}/integrations/redmine`, urls)
  const shown = (await visitor.get(page)).body
  assert.match(shown, /<a href="https:\/\/wiki\.example\.com\/lamp"[^>]*>.*?External wiki/)
  assert.match(shown, /<a href="https:\/\/r\.example\.com\/p"[^>]*>.*?Redmine/)
  await by.put(project.url, { issues_access_level: 'disabled' })
  assert.match((await visitor.get(page)).body, /<a href="https:\/\/r\.example\.com\/p"[^>]*>.*?Issues/)
})

test('groups and the instance have the same pages, and a project takes back what is theirs', async () => {
  const admin = await surfer({ admin: true })
  const { group } = await scene.group({ owner: maintainer.person })
  const { project } = await scene.project({ owner: maintainer.person, group })
  const wiki = (name: string) => ({ external_wiki_url: `https://${name}.example.com/`, active: 'true' })
  assert.equal((await maintainer.get('/admin/integrations')).status, 404)
  assert.equal((await admin.submit('/admin/integrations/external-wiki/edit', wiki('instance'))).status, 303)
  assert.match((await maintainer.get(`/${project.full_path}`)).body, /https:\/\/instance\.example\.com\//)
  assert.equal(
    (await maintainer.submit(`/groups/${group.full_path}/-/settings/integrations/external-wiki/edit`, wiki('group'))).status,
    303,
  )
  const pages = `/${project.full_path}/-/settings/integrations/external-wiki`
  assert.match((await maintainer.get(`${pages}/edit`)).body, /Inherited/)
  assert.equal((await maintainer.submit(`${pages}/edit`, wiki('own'))).status, 303)
  assert.match((await maintainer.get(`/${project.full_path}`)).body, /https:\/\/own\.example\.com\//)
  assert.equal((await maintainer.submit(`${pages}/inherit`, {})).status, 303)
  assert.match((await maintainer.get(`/${project.full_path}`)).body, /https:\/\/group\.example\.com\//)
  assert.equal((await admin.submit('/admin/integrations/external-wiki/remove', {})).status, 303)
})
