/** Nothing but addresses of the web becomes a link. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { openScene } from '../../../test/scene.ts'
import { endpoints } from '../../server/endpoints.ts'
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
  // Of OAuth applications, whose schemes may be an app's own: src/identity/applications.
  'redirect_uri',
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

test('a profile takes no website, nor a name elsewhere, that runs in the browser', async () => {
  const scene = await openScene()
  const person = await scene.user()
  const url = `/users/${person.id}`
  for (const field of ['website_url', 'linkedin', 'twitter'])
    for (const text of ['javascript:alert(1)', 'data:text/html,x']) {
      const answer = await scene.root.put(url, { [field]: text })
      assert.equal(answer.status, 400, `${field} ${text}`)
    }
  const changes = { website_url: 'https://example.com/me', linkedin: 'me', twitter: 'https://twitter.com/me' }
  const { status, body } = await scene.root.put(url, changes)
  assert.equal(status, 200)
  assert.deepEqual({ website_url: body.website_url, linkedin: body.linkedin, twitter: body.twitter }, changes)
  assert.equal((await scene.root.put(url, { website_url: '' })).body.website_url, '')
})
