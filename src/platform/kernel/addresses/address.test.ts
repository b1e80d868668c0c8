/** Which sources determine the server's address: links and HSTS. */
import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { describe, test } from 'node:test'
import { openScene, type Scene } from '../../../../test/scene.ts'
import { parseConfig } from '../../config.ts'
import { isKnownHost, listeningAddress } from './address.ts'

const scene = await openScene()
const named = await openScene({ settings: { hosts: 'Ingot,git.example.com:8443' } })
const behind = await openScene({ settings: { hosts: 'git.example.com', trustedProxies: '127.0.0.1' } })
const external = await openScene({ settings: { externalUrl: 'https://git.example.com' } })

await Promise.all([scene, named, behind, external].map(world => world.project({ visibility: 'public' })))

/** The base of the links in an answer. */
async function linksOf(world: Scene, headers: Record<string, string>): Promise<string> {
  const { body, headers: got } = await world.anonymous.get('/projects', {}, headers)
  const [first] = body
  assert.ok(got.link?.startsWith(`<${new URL(first.web_url).origin}/`), got.link)
  return new URL(first.web_url).origin
}

describe('links in answers', () => {
  test('do not use an unknown host', async () => {
    for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil.example', '192.0.2.7', 'e', '[::2]'])
      assert.equal(await linksOf(scene, { host }), scene.url, host)
  })

  test('do not use an impossible port', async () => {
    for (const host of ['localhost:99999', '[::1]:99999', '127.999.0.1']) assert.equal(await linksOf(scene, { host }), scene.url, host)
  })

  test('use the addresses and names of this machine, at any port', async () => {
    for (const host of ['localhost:8080', '127.0.0.1:1', 'LOCALHOST', `${hostname()}:3000`, 'ingot.localhost', '[::1]:8080'])
      assert.equal(await linksOf(scene, { host }), new URL(`http://${host}`).origin, host)
  })

  test('use the configured names, with the port if one is configured', async () => {
    assert.equal(await linksOf(named, { host: 'ingot:8080' }), 'http://ingot:8080')
    assert.equal(await linksOf(named, { host: 'git.example.com:8443' }), 'http://git.example.com:8443')
    assert.equal(await linksOf(named, { host: 'git.example.com:9000' }), named.url)
  })

  test('use a forwarded host only from a trusted proxy, and only a known one', async () => {
    const forwarded = (host: string) => ({ 'x-forwarded-host': host, 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' })

    assert.equal(await linksOf(scene, forwarded('git.example.com')), scene.url)
    assert.equal(await linksOf(behind, forwarded('git.example.com')), 'https://git.example.com')
    assert.equal(await linksOf(behind, forwarded('evil.example')), behind.url.replace('http:', 'https:'))
  })

  test('use the external URL whatever host is requested', async () => {
    const answer = await external.anonymous.get('/projects', {}, { host: 'evil.example' })

    assert.ok(answer.body[0].web_url.startsWith('https://git.example.com/'))
  })

  test('the local address of the connection is known, and IPv6 addresses are written as in URLs', () => {
    const config = parseConfig({}, {}, { host: '0.0.0.0' })

    assert.equal(isKnownHost('192.0.2.9:8080', config, '::ffff:192.0.2.9'), true)
    assert.equal(isKnownHost('192.0.2.8:8080', config, '::ffff:192.0.2.9'), false)
    assert.equal(isKnownHost('[fd00::9]:8080', config, 'fd00::9'), true)
    assert.equal(isKnownHost('0.0.0.0:8080', config), false)
    assert.equal(listeningAddress({ config: parseConfig({}, {}, { host: '::1' }), http: { port: 8080 } }), 'http://[::1]:8080')
  })
})

describe('headers of every answer', () => {
  const addresses = ['/', '/-/docs', '/api/v4/projects', '/api/v4/nothing', '/explore', '/users/sign_in']

  test('restrict what a browser may do with it', async () => {
    for (const address of addresses) {
      const { headers } = await scene.anonymous.get(scene.url + address)
      assert.equal(headers['x-content-type-options'], 'nosniff', address)
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin', address)
      assert.match(headers['permissions-policy'] ?? '', /camera=\(\), .*microphone=\(\)/, address)
      assert.equal(headers['referrer-policy'], 'same-origin', address)
      assert.equal(headers['strict-transport-security'], undefined, address)
    }
  })

  test('ask for https where the server is reached by it, as its own settings or a trusted proxy say', async () => {
    const proto = { 'x-forwarded-proto': 'https' }

    for (const [world, headers, sent] of [
      [external, {}, true],
      [behind, proto, true],
      [behind, {}, false],
      [scene, proto, false],
    ] as const) {
      const answer = await world.anonymous.get(`${world.url}/users/sign_in`, {}, headers)
      assert.equal(answer.headers['strict-transport-security'], sent ? 'max-age=31536000' : undefined)
    }
  })
})
