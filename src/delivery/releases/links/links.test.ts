import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { failuresOf } from './commands.ts'

const scene = await openScene()

async function world() {
  const { project, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  await scene.commit(project, { a: '1' })
  await developer.post(`${project.url}/releases`, { tag_name: 'v1', ref: 'main' })
  return { project, developer, reporter, url: `${project.url}/releases/v1/assets/links` }
}

const handbook = { name: 'Handbook', url: 'https://example.com/a.pdf' }

test('a link is created, read, changed and deleted, and DELETE answers the link (document 2 "Release links")', async () => {
  const { project, developer, reporter, url } = await world()

  const made = await developer.post(url, { ...handbook, filepath: '/docs/a.pdf', link_type: 'runbook' })
  const { id } = made.body
  const direct_asset_url = `${scene.url}/${project.full_path}/-/releases/v1/downloads/docs/a.pdf`

  assert.deepEqual(made, { status: 201, body: { id, ...handbook, direct_asset_url, external: true, link_type: 'runbook' } })
  assert.deepEqual((await reporter.get(`${url}/${id}`)).body, made.body)
  assert.deepEqual((await reporter.get(url)).body, [made.body])
  const changed = await developer.put(`${url}/${id}`, { name: 'Manual', link_type: 'other' })
  assert.deepEqual(changed, { status: 200, body: { ...made.body, name: 'Manual', link_type: 'other' } })
  assert.equal((await reporter.delete(`${url}/${id}`)).status, 403)
  assert.deepEqual(await developer.delete(`${url}/${id}`), { status: 200, body: changed.body })
  assert.deepEqual(await developer.get(`${url}/${id}`), { status: 404, body: { message: '404 Link Not Found' } })
})

test('PUT needs a name or a url (document 2 "Release links")', async () => {
  const { developer, url } = await world()
  const { id } = (await developer.post(url, handbook)).body
  const answer = await developer.put(`${url}/${id}`, { link_type: 'image' })
  assert.deepEqual(answer, { status: 400, body: { message: { name: ['is missing, at least one of name, url must be given'] } } })
})

test('a name, url or path is taken once in a release: 400 (decision 29)', async () => {
  const { developer, url } = await world()
  await developer.post(url, { ...handbook, filepath: '/a' })
  const taken: [body: object, column: string][] = [
    [{ name: 'Handbook', url: 'https://example.com/b' }, 'name'],
    [{ name: 'Other', url: handbook.url }, 'url'],
    [{ name: 'Other', url: 'https://example.com/b', direct_asset_path: '/a' }, 'filepath'],
  ]
  for (const [body, column] of taken)
    assert.deepEqual(await developer.post(url, body), { status: 400, body: { message: { [column]: ['has already been taken'] } } })
  const { id } = (await developer.post(url, { name: 'Other', url: 'ftp://example.com/b' })).body
  assert.deepEqual(await developer.put(`${url}/${id}`, { name: 'Handbook' }), {
    status: 400,
    body: { message: { name: ['has already been taken'] } },
  })
})

test('links are http, https and ftp addresses, and paths begin with a slash (document 2 "Release link")', () => {
  const scheme = ['is blocked: Only allowed schemes are http, https, ftp']
  const path = ['is in an invalid format']
  const table: [given: object, failures: object][] = [
    [{ url: 'http://example.com' }, {}],
    [{ url: 'https://example.com/a?b#c' }, {}],
    [{ url: 'ftp://example.com/a' }, {}],
    [{ url: 'javascript:alert(1)' }, { url: scheme }],
    [{ url: 'data:text/html,x' }, { url: scheme }],
    [{ url: 'example.com' }, { url: scheme }],
    [{ url: ' https://example.com' }, { url: scheme }],
    [{ url: 'https://example.com/a\n' }, { url: ['is blocked: URI is invalid'] }],
    [{ url: 'https://a"onmouseover=x' }, { url: ['is blocked: URI is invalid'] }],
    [{ url: 'ftp:example.com' }, { url: ['is blocked: URI is invalid'] }],
    [{ url: 'file:///etc/passwd' }, { url: scheme }],
    [{ filepath: '/bin/linux-amd64' }, {}],
    [{ filepath: '/a.b/c_d.zip' }, {}],
    [{ filepath: '' }, {}],
    [{ filepath: null }, {}],
    [{ filepath: 'bin/linux' }, { filepath: path }],
    [{ filepath: '/bin//linux' }, { filepath: path }],
    [{ filepath: '/bin/' }, { filepath: path }],
    [{ filepath: '/bin/ä' }, { filepath: path }],
    [{ direct_asset_path: '/a b' }, { filepath: path }],
    [{ filepath: `/${'a'.repeat(128)}` }, { filepath: path }],
  ]
  for (const [given, failures] of table) assert.deepEqual(failuresOf(given), failures, JSON.stringify(given))
})

test('a link within this server is not external, an unknown type is refused (document 2; decision 28)', async () => {
  const { developer, url } = await world()
  assert.equal((await developer.post(url, { name: 'Job', url: `${scene.url}/x/-/jobs/1` })).body.external, false)
  const answer = await developer.post(url, { ...handbook, link_type: 'video' })
  assert.deepEqual(answer, { status: 400, body: { message: { link_type: ['does not have a valid value'] } } })
})

test('a direct address leads to where the link leads by then', async () => {
  const { project, developer, url } = await world()
  const { id, direct_asset_url } = (await developer.post(url, { ...handbook, filepath: '/docs/a.pdf' })).body
  await developer.put(`${url}/${id}`, { url: 'https://example.com/b.pdf' })

  const led = await developer.get(direct_asset_url)

  assert.deepEqual([led.status, led.headers.location], [302, 'https://example.com/b.pdf'])
  assert.equal((await developer.get(`${project.url}/releases/v1/downloads/docs/a.pdf`)).status, 302)
  assert.equal((await developer.get(`${direct_asset_url}x`)).status, 404)
  assert.equal((await scene.anonymous.get(direct_asset_url)).status, 404)
})
