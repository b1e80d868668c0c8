/** Atom feeds at their well-known addresses. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { feedTokenOf, resetFeedToken } from '../../identity/users/activity/feed_tokens.ts'
import { systemContext } from '../../platform/kernel/context.ts'
import { encodeFeedPath } from './address.ts'
import { atomDocument } from './atom.ts'

const scene = await openScene()

async function world() {
  const { project, owner } = await scene.project({ visibility: 'private' })
  const sha = await scene.commit(project, { 'f.txt': 'one\n' }, { message: 'Keep <lamps> & shades' })
  await owner.post(`${project.url}/issues`, { title: 'The lamp & the shade', description: 'Broken' })
  await owner.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
  await owner.post(`${project.url}/releases`, { tag_name: 'v1', name: 'First' })
  return { project, owner, sha }
}

const { db } = scene.deps.database
const tokenOf = (person: Pick<Person, 'id'>) => feedTokenOf(db, scene.deps.secrets, person.id)

async function fetched(path: string, token?: string) {
  const response = await fetch(`${scene.url}${path}${token === undefined ? '' : `${path.includes('?') ? '&' : '?'}feed_token=${token}`}`)
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() }
}

test('a feed token opens the feeds of what its owner sees, and nothing else', async () => {
  const { project, owner, sha } = await world()
  const token = await tokenOf(owner)
  const path = `/${project.full_path}`

  const commits = await fetched(`${path}/-/commits/main?format=atom`, token)
  assert.equal(commits.status, 200)
  assert.match(String(commits.type), /^application\/atom\+xml/)
  assert.match(commits.body, /<title>Keep &lt;lamps&gt; &amp; shades<\/title>/)
  assert.ok(commits.body.includes(`<link href="${scene.url}${path}/-/commit/${sha}"/>`))
  assert.ok(!commits.body.includes(token), 'the document does not say the token')
  assert.equal((await fetched(`${path}/-/commits/main.atom`, token)).status, 200)
  assert.match((await fetched(`${path}/-/issues.atom`, token)).body, /<title>The lamp &amp; the shade<\/title>/)
  assert.match((await fetched(`${path}/-/tags?format=atom`, token)).body, /<title>v1<\/title>/)
  assert.match((await fetched(`${path}/-/releases.atom`, token)).body, /<title>First<\/title>/)
  assert.equal((await fetched(`${path}/-/merge_requests.atom`, token)).status, 200)
  assert.match((await fetched(`${path}.atom`, token)).body, /opened issue #1: The lamp &amp; the shade at /)
  assert.match((await fetched('/dashboard/projects.atom', token)).body, /opened issue #1/)
  assert.match((await fetched(`/${owner.username}.atom`, token)).body, /opened issue #1/)
  assert.equal((await fetched('/dashboard/issues.atom', token)).status, 200)

  for (const address of [`${path}.atom`, `${path}/-/issues.atom`, `${path}/-/commits/main?format=atom`])
    assert.equal((await fetched(address)).status, 404, address)
  const stranger = await tokenOf(await scene.user())
  assert.equal((await fetched(`${path}/-/issues.atom`, stranger)).status, 404)
  assert.doesNotMatch((await fetched(`/${owner.username}.atom`, stranger)).body, /The lamp/)
  assert.equal((await fetched('/dashboard/projects.atom')).status, 401)
  assert.equal((await fetched('/api/v4/user', token)).status, 401, 'no credential of the API')
})

test('a token that is replaced, forged or of a blocked account opens nothing', async () => {
  const person = await scene.user()
  const token = await tokenOf(person)
  assert.equal((await fetched('/dashboard/projects.atom', token)).status, 200)

  assert.equal((await fetched('/dashboard/projects.atom', token.replace(/^\d+/, '1'))).status, 401)
  assert.equal((await fetched('/dashboard/projects.atom', 'x')).status, 401)
  await resetFeedToken(systemContext(scene.deps, db), person.id)
  assert.equal((await fetched('/dashboard/projects.atom', token)).status, 401)
  await scene.root.post(`/users/${person.id}/block`)
  assert.equal((await fetched('/dashboard/projects.atom', await tokenOf(person))).status, 401)
})

describe('addresses', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['/a/b.atom', '/a%2Fb.atom'],
    ['/a.atom?feed_token=1', '/a.atom?feed_token=1'],
    ['/groups/a/b.atom', '/a%2Fb.atom'],
    ['/a/b/-/commits/x/y?format=atom', '/a%2Fb/-/commits.atom/x/y'],
    ['/a/b/-/commits/x.atom?feed_token=1', '/a%2Fb/-/commits.atom/x?feed_token=1'],
    ['/a/b/-/issues?format=atom&state=all', '/a%2Fb/-/issues.atom?state=all'],
    ['/a/b/-/tags.atom', '/a%2Fb/-/tags.atom'],
    ['/a/b/-/blob/main/x.atom', undefined],
    ['/dashboard/projects.atom', undefined],
    ['/a/b/-/issues', undefined],
  ]
  for (const [given, wanted] of cases) test(given, () => assert.equal(encodeFeedPath(given), wanted))
})

test('what XML does not have is left out of a document', () => {
  const entry = { id: 'x', title: 'a\u0000b <c>', href: '/', updated: '2021-01-01T00:00:00Z', author: { name: 'E' } }
  const text = atomDocument({ title: 't', href: '/', self: '/', entries: [entry], now: new Date() })

  assert.match(text, /<title>ab &lt;c&gt;<\/title>/)
  assert.match(text, /<updated>2021-01-01T00:00:00\.000Z<\/updated>/)
})
