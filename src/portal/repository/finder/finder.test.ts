import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

async function projectWith(...paths: readonly string[]) {
  const { body: project } = await by.post('/projects', { name: `Found ${Math.random()}`.replace('.', '') })
  const url = `/projects/${project.id}/repository`
  const actions = paths.map(file_path => ({ action: 'create', file_path, content: '1' }))
  await by.post(`${url}/commits`, { branch: 'main', commit_message: 'Begin', actions })
  return { url, page: `/${project.path_with_namespace}` }
}

/** The addresses of files on a page, in their order. */
const filesIn = (body: string): string[] =>
  [...body.matchAll(/<div class="main title"><a href="([^"]+)"/g)].map(match => match[1] as string)

test('a file is found by characters of its path, and the paths are sent once for a browser to search', async () => {
  const odd = ['a b#?.txt', 'line\nend', '<b>.html']
  // The last one is how a name that is not UTF-8 reads: no address leads to it.
  const { page } = await projectWith('src/lamp.ts', 'src/lamps/shade.ts', 'docs/plan.md', ...odd, 'caf\ufffd.txt')

  const found = await owner.get(`${page}/-/find_file/main`, { search: 'slamp' })
  assert.deepEqual(filesIn(found.body), [`${page}/-/blob/main/src/lamp.ts`, `${page}/-/blob/main/src/lamps/shade.ts`])
  assert.match((await owner.get(`${page}/-/find_file/main`, { search: 'nothing' })).body, /<p class="muted" data-none>/)
  const all = await owner.get(`${page}/-/find_file/main`)
  assert.ok(filesIn(all.body).includes(`${page}/-/blob/main/a%20b%23%3F.txt`))
  assert.ok(!all.body.includes('<b>.html'))

  const [, paths = ''] = /data-paths="([^"]+)"/.exec(all.body) ?? []
  const sent = await owner.client.get(scene.url + paths)
  assert.deepEqual(new Set(sent.body), new Set(['src/lamp.ts', 'src/lamps/shade.ts', 'docs/plan.md', ...odd]))
  assert.equal((await owner.client.get(scene.url + paths, {}, { 'if-none-match': String(sent.headers.etag) })).status, 304)
  const stranger = await surfer()
  assert.equal((await stranger.get(paths)).status, 404)
  assert.equal((await stranger.get(`${page}/-/find_file/main`)).status, 404)
})

test('a page changes to the same place of another branch or tag, whatever they are called', async () => {
  const { page, url } = await projectWith('src/lamp.ts')
  for (const branch of ['x/-/tree/main', 'blob', 'feature/#1<i>']) await by.post(`${url}/branches`, { branch, ref: 'main' })
  await by.post(`${url}/tags`, { tag_name: 'v1.0', ref: 'main' })

  assert.match((await owner.get(`${page}/-/blob/main/src/lamp.ts`)).body, new RegExp(`src="${page}/-/switch/main/src/lamp.ts\\?kind=blob"`))
  const list = await owner.get(`${page}/-/switch/main/src/lamp.ts`, { kind: 'blob' })
  for (const name of ['x/-/tree/main', 'blob', 'feature/%231%3Ci%3E', 'v1.0']) {
    assert.ok(list.body.includes(`href="${page}/-/blob/${name}/src/lamp.ts"`), name)
    assert.equal((await owner.get(`${page}/-/blob/${name}/src/lamp.ts`)).status, 200, name)
  }
  const searched = await owner.get(`${page}/-/switch/main`, { search: 'v1' })
  assert.ok(searched.body.includes(`href="${page}/-/tree/v1.0"`) && !searched.body.includes(`href="${page}/-/tree/blob"`))
  const [, archive = ''] = /href="([^"]+\.zip)"/.exec((await owner.get(`${page}/-/tree/${encodeURIComponent('feature/#1<i>')}`)).body) ?? []
  assert.equal((await owner.get(archive)).status, 200)
})

test('of many branches the newest are listed, and the others are found', async () => {
  const { page, url } = await projectWith('a.txt')
  for (let number = 0; number < 55; number++) await by.post(`${url}/branches`, { branch: `topic-${number}`, ref: 'main' })

  const list = await owner.get(`${page}/-/switch/main`)
  assert.match(list.body, /and 6 more: search for them/)
  assert.match((await owner.get(`${page}/-/switch/main`, { search: '^topic-5' })).body, /topic-54/)
})
