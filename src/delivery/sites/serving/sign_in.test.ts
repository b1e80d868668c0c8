import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type SceneProject } from '../../../../test/scene.ts'
import { oauthScene, type Surfer } from '../../../identity/oauth/scene.ts'
import { startNameServer } from '../domains/name_server.ts'
import { asBrowser, askSite, siteIn, sitesOf } from '../scene.ts'

const names = await startNameServer()
const scene = await openScene({
  settings: { pagesUrl: 'http://pages.localhost:8090', pagesPort: '0', pagesNameServers: names.address },
})
const server = await sitesOf(scene)
const { surfer } = oauthScene(scene)

/** A browser on hosts of sites: it keeps the cookies of each host, and follows a redirect to the instance as its user. */
class Visitor {
  readonly #cookies = new Map<string, Map<string, string>>()
  readonly #user: Surfer

  constructor(user: Surfer) {
    this.#user = user
  }

  async get(host: string, path: string) {
    const kept = this.#cookies.get(host) ?? new Map<string, string>()
    this.#cookies.set(host, kept)
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await askSite(server, host, path, { ...asBrowser, ...(cookie && { cookie }) })
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/Max-Age=0/.test(set)) kept.delete(name)
      else kept.set(name, value)
    }
    return answer
  }

  cookiesOf(host: string) {
    return this.#cookies.get(host) ?? new Map<string, string>()
  }

  /** The address with the code that the instance gives this user; undefined where it gives none. */
  async codeFor(location: string) {
    const { pathname, search } = new URL(location)
    const answer = await this.#user.client.get(`${scene.url}${pathname}${search}`)
    return { status: answer.status, to: /^0; url=(.+)$/.exec(String(answer.headers.refresh ?? ''))?.[1] }
  }

  /** Asks for an address, signing in where that is asked for. */
  async visit(host: string, path: string) {
    const first = await this.get(host, path)
    if (first.status !== 302) return first
    const { to } = await this.codeFor(first.headers.location as string)
    const { pathname, search } = new URL(to as string)
    const back = await this.get(host, pathname + search)
    assert.equal(back.status, 303, back.text)
    return this.get(host, back.headers.location as string)
  }
}

const hostOf = ({ full_path }: SceneProject) => `${full_path.split('/')[0]?.toLowerCase()}.pages.localhost`
const pathOf = ({ full_path }: SceneProject) => `/${full_path.split('/').slice(1).join('/')}/`

/** A private site. */
async function privateSite() {
  const { project, owner } = await scene.project({ visibility: 'private' })
  await siteIn(scene, project, owner, { 'public/index.html': 'secret', 'public/a.txt': 'a' })
  return { project, owner, host: hostOf(project), path: pathOf(project) }
}

async function memberOf(project: SceneProject, access_level = 10) {
  const member = await surfer()
  await scene.root.post(`${project.url}/members`, { user_id: member.person.id, access_level })
  return member
}

test('a member reads a private site after signing in at the instance, and nobody else does', async () => {
  const { project, host, path } = await privateSite()
  const [member, outsider] = [new Visitor(await memberOf(project)), new Visitor(await surfer())]

  const read = await member.visit(host, path)
  const refused = await outsider.visit(host, path)
  const nothing = await outsider.visit(host, '/no/such/site/')

  assert.deepEqual([read.status, read.text], [200, 'secret'])
  assert.match(read.headers['cache-control'] ?? '', /^private/)
  assert.equal(read.headers['access-control-allow-origin'], undefined)
  assert.deepEqual([refused.status, nothing.status, refused.text], [404, 404, nothing.text])
  assert.equal((await askSite(server, host, path)).status, 404, 'programs are not led away')
  const led = await askSite(server, host, path, asBrowser)
  assert.match(led.headers.location ?? '', /^http:\/\/127\.0\.0\.1:\d+\/-\/sites\/sign_in\?host=/)
  assert.equal(led.status, (await askSite(server, host, '/no/such/site/', asBrowser)).status, 'the same for what is not there')
})

test('the cookie of a host ends with the session, the membership and the account', async () => {
  const { project, host, path } = await privateSite()
  const people = await Promise.all([memberOf(project), memberOf(project), memberOf(project)])
  const [leaving, removed, blocked] = people as [Surfer, Surfer, Surfer]
  const visitors = people.map(each => new Visitor(each))
  for (const visitor of visitors) assert.equal((await visitor.visit(host, path)).status, 200)

  await leaving.submit('/users/sign_out', {})
  await scene.root.delete(`${project.url}/members/${removed.person.id}`)
  await scene.root.post(`/users/${blocked.person.id}/block`)

  const statuses = await Promise.all(visitors.map(async visitor => (await visitor.get(host, path)).status))
  assert.deepEqual(statuses, [302, 404, 302])
})

