import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { folderOf, slugOf } from './slugs.ts'
import { tierOfName } from './tiers.ts'

const scene = await openScene()

const names = (answer: { body: { name: string }[] }) => answer.body.map(environment => environment.name)

test('an environment is created and shown with the fields of document 2 `environment`', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })

  const created = await developer.post(`${project.url}/environments`, { name: 'production', external_url: 'https://app.example.com' })

  const { id, created_at, updated_at, ...rest } = created.body
  assert.equal(created.status, 201)
  assert.deepEqual(rest, {
    name: 'production',
    slug: 'production',
    external_url: 'https://app.example.com',
    state: 'available',
    tier: 'production',
  })
  assert.equal(created_at, updated_at)
  const shown = await developer.get(`${project.url}/environments/${id}`)
  // Null before any deployment (decision 28).
  assert.deepEqual(shown, { status: 200, body: { ...created.body, auto_stop_at: null, last_deployment: null } })
  const listed = await developer.get(`${project.url}/environments`)
  assert.deepEqual(listed.body, [created.body], 'the list has no last_deployment (document 2 `environments`)')
  const plain = await developer.post(`${project.url}/environments`, { name: 'plain', external_url: '' })
  assert.equal(plain.body.external_url, null, 'null when unset (decision 28)')
})

test('a list is narrowed by exact name or by a part of it, never both, and by state (document 2 `environments`)', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/environments`
  for (const name of ['review/one', 'review/two', 'review']) assert.equal((await owner.post(url, { name })).status, 201)
  const { body: stopped } = await owner.post(url, { name: 'staging' })
  await owner.post(`${url}/${stopped.id}/stop`)

  assert.deepEqual(names(await owner.get(url)), ['review/one', 'review/two', 'review', 'staging'])
  assert.deepEqual(names(await owner.get(`${url}?name=review`)), ['review'])
  assert.equal(names(await owner.get(`${url}?name=`)).length, names(await owner.get(url)).length, 'an empty name is ignored')
  assert.deepEqual(names(await owner.get(`${url}?search=review/`)), ['review/one', 'review/two'], 'a folder')
  assert.deepEqual(names(await owner.get(`${url}?search=ONE`)), ['review/one'])
  assert.deepEqual(names(await owner.get(`${url}?search=%25`)), [])
  assert.deepEqual(names(await owner.get(`${url}?states=stopped`)), ['staging'])
  assert.deepEqual(names(await owner.get(`${url}?states=available&search=review`)), ['review/one', 'review/two', 'review'])
  assert.deepEqual(await owner.get(`${url}?name=review&search=re`), {
    status: 400,
    body: { message: { name: ['is mutually exclusive with search'], search: ['is mutually exclusive with name'] } },
  })
  // An unknown state is refused (decision 28).
  assert.deepEqual(await owner.get(`${url}?states=gone`), { status: 400, body: { message: { states: ['does not have a valid value'] } } })
})

test('an environment is stopped, also by a repeated request, and is then 200 and `stopped` (document 2, decision 14)', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const { body } = await developer.post(`${project.url}/environments`, { name: 'staging' })
  const url = `${project.url}/environments/${body.id}`

  const answers = await Promise.all([1, 2].map(() => developer.post(`${url}/stop`)))

  for (const { status, body } of answers) assert.deepEqual([status, body.state, 'last_deployment' in body], [200, 'stopped', false])
  assert.deepEqual(await developer.post(`${project.url}/environments/${body.id + 1_000_000}/stop`), {
    status: 404,
    body: { message: '404 Environment Not Found' },
  })
})

test('an environment is changed and keeps its slug; a wrong change is a 400 (document 2 `environments`)', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const { body } = await developer.post(`${project.url}/environments`, { name: 'staging' })
  await developer.post(`${project.url}/environments`, { name: 'taken' })
  const url = `${project.url}/environments/${body.id}`

  const changed = await developer.put(url, { name: 'renamed', external_url: 'http://x.example.com', tier: 'testing' })

  assert.equal(changed.status, 200)
  assert.deepEqual(
    [changed.body.name, changed.body.slug, changed.body.external_url, changed.body.tier],
    ['renamed', 'staging', 'http://x.example.com', 'testing'],
  )
  assert.equal((await developer.put(url, { external_url: '' })).body.external_url, null)
  const refused: [object, object][] = [
    [{ name: 'taken' }, { name: ['has already been taken'] }],
    [{ external_url: 'javascript:alert(1)' }, { external_url: ['must be a valid http or https URL'] }],
    [{ external_url: `https://${'x'.repeat(255)}` }, { external_url: ['is too long (maximum is 255 characters)'] }],
    [{ slug: 'mine' }, { slug: ['is automatically generated and cannot be changed'] }],
    [{ tier: 'best' }, { tier: ['does not have a valid value'] }],
  ]
  for (const [change, message] of refused) assert.deepEqual(await developer.put(url, change), { status: 400, body: { message } })
})

