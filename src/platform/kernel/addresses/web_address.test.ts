/** Nothing but addresses of the web becomes a link. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { openScene } from '../../../../test/scene.ts'
import { endpoints } from '../../../server/endpoints.ts'
import { isWebAddress } from './web_address.ts'

const hostile = [
  'javascript:alert(1)',
  'JaVaScRiPt://%0aalert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>',
  'vbscript:x',
  'file:///etc/passwd',
  '//evil.example',
  'https:',
  'https://',
  'https:/\\evil',
  'http://a b',
  'https://a\u0001b',
  'https://a"onmouseover=x',
  "https://a'onmouseover=x",
  'https://a/`x',
  'https://a/<x',
  'https://a/>x',
  'https://a\\x',
  ' https://a',
  'https://a ',
  'https://a\n',
  '\thttps://a',
  'https://a/\u00a0x',
  'https://a/\u2028x',
  'https://a/\u200bx',
  'https://a/\u202ex',
  'https://a/\u009fx',
  '\ufeffhttps://a',
  'http://[::1',
  'http://[::1]]',
  'http://[1::2::3]/',
  'http://a:99999',
  'http://1.2.3.4.5/',
  'http://a%00b/',
]

test('is an http or https address with a host, and nothing else', () => {
  for (const text of ['https://example.com', 'HTTP://example.com/a?b#c', 'https://[::1]:8080/', 'http://localhost'])
    assert.equal(isWebAddress(text), true, text)
  for (const text of [...hostile, '', 'example.com']) assert.equal(isWebAddress(text), false, text)
})

/** Addresses whose command says what they may be, each with a test of its own. */
const checkedByCommands = new Set([
  // Http and https, with placeholders: src/spaces/badges.
  'link_url',
  'image_url',
  // Http and https: src/delivery/environments, src/code/imports, src/integrations/hooks. Of the links of releases ftp too: src/delivery/releases.
  'external_url',
  'import_url',
  'url',
  // Http and https, in the export of the API that the form sends it to: src/integrations/project_archives.
  'upload_url',
  // Of OAuth applications, whose schemes may be an app's own: src/identity/applications.
  'redirect_uri',
  // Refused, whatever it is: src/identity/oauth/openid.
  'request_uri',
])

test('every parameter that is called an address is one of the web', () => {
  const found = new Set<string>()
  for (const endpoint of endpoints)
    for (const [name, schema] of Object.entries(endpoint.params)) {
      if (!/(^|_)ur[il]$/.test(name)) continue
      found.add(name)
      if (checkedByCommands.has(name)) continue
      for (const text of hostile)
        assert.equal(Value.Check(schema as TSchema, text), false, `${endpoint.route}: ${name} takes ${JSON.stringify(text)}`)
    }
  for (const name of checkedByCommands) assert.ok(found.has(name), `${name} is no parameter any more`)
})

test('what is made of an address in a command takes none of these either', async () => {
  const scene = await openScene()
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  await owner.post(`${project.url}/releases`, { tag_name: 'v1', ref: 'main' })
  const good = 'https://example.com/a'
  const [{ body: environment }, { body: badge }, { body: link }] = await Promise.all([
    owner.post(`${project.url}/environments`, { name: 'production', external_url: good }),
    owner.post(`${project.url}/badges`, { link_url: good, image_url: good }),
    owner.post(`${project.url}/releases/v1/assets/links`, { name: 'a', url: good }),
  ])
  const attempts: readonly (readonly ['post' | 'put', string, (address: string) => object])[] = [
    ['post', `${project.url}/environments`, external_url => ({ name: 'other', external_url })],
    ['put', `${project.url}/environments/${environment.id}`, external_url => ({ external_url })],
    ['post', `${project.url}/badges`, link_url => ({ link_url, image_url: good })],
    ['post', `${project.url}/badges`, image_url => ({ link_url: good, image_url })],
    ['put', `${project.url}/badges/${badge.id}`, link_url => ({ link_url })],
    ['put', `${project.url}/badges/${badge.id}`, image_url => ({ image_url })],
    ['post', `${project.url}/releases/v1/assets/links`, url => ({ name: 'b', url })],
    ['put', `${project.url}/releases/v1/assets/links/${link.id}`, url => ({ url })],
    ['post', `${project.url}/releases`, url => ({ tag_name: 'v2', ref: 'main', assets: { links: [{ name: 'b', url }] } })],
    ['post', '/applications', redirect_uri => ({ name: 'App', scopes: 'api', redirect_uri })],
  ]
  for (const [method, path, body] of attempts)
    for (const text of hostile) {
      // White space parts several redirect URIs, and may end the last.
      if (path === '/applications' && /\s$/.test(text)) continue
      const { status } = await (path === '/applications' ? scene.root : owner)[method](path, body(text))
      assert.equal(status, 400, `${method} ${path} ${JSON.stringify(body(text))}`)
    }
  const { body: unchanged } = await owner.get(`${project.url}/environments/${environment.id}`)
  assert.equal(unchanged.external_url, good)
})

test('a profile takes no website, nor a name elsewhere, that runs in the browser', async () => {
  const scene = await openScene()
  const person = await scene.user()
  const url = `/users/${person.id}`
  for (const field of ['website_url', 'linkedin', 'twitter'])
    for (const text of hostile) {
      const answer = await scene.root.put(url, { [field]: text })
      assert.equal(answer.status, 400, `${field} ${text}`)
    }
  const changes = { website_url: 'https://example.com/me', linkedin: 'me', twitter: 'https://twitter.com/me' }
  const { status, body } = await scene.root.put(url, changes)
  assert.equal(status, 200)
  assert.deepEqual({ website_url: body.website_url, linkedin: body.linkedin, twitter: body.twitter }, changes)
  assert.equal((await scene.root.put(url, { website_url: '' })).body.website_url, '')
})
