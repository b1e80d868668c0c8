import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { integrationKinds } from './kinds/kinds.ts'

const scene = await openScene()

async function maintained() {
  const { owner, project } = await scene.project()
  return { owner, project, services: `${project.url}/services`, integrations: `${project.url}/integrations` }
}

const webhook = 'https://hooks.slack.com/services/T00/B00/abcdefabcdefabcdefabcdef'

test('an integration is set up, read, listed, changed and turned off by both names', async () => {
  const { owner, services, integrations } = await maintained()
  assert.deepEqual((await owner.get(services)).body, [])
  assert.deepEqual(await owner.get(`${services}/slack`), { status: 404, body: { message: '404 Service Not Found' } })
  assert.deepEqual((await owner.get(`${integrations}/slack`)).body, { message: '404 Integration Not Found' })

  const made = await owner.put(`${services}/slack`, { webhook, username: 'lamp', push_events: false, deployment_events: 'yes' })

  assert.equal(made.status, 200)
  const { properties, ...rest } = made.body
  assert.deepEqual(
    {
      title: rest.title,
      slug: rest.slug,
      active: rest.active,
      push: rest.push_events,
      issues: rest.issues_events,
      inherited: rest.inherited,
    },
    { title: 'Slack notifications', slug: 'slack', active: true, push: false, issues: true, inherited: false },
  )
  assert.equal(rest.deployment_events, true)
  assert.equal(properties.webhook, 'https://hooks.slack.com/services/T00/B00/****')
  assert.equal(properties.username, 'lamp')
  assert.equal(properties.branches_to_be_notified, 'default')
  assert.equal(properties.notify_only_broken_pipelines, true)
  assert.equal(properties.channel, null)

  const [listed] = (await owner.get(integrations)).body
  assert.deepEqual(listed, rest)
  // What was read can be written back, and what is not given stays.
  const again = await owner.put(`${integrations}/slack`, { webhook: properties.webhook, branches_to_be_notified: 'all' })
  assert.equal(again.body.properties.username, 'lamp')
  assert.equal(again.body.properties.branches_to_be_notified, 'all')
  assert.equal(again.body.push_events, false)

  assert.equal((await owner.delete(`${services}/slack`)).status, 204)
  assert.deepEqual((await owner.get(services)).body, [])
  const off = await owner.get(`${services}/slack`)
  assert.deepEqual([off.status, off.body.active, off.body.properties.webhook], [200, false, null])
})

test('a kind that is unknown is 404; what is missing, empty, of the wrong type or at an internal address is 400', async () => {
  const { owner, services } = await maintained()
  for (const method of ['get', 'put', 'delete'] as const) assert.equal((await owner[method](`${services}/carrier-pigeon`)).status, 404)
  assert.deepEqual(await owner.put(`${services}/slack`, { username: 'lamp' }), {
    status: 400,
    body: { message: '400 (Bad request) "webhook" not given' },
  })
  assert.deepEqual((await owner.put(`${services}/slack`, { webhook: '' })).body, { message: { webhook: ["can't be blank"] } })
  assert.equal((await owner.put(`${services}/slack`, { webhook: { a: 1 } })).status, 400)
  assert.equal((await owner.put(`${services}/slack`, { webhook, notify_only_broken_pipelines: 'perhaps' })).status, 400)
  assert.equal((await owner.put(`${services}/slack`, { webhook, branches_to_be_notified: 'some' })).status, 400)
  for (const address of [
    'http://127.0.0.1:9000/hook',
    'http://localhost/x',
    'http://[::1]/',
    'http://169.254.169.254/meta',
    'ftp://a.example',
    'no',
  ])
    assert.deepEqual(Object.keys((await owner.put(`${services}/slack`, { webhook: address })).body.message), ['webhook'], address)
  assert.equal((await owner.get(`${services}/slack`)).status, 404)
  // What people follow, and this server does not call, may be anywhere.
  const wiki = await owner.put(`${services}/external-wiki`, { external_wiki_url: 'http://wiki.internal/' })
  assert.equal(wiki.status, 200)
  assert.equal((await owner.put(`${services}/external_wiki`, { external_wiki_url: 'javascript:alert(1)' })).status, 400)
})

