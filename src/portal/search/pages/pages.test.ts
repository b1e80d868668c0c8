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
