import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../../test/scene.ts'
import { formWith } from '../../../spaces/uploads/scene.ts'
import { askSite, siteIn, sitesOf } from '../scene.ts'
import { startNameServer } from './name_server.ts'
import { one, other } from './scene.ts'
import { verifyDomain, verifyDomains } from './verification.ts'

const names = await startNameServer()
const scene = await openScene({
  settings: {
    pagesUrl: 'http://pages.localhost:8090',
    pagesPort: '0',
    pagesNameServers: names.address,
    hosts: 'git.example.com',
  },
})
const server = await sitesOf(scene)

let made = 0
const newDomain = () => `www-${++made}.example.org`

const domainRow = (domain: string) =>
  scene.deps.database.db.selectFrom('site_domains').selectAll().where('domain', '=', domain).executeTakeFirst()

/** Looks at the records of a domain, as the task does. */
const lookUp = async (domain: string) => verifyDomain(scene.deps, { domain_id: (await domainRow(domain))?.id as number })

/** Sets the record that proves a domain. */
async function prove(domain: string): Promise<void> {
  const row = await domainRow(domain)
  names.records.set(`_gitlab-pages-verification-code.${domain}`, [`gitlab-pages-verification-code=${row?.verification_code}`])
}

const later = (days: number) => ({ ...scene.deps, now: () => new Date(Date.now() + days * 86_400_000) })

test('a domain is added, shown, changed and removed, and administrators see all of them', async () => {
  const { project, owner } = await scene.project()
  const domain = newDomain()

  const added = await owner.post(`${project.url}/pages/domains`, { domain: domain.toUpperCase() })
  const changed = await owner.put(`${project.url}/pages/domains/${domain}`, {
    auto_ssl_enabled: true,
    certificate: one.certificate,
    key: one.key,
  })
  const all = await scene.root.get('/pages/domains', { per_page: 100 })

  const { verification_code } = added.body
  assert.match(verification_code, /^[0-9a-f]{32}$/)
  assert.deepEqual(added, {
    ...added,
    status: 201,
    body: { domain, url: `http://${domain}`, verified: false, verification_code, enabled_until: null, auto_ssl_enabled: false },
  })
  assert.deepEqual([changed.status, changed.body.url, changed.body.auto_ssl_enabled], [200, `https://${domain}`, true])
  assert.deepEqual([changed.body.certificate.subject, changed.body.certificate.expired], ['/CN=one.example.org', false])
  assert.equal(changed.body.certificate.certificate, one.certificate)
  assert.match(changed.body.certificate.certificate_text, /^Certificate:[\s\S]*Subject: CN=one\.example\.org/)
  assert.equal(JSON.stringify(changed.body).includes('PRIVATE KEY'), false)
  assert.deepEqual((await owner.get(`${project.url}/pages/domains`)).body, [changed.body])
  assert.deepEqual((await owner.get(`${project.url}/pages/domains/${domain}`)).body, changed.body)
  const listed = all.body.find((each: { domain: string }) => each.domain === domain)
  assert.deepEqual(
    [listed.project_id, listed.certificate, listed.verification_code],
    [project.id, listed.certificate_expiration, verification_code],
  )
  assert.match(listed.certificate.expiration, /^\d{4}-\d\d-\d\dT/)
  assert.equal((await owner.put(`${project.url}/pages/domains/${domain}`, { certificate: '', key: '' })).body.certificate, undefined)
  assert.equal((await owner.delete(`${project.url}/pages/domains/${domain}`)).status, 204)
  assert.deepEqual(await owner.get(`${project.url}/pages/domains/${domain}`).then(({ status, body }) => ({ status, body })), {
    status: 404,
    body: { message: '404 PagesDomain Not Found' },
  })
})

test('domains belong to Maintainers, and the list of all to administrators', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const domain = newDomain()
  await owner.post(`${project.url}/pages/domains`, { domain })
  const path = `${project.url}/pages/domains/${domain}`

  assert.deepEqual(
    [
      (await developer.get(`${project.url}/pages/domains`)).status,
      (await developer.get(path)).status,
      (await developer.post(`${project.url}/pages/domains`, { domain: newDomain() })).status,
      (await developer.put(path, { auto_ssl_enabled: true })).status,
      (await developer.delete(path)).status,
      (await owner.get('/pages/domains')).status,
      (await scene.anonymous.get('/pages/domains')).status,
      (await (await scene.user()).get(path)).status,
    ],
    [403, 403, 403, 403, 403, 403, 401, 404],
  )
})