test('no cookie of the instance is one of a site, and that of one host opens no other', async () => {
  const [one, other] = [await privateSite(), await privateSite()]
  const person = await memberOf(one.project)
  await scene.root.post(`${other.project.url}/members`, { user_id: person.person.id, access_level: 10 })
  const visitor = new Visitor(person)
  await visitor.visit(one.host, one.path)
  const cookies = visitor.cookiesOf(one.host)

  assert.deepEqual([...cookies.keys()], ['ingot_site'])
  const cookie = `ingot_site=${cookies.get('ingot_site')}`
  assert.equal((await askSite(server, one.host, one.path, { cookie })).status, 200)
  assert.equal((await askSite(server, other.host, other.path, { cookie })).status, 404)
  const session = `_service_session=${cookies.get('ingot_site')}`
  assert.equal((await askSite(server, one.host, one.path, { cookie: session })).status, 404)
  assert.equal((await scene.as({ cookie }).get('/user')).status, 401)
  assert.equal((await scene.as({ cookie: session }).get('/user')).status, 401)
  const two = `ingot_site=forged; ${cookie}`
  assert.equal((await askSite(server, one.host, one.path, { cookie: two })).status, 200, 'one that another host has set does not hide it')
})

test('a code is good for one browser and one host, and leads to a path of it', async () => {
  const [one, other] = [await privateSite(), await privateSite()]
  const person = await memberOf(one.project)
  const visitor = new Visitor(person)
  const begun = await visitor.get(one.host, `${one.path}a.txt?x=1`)
  const { to } = await visitor.codeFor(begun.headers.location as string)
  const address = new URL(to as string)

  assert.equal(address.host, `${one.host}:8090`)
  const elsewhere = await askSite(server, one.host, address.pathname + address.search)
  assert.equal(elsewhere.status, 400, 'another browser')
  const stolen = new Visitor(await surfer())
  await stolen.get(other.host, other.path)
  assert.equal((await stolen.get(other.host, address.pathname + address.search)).status, 400, 'another host')
  const back = await visitor.get(one.host, address.pathname + address.search)
  assert.deepEqual([back.status, back.headers.location], [303, `${one.path}a.txt?x=1`])
  for (const odd of ['//evil.example/', '/\\evil.example', 'https://evil.example/']) {
    const led = await visitor.get(one.host, `/-/sign_in?${new URLSearchParams({ to: odd })}`)
    const code = new URL((await visitor.codeFor(led.headers.location as string)).to as string)
    assert.equal((await visitor.get(one.host, code.pathname + code.search)).headers.location, '/', odd)
  }
})

test('the instance gives codes for hosts of sites alone, and to people who are signed in', async () => {
  const { project, host } = await privateSite()
  const visitor = new Visitor(await memberOf(project))
  const asked = (name: string) => `${scene.url}/-/sites/sign_in?${new URLSearchParams({ host: name, state: '0'.repeat(32), to: '/' })}`

  for (const odd of [
    'evil.example',
    'pages.localhost',
    `evil.example/.pages.localhost`,
    'u@evil.example#.pages.localhost',
    'evil.example?.pages.localhost',
    '127.0.0.1',
    'a b.pages.localhost',
  ])
    assert.deepEqual(await visitor.codeFor(asked(odd)), { status: 404, to: undefined }, odd)
  assert.equal((await visitor.codeFor(asked(host))).status, 200)
  const anonymous = await scene.anonymous.get(asked(host))
  assert.deepEqual([anonymous.status, String(anonymous.headers.location).startsWith('/users/sign_in?redirect=')], [302, true])
  assert.equal((await scene.root.get(asked(host))).status, 302, 'a token is no session')
})

test('a private site is private under its own domain too', async () => {
  const { project, owner } = await privateSite()
  const domain = 'private.example.org'
  const { body } = await owner.post(`${project.url}/pages/domains`, { domain })
  const member = new Visitor(await memberOf(project))
  const unproven = await member.codeFor(`${scene.url}/-/sites/sign_in?host=${domain}&state=${'0'.repeat(32)}&to=/`)
  names.records.set(domain, [`gitlab-pages-verification-code=${body.verification_code}`])
  await owner.put(`${project.url}/pages/domains/${domain}/verify`)

  assert.equal(unproven.status, 404, 'no code leads to a domain that is not proven')
  assert.equal((await askSite(server, domain, '/')).status, 404)
  assert.equal((await member.visit(domain, '/')).text, 'secret')
  assert.equal((await new Visitor(await surfer()).visit(domain, '/')).status, 404)
})

test('an account that must set up a second factor reads nothing before', async () => {
  const { project, host, path } = await privateSite()
  const visitor = new Visitor(await memberOf(project))
  assert.equal((await visitor.visit(host, path)).status, 200)

  await scene.root.put('/application/settings', { require_two_factor_authentication: true, two_factor_grace_period: 0 })
  const { status } = await visitor.get(host, path)
  await scene.root.put('/application/settings', { require_two_factor_authentication: false, two_factor_grace_period: 48 })

  assert.equal(status, 302)
})
