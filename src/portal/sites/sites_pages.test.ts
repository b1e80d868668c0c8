import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { one } from '../../delivery/sites/domains/scene.ts'
import { siteIn } from '../../delivery/sites/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene({ settings: { pagesUrl: 'https://pages.example.net' } })
const without = await openScene()
const { surfer } = oauthScene(scene)

async function memberOf(project: { readonly url: string }, access_level: number) {
  const member = await surfer()
  await scene.root.post(`${project.url}/members`, { user_id: member.person.id, access_level })
  return member
}

test('a maintainer sees the site, who reads it, and removes it', async () => {
  const { project, owner } = await scene.project({ visibility: 'private' })
  const [maintainer, developer] = [await memberOf(project, 40), await memberOf(project, 30)]
  const address = `/${project.full_path}/-/pages`
  const before = String((await maintainer.get(address)).body)
  await siteIn(scene, project, owner, { 'public/index.html': 'home', 'public/a.txt': 'a' })

  const page = String((await maintainer.get(address)).body)

  const [top, name] = project.full_path.split('/')
  assert.match(before, /no site yet[\s\S]*public/)
  assert.match(page, new RegExp(`href="https://${top?.toLowerCase()}\\.pages\\.example\\.net/${name}/"`))
  assert.match(page, /members of the project[\s\S]*job #\d+[\s\S]*2 files, 5 bytes/)
  await maintainer.submit(`/${project.full_path}/-/settings/general/visibility`, { pages_access_level: 'public' })
  assert.match(String((await maintainer.get(address)).body), /Seen by<\/dt><dd>everyone \(/)
  assert.equal((await developer.get(address)).status, 403)
  assert.equal((await developer.submit(`${address}/remove`, {})).status, 403)
  assert.equal((await maintainer.submit(`${address}/remove`, {})).headers.location, address)
  assert.match(String((await maintainer.get(address)).body), /no site yet/)
})

test('a certificate is added to a domain and taken away, and its key is shown nowhere', async () => {
  const { project } = await scene.project({})
  const maintainer = await memberOf(project, 40)
  const address = `/${project.full_path}/-/pages`
  const domain = `www.${project.id}.example.org`
  const refused = await maintainer.submit(`${address}/new`, { domain: 'nothing', certificate: '', key: '' })
  await maintainer.submit(`${address}/new`, { domain, certificate: one.certificate, key: one.key })

  const form = String((await maintainer.get(`${address}/${domain}/edit`)).body)

  assert.match(String(refused.body), /is not a fully qualified domain name/)
  assert.match(form, /BEGIN CERTIFICATE/)
  assert.ok(!form.includes(one.key.split('\n')[1] as string))
  const certificateOf = async () => (await scene.root.get(`${project.url}/pages/domains/${domain}`)).body.certificate?.subject
  await maintainer.submit(`${address}/${domain}/edit`, { certificate: one.certificate, key: '' })
  assert.equal(await certificateOf(), '/CN=one.example.org')
  await maintainer.submit(`${address}/${domain}/edit`, { certificate: '', key: '' })
  assert.equal(await certificateOf(), undefined)
})

test('where the instance serves no sites, the page says so, and no code leads anywhere', async () => {
  const { project, owner } = await without.project({})
  const browser = await oauthScene(without).surfer()
  await without.root.post(`${project.url}/members`, { user_id: browser.person.id, access_level: 40 })

  const page = await browser.get(`/${project.full_path}/-/pages`)

  assert.match(String(page.body), /serves no sites[\s\S]*INGOT_PAGES_URL/)
  const asked = { host: 'team.pages.example.net', state: '0'.repeat(32), to: '/' }
  assert.equal((await browser.get('/-/sites/sign_in', asked)).status, 404)
  assert.equal((await owner.post(`${project.url}/pages/domains`, { domain: 'kept.example.org' })).status, 201, 'domains are kept')
})