test('secrets are in no answer, no row and no entry of the audit log, and go with the address that they were given for', async () => {
  const { owner, project, services } = await maintained()
  const settings = { url: 'https://jira.example.com', username: 'bot', password: 'hush-hush' }
  const made = await owner.put(`${services}/jira`, settings)
  assert.equal(made.status, 200)
  assert.ok(!JSON.stringify([made.body, (await owner.get(`${services}/jira`)).body]).includes('hush'))
  assert.ok(!('password' in made.body.properties))

  assert.equal((await owner.put(`${services}/jira`, { ...settings, password: 'other-hush', comment_on_event_enabled: false })).status, 200)
  const moved = await owner.put(`${services}/jenkins`, {
    jenkins_url: 'https://a:b-hush@jenkins.example.com',
    project_name: 'lamp',
    username: 'u',
    password: 'p-hush',
  })
  assert.equal(moved.body.properties.jenkins_url, 'https://a:****@jenkins.example.com')
  const { db } = scene.deps.database
  const rows = await db.selectFrom('integrations').selectAll().where('project_id', '=', project.id).execute()
  const entries = await db.selectFrom('audit_events').selectAll().where('entity_id', '=', project.id).execute()
  assert.ok(entries.some(({ details }) => JSON.stringify(details).includes('comment_on_event_enabled')))
  assert.ok(!JSON.stringify([rows, entries]).includes('hush'))
})

test('maintainers alone see and change integrations, and a private project does not exist for others', async () => {
  const { project, maintainer, developer } = await scene.project({ visibility: 'private', members: ['maintainer', 'developer'] })
  const url = `${project.url}/services`
  assert.equal((await maintainer.put(`${url}/external-wiki`, { external_wiki_url: 'https://wiki.example.com' })).status, 200)
  for (const answer of [
    await developer.get(url),
    await developer.get(`${url}/external-wiki`),
    await developer.delete(`${url}/external-wiki`),
  ])
    assert.equal(answer.status, 403)
  const outsider = await scene.user()
  assert.equal((await outsider.get(url)).status, 404)
})

test('projects inherit from the nearest group and from the instance until they have settings of their own', async () => {
  const { owner, group: outer } = await scene.group()
  const { project } = await scene.project({ owner, group: outer })
  const url = (name: string) => `https://${name}.example.com/`
  assert.equal((await owner.put(`${outer.url}/integrations/external-wiki`, { external_wiki_url: url('group') })).status, 200)

  const inherited = await owner.get(`${project.url}/integrations/external-wiki`)
  assert.deepEqual([inherited.body.inherited, inherited.body.properties.external_wiki_url], [true, url('group')])
  assert.equal((await owner.get(`${project.url}/services`)).body.length, 1)

  const own = await owner.put(`${project.url}/services/external-wiki`, { external_wiki_url: url('own') })
  assert.deepEqual([own.body.inherited, own.body.properties.external_wiki_url], [false, url('own')])
  assert.equal((await owner.delete(`${project.url}/services/external-wiki`)).status, 204)
  assert.equal((await owner.get(`${project.url}/services`)).body.length, 0)
  const again = await owner.put(`${project.url}/services/external-wiki`, { use_inherited_settings: true })
  assert.deepEqual([again.body.inherited, again.body.properties.external_wiki_url], [true, url('group')])
})

test('every kind of integration takes what it declares, and shows nothing secret of it', async () => {
  const { owner, services } = await maintained()
  for (const kind of integrationKinds) {
    const given = Object.fromEntries(
      kind.fields.map(({ name, type, choices, secret, example }) => [
        name,
        type === 'flag'
          ? true
          : type === 'integer'
            ? 6659
            : (choices?.[0] ?? example ?? (secret ? 'hush' : type === 'url' ? 'https://a.example.com' : 'a')),
      ]),
    )
    const { status, body } = await owner.put(`${services}/${kind.slug}`, given)
    assert.equal(status, 200, `${kind.slug}: ${JSON.stringify(body)}`)
    const shown = kind.fields.filter(({ secret, unlisted }) => !secret && !unlisted)
    assert.deepEqual(
      Object.keys(body.properties),
      shown.map(({ name }) => name),
      kind.slug,
    )
    for (const { name, type } of shown) if (type !== 'url' && type !== 'link') assert.equal(body.properties[name], given[name], name)
    assert.ok(!JSON.stringify(body).includes('hush'), kind.slug)
  }
  assert.equal((await owner.get(`${services}?per_page=100`)).body.length, integrationKinds.length)
})

test('the handbook has every kind, and says of which the settings are only kept', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../docs/user/integrations.md'), 'utf8')
  const lines = [...text.matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map(([, slug, does]) => [slug, does === 'Kept'])
  assert.deepEqual(
    lines,
    integrationKinds.map(({ slug, kept }) => [slug, kept === true]),
  )
})