test('a name that is taken, is no domain or is the instance’s own is refused', async () => {
  const { project, owner } = await scene.project()
  const { project: elsewhere, owner: rival } = await scene.project()
  const domain = newDomain()
  await owner.post(`${project.url}/pages/domains`, { domain })
  const refusal = async (name: string) => {
    const { status, body } = await rival.post(`${elsewhere.url}/pages/domains`, { domain: name })
    return [status, body.message?.domain?.[0]]
  }

  assert.deepEqual(await refusal(domain.toUpperCase()), [400, 'has already been taken'])
  for (const odd of [
    '',
    'example',
    '-a.example',
    'a..example',
    '192.0.2.1',
    'a b.example',
    'a.example/x',
    'a.example:80',
    '*.example.org',
    `${'x'.repeat(64)}.example`,
  ])
    assert.deepEqual(await refusal(odd), [400, 'is not a fully qualified domain name'], odd)
  assert.deepEqual(await refusal('team.pages.localhost'), [400, '*.pages.localhost is restricted'])
  assert.deepEqual(await refusal('sites.git.example.com'), [400, '*.git.example.com is restricted'])
  assert.equal((await rival.get(`${project.url}/pages/domains/${domain}`)).status, 404)
  assert.equal((await rival.get(`${elsewhere.url}/pages/domains/${domain}`)).status, 404)
})

test('a certificate must be one, with its key; both may come as files', async () => {
  const { project, owner } = await scene.project()
  const faults = async (pair: object) => (await owner.post(`${project.url}/pages/domains`, { domain: newDomain(), ...pair })).body.message

  assert.deepEqual(await faults({ certificate: one.certificate }), { key: ["can't be blank"] })
  assert.deepEqual(await faults({ key: one.key }), { certificate: ["can't be blank"] })
  assert.deepEqual(await faults({ certificate: 'none', key: one.key }), { certificate: ['must be a valid PEM certificate'] })
  assert.deepEqual(await faults({ certificate: one.certificate, key: 'none' }), { key: ['must be a valid PEM private key'] })
  assert.deepEqual(await faults({ certificate: one.certificate, key: other.key }), { key: ["doesn't match the certificate"] })
  assert.match((await faults({ certificate: one.certificate, key: 'x'.repeat(8193) })).key[0], /too long/)
  const domain = newDomain()
  const form = formWith('certificate', 'one.pem', Buffer.from(one.certificate))
  form.append('key', new Blob([one.key]), 'one.key')
  form.append('domain', domain)
  const added = await owner.post(`${project.url}/pages/domains`, form)
  assert.deepEqual([added.status, added.body.certificate?.subject], [201, '/CN=one.example.org'])
  const same = await owner.put(`${project.url}/pages/domains/${domain}`, { certificate: one.certificate, key: '' })
  assert.deepEqual(
    [same.status, (await domainRow(domain))?.private_key === null],
    [200, false],
    'an empty key leaves the one that there is',
  )
  const alone = await owner.put(`${project.url}/pages/domains/${domain}`, { certificate: other.certificate })
  assert.deepEqual([alone.status, alone.body.message], [400, { key: ["doesn't match the certificate"] }])
  const row = await domainRow(domain)
  assert.match(row?.private_key ?? '', /^v1\./, 'the key is kept encrypted')
  await owner.put(`${project.url}/pages/domains/${domain}`, { certificate: '' })
  assert.equal((await domainRow(domain))?.private_key, null, 'it goes with its certificate')
})

