import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('a search shows what the caller may see, kind by kind', async () => {
  const person = await surfer()
  const mine = scene.as({ 'private-token': person.person.token })
  const { body: project } = await mine.post('/projects', { name: 'Lanterns', initialize_with_readme: true })
  await mine.post(`/projects/${project.id}/issues`, { title: 'The lantern <b>flickers</b>' })
  const stranger = await surfer()

  const projects = await person.get('/search', { search: 'lantern' })
  assert.match(projects.body, /Lanterns<\/a>/)
  const issues = await person.get('/search', { search: 'lantern', scope: 'issues' })
  assert.match(issues.body, /The lantern &lt;b&gt;flickers&lt;\/b&gt;/)
  const code = await person.get(`/${project.path_with_namespace}/-/search`, { search: 'Lanterns', scope: 'blobs' })
  assert.match(code.body, new RegExp(`/${project.path_with_namespace}/-/blob/[^"]*README.md#L1`))

  assert.ok(!(await stranger.get('/search', { search: 'lantern' })).body.includes('Lanterns</a>'))
  assert.equal((await stranger.get(`/${project.path_with_namespace}/-/search`, { search: 'x' })).status, 404)
})

test('groups are found by their names and paths: in the instance, and below a group', async () => {
  const person = await surfer()
  const mine = scene.as({ 'private-token': person.person.token })
  const { body: above } = await mine.post('/groups', { name: 'Harbour', path: `harbour-${person.person.id}` })
  const { body: below } = await mine.post('/groups', { name: 'Harbour cranes', path: 'cranes', parent_id: above.id })
  const stranger = await surfer()
  const found = async (who: typeof person, page: string) =>
    [...String((await who.get(page, { search: 'harbour', scope: 'groups' })).body).matchAll(/class="title"><a href="([^"]*)"/g)].map(
      ([, href]) => href,
    )

  const [ofAbove, ofBelow] = [`/groups/${above.full_path}`, `/groups/${below.full_path}`]
  assert.deepEqual((await found(person, '/search')).sort(), [ofAbove, ofBelow])
  assert.deepEqual(await found(person, `${ofAbove}/-/search`), [ofBelow])
  assert.deepEqual(await found(stranger, '/search'), [], 'private groups are found by those who may see them')
  assert.match((await person.get('/search', { search: 'zeppelin', scope: 'groups' })).body, /No groups that you may see match/)
})

test('a search without words asks for some, and one that finds nothing says so', async () => {
  const person = await surfer()
  assert.match((await person.get('/search')).body, /Names, titles, descriptions/)
  assert.match((await person.get('/search', { search: '"><script>' })).body, /“&quot;&gt;&lt;script&gt;”/)
})

test('the field above a page searches its place, whose results lead to those of everywhere', async () => {
  const person = await surfer()
  const mine = scene.as({ 'private-token': person.person.token })
  const { body: project } = await mine.post('/projects', { name: 'Beacons', initialize_with_readme: true })
  const path = `/${project.path_with_namespace}`
  const field = /<form class="search" action="([^"]*)"[^>]*>.*?placeholder="([^"]*)"/s
  assert.deepEqual(field.exec((await person.get(path)).body)?.slice(1), [`${path}/-/search`, 'Search in Beacons'])
  assert.deepEqual(field.exec((await person.get('/explore')).body)?.slice(1), ['/search', 'Search'])
  const issues = await person.get(`${path}/-/search`, { search: 'lamp', scope: 'issues' })
  assert.ok(issues.body.includes('href="/search?search=lamp&amp;scope=issues"'))
  assert.ok((await person.get(`${path}/-/search`, { search: 'lamp' })).body.includes('href="/search?search=lamp"'))
})

test('code, commits and comments are searched in the project that one chooses', async () => {
  const person = await surfer()
  const mine = scene.as({ 'private-token': person.person.token })
  const { body: group } = await mine.post('/groups', { name: 'Quay', path: `quay-${person.person.id}` })
  const { body: inside } = await mine.post('/projects', { name: 'Inside', namespace_id: group.id })
  const { body: outside } = await mine.post('/projects', { name: 'Outside' })
  const to = ({ path_with_namespace }: { path_with_namespace: string }) =>
    `href="/${path_with_namespace}/-/search?search=lamp+1&amp;scope=blobs"`
  const words = { search: 'lamp 1', scope: 'blobs' }
  const all = (await person.get('/search', words)).body
  assert.match(all, /Code: searched in one project at a time/)
  assert.ok(all.includes(to(inside)) && all.includes(to(outside)))
  const below = (await person.get(`/groups/${group.full_path}/-/search`, words)).body
  assert.ok(below.includes(to(inside)) && !below.includes(to(outside)))
  assert.equal((await person.get('/search', { search: '', scope: 'commits' })).status, 200)

  const led = async (query: Record<string, string>, who = person) => {
    const { status, headers } = await who.get('/search', query)
    return [status, headers.location]
  }
  const path = `/${inside.path_with_namespace}`
  assert.deepEqual(await led({ ...words, project_id: inside.id }), [303, `${path}/-/search?search=lamp+1&scope=blobs`])
  assert.deepEqual(await led({ search: 'a', scope: 'projects', project_id: inside.id }), [303, `${path}/-/search?search=a`])
  assert.deepEqual(await led({ search: 'a', group_id: group.id }), [303, `/groups/${group.full_path}/-/search?search=a&scope=projects`])
  const stranger = await surfer()
  assert.deepEqual(await led({ search: 'a', project_id: inside.id }, stranger), [404, undefined])
  assert.deepEqual(await led({ search: 'a', group_id: group.id }, stranger), [404, undefined])
})

test('of a line of a megabyte what is around the match is shown, and matches are marked', async () => {
  const person = await surfer()
  const mine = scene.as({ 'private-token': person.person.token })
  const { body: project } = await mine.post('/projects', { name: 'Long lines' })
  const long = `${'a'.repeat(600_000)}<Lamp>${'b'.repeat(600_000)}\n`
  await mine.post(`/projects/${project.id}/repository/files/long.txt`, {
    branch: 'main',
    content: `a Lamp, the lamp\n${long}`,
    commit_message: 'Add',
  })
  const { body } = await person.get(`/${project.path_with_namespace}/-/search`, { search: 'lamp', scope: 'blobs' })
  assert.ok(body.includes('a <mark>Lamp</mark>, the <mark>lamp</mark></td>'))
  assert.ok(body.includes('>…aaa') && body.includes('a&lt;<mark>Lamp</mark>&gt;b') && body.includes('bbb…</td>'))
  assert.ok(body.length < 60_000, `${body.length} characters`)
})

test('a short part that finds nothing is said to be too short', async () => {
  const person = await surfer()
  assert.match((await person.get('/search', { search: 'zq', scope: 'users' })).body, /from three characters on/)
  assert.doesNotMatch((await person.get('/search', { search: 'zqzq', scope: 'users' })).body, /from three characters on/)
})