test('a name is there, fits, and is taken once (document 2 `environments`)', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/environments`

  assert.deepEqual(await owner.post(url), { status: 400, body: { message: '400 (Bad request) "name" not given' } })
  for (const name of ['', '/a', 'a/', 'a b!', 'ä', 'a\nb', 'x'.repeat(256)])
    assert.equal((await owner.post(url, { name })).status, 400, name)
  assert.equal((await owner.post(url, { name: 'x'.repeat(255) })).status, 201)
  const both = await Promise.all([1, 2].map(() => owner.post(url, { name: 'race' })))
  assert.deepEqual(both.map(answer => answer.status).sort(), [201, 400])
  const lost = both.find(answer => answer.status === 400)
  assert.deepEqual(lost?.body, { message: { name: ['has already been taken'] } })
})

test('an environment is deleted in any state (decision 28), and is 404 from then on', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  const { body: available } = await developer.post(`${project.url}/environments`, { name: 'one' })
  const { body: stopped } = await developer.post(`${project.url}/environments`, { name: 'two' })
  await developer.post(`${project.url}/environments/${stopped.id}/stop`)

  for (const { id } of [available, stopped]) {
    assert.equal((await developer.delete(`${project.url}/environments/${id}`)).status, 204)
    for (const method of ['GET', 'DELETE', 'PUT'])
      assert.equal((await developer.request(method, `${project.url}/environments/${id}`)).status, 404)
  }
})

test('environments are for those who signed in (decision 9), and hidden without CI/CD or operations', async () => {
  const { project, owner, guest, reporter } = await scene.project({ visibility: 'public', members: ['guest', 'reporter'] })
  const { project: secret, guest: stranger } = await scene.project({ members: ['guest'] })
  const url = `${project.url}/environments`

  assert.equal((await scene.anonymous.get(url)).status, 401)
  assert.equal((await guest.get(url)).status, 200)
  assert.equal((await reporter.post(url, { name: 'mine' })).status, 403)
  assert.equal((await stranger.get(`${secret.url}/environments`)).status, 403)
  for (const feature of ['builds_access_level', 'operations_access_level', 'repository_access_level']) {
    await owner.put(project.url, { [feature]: 'disabled' })
    assert.equal((await owner.get(url)).status, 404, feature)
    await owner.put(project.url, { repository_access_level: 'enabled', builds_access_level: 'enabled', operations_access_level: 'enabled' })
  }
})

const kept = ['production', 'a', 'qa-2', 'abcdefghijklmnopqrstuvwx']
const remade: readonly [name: string, begins: string][] = [
  ['Production', 'production-'],
  ['review/fix-foo', 'review-fix-foo-'],
  ['1st', 'env-1st-'],
  ['a--b', 'a-b-'],
  ['ends-', 'ends-'],
  ['-', 'env-'],
  ['abcdefghijklmnopqrstuvwxy', 'abcdefghijklmnopq-'],
  [`${'a'.repeat(16)}/b`, `${'a'.repeat(16)}-`],
]

test('a slug has at most 24 characters of `[a-z0-9-]` and differs where names do (decision 28)', () => {
  for (const name of kept) assert.equal(slugOf(name), name)
  for (const [name, begins] of remade) assert.ok(slugOf(name).startsWith(begins), `${name}: ${slugOf(name)}`)
  const all = [...kept, ...remade.map(([name]) => name), 'x/y', 'x y', 'x_y', 'X-Y', 'x-y'].flatMap(name => [slugOf(name), slugOf(name, 1)])
  for (const slug of all) assert.match(slug, /^[a-z](?!.*--)[a-z0-9-]{0,22}[a-z0-9]?$/)
  assert.equal(new Set(all).size, all.length)
})

test('a slug that is taken by chance gives way to another', async () => {
  const { project, owner } = await scene.project()
  const taken = slugOf('Review/1')
  await owner.post(`${project.url}/environments`, { name: taken })

  const { body } = await owner.post(`${project.url}/environments`, { name: 'Review/1' })

  assert.notEqual(body.slug, taken)
  assert.match(body.slug, /^review-1-/)
})

test('a name says a tier and a folder', () => {
  const tiers = {
    production: ['production', 'prod', 'live', 'PROD/eu'],
    staging: ['staging', 'stg', 'pre-prod', 'demo', 'model'],
    testing: ['test', 'qa', 'integration', 'acceptance'],
    development: ['dev', 'review/x', 'trunk'],
    other: ['eu-west', 'sandbox'],
  }
  for (const [tier, names] of Object.entries(tiers)) for (const name of names) assert.equal(tierOfName(name), tier, name)
  assert.deepEqual([folderOf('review/a/b'), folderOf('review')], ['review', undefined])
})