test('a domain leads to its site while a record proves it, and is removed when none does', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await owner.put(project.url, { pages_access_level: 'enabled' })
  await siteIn(scene, project, owner, { 'public/index.html': 'home' })
  const domain = newDomain()
  await owner.post(`${project.url}/pages/domains`, { domain })
  const statusAt = async () => (await askSite(server, domain, '/')).status

  assert.equal(await statusAt(), 404, 'not verified yet')
  names.records.set(domain, ['gitlab-pages-verification-code=00000000000000000000000000000000'])
  assert.equal((await owner.put(`${project.url}/pages/domains/${domain}/verify`)).body.verified, false)
  await prove(domain)
  const verified = await owner.put(`${project.url}/pages/domains/${domain}/verify`)
  assert.deepEqual([verified.status, verified.body.verified], [200, true])
  assert.equal(Math.round((Date.parse(verified.body.enabled_until) - Date.now()) / 86_400_000), 7)
  assert.deepEqual([await statusAt(), (await askSite(server, domain.toUpperCase(), '/')).text], [200, 'home'])

  names.records.set(`_gitlab-pages-verification-code.${domain}`, 'fails')
  await lookUp(domain)
  assert.equal((await domainRow(domain))?.verified_at === null, false, 'no answer is no proof against it')
  names.records.delete(`_gitlab-pages-verification-code.${domain}`)
  await lookUp(domain)
  assert.deepEqual([(await owner.get(`${project.url}/pages/domains/${domain}`)).body.verified, await statusAt()], [false, 200])
  await verifyDomain(later(8), { domain_id: (await domainRow(domain))?.id as number })
  assert.notEqual((await domainRow(domain))?.remove_at, null)
  await verifyDomains(later(14))
  assert.notEqual(await domainRow(domain), undefined, 'not yet')
  await verifyDomains(later(16))
  assert.equal(await domainRow(domain), undefined)
  assert.equal(await statusAt(), 404)
})

test('what proved a domain for one project proves nothing for another', async () => {
  const site = async (text: string) => {
    const { project, owner } = await scene.project({ visibility: 'public' })
    await owner.put(project.url, { pages_access_level: 'enabled' })
    await siteIn(scene, project, owner, { 'public/index.html': text })
    return { project, owner }
  }
  const [first, second] = [await site('first'), await site('second')]
  const domain = newDomain()
  await first.owner.post(`${first.project.url}/pages/domains`, { domain })
  await prove(domain)
  await lookUp(domain)
  assert.equal((await askSite(server, domain, '/')).text, 'first')

  await first.owner.delete(`${first.project.url}/pages/domains/${domain}`)
  await second.owner.post(`${second.project.url}/pages/domains`, { domain })
  await lookUp(domain)

  assert.equal((await askSite(server, domain, '/')).status, 404)
})

test('where domains are not verified, they lead to their sites without', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  await owner.put(project.url, { pages_access_level: 'enabled' })
  await siteIn(scene, project, owner, { 'public/index.html': 'home' })
  const domain = newDomain()
  await owner.post(`${project.url}/pages/domains`, { domain })

  await scene.root.put('/application/settings', { pages_domain_verification_enabled: false })
  const open = (await askSite(server, domain, '/')).status
  await lookUp(domain)
  await verifyDomains(later(30))
  await scene.root.put('/application/settings', { pages_domain_verification_enabled: true })

  assert.deepEqual([open, (await askSite(server, domain, '/')).status], [200, 404])
  await verifyDomains(later(31))
  assert.notEqual(await domainRow(domain), undefined, 'it is not removed before it was looked up again')
})

test('of several who add a domain at the same time one gets it', async () => {
  const domain = newDomain()
  const places = await Promise.all([scene.project(), scene.project(), scene.project()])

  const answers = await Promise.all(places.map(({ project, owner }) => owner.post(`${project.url}/pages/domains`, { domain })))

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400])
})

test('a project has at most a hundred domains', async () => {
  const { project, owner } = await scene.project()
  await fill(project)

  const { status, body } = await owner.post(`${project.url}/pages/domains`, { domain: newDomain() })

  assert.deepEqual([status, body.message], [400, { base: ['Maximum number of domains (100) exceeded'] }])
})

const fill = ({ id }: SceneProject) => {
  const now = new Date()
  const values = { project_id: id, verification_code: '0'.repeat(32), created_at: now, updated_at: now }
  return scene.deps.database.db
    .insertInto('site_domains')
    .values(Array.from({ length: 100 }, (_, at) => ({ ...values, domain: `d${at}.${id}.example.org` })))
    .execute()
}
