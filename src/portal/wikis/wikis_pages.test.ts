import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const writer = await surfer()
const reader = await surfer()
const by = scene.as({ 'private-token': writer.person.token })

/** A public project of the writer, with its wiki. */
async function place() {
  const { project } = await scene.project({ owner: writer.person, visibility: 'public' })
  return { project, wiki: `/${project.full_path}/-/wikis` }
}

test('an empty wiki says what it is for, and its first page is written with a form', async () => {
  const { wiki } = await place()
  const { body } = await writer.get(wiki)
  assert.match(body, /The wiki has no pages yet/)
  assert.ok(body.includes(`href="${wiki}/new?title=home"`))
  assert.ok(body.includes('.wiki.git'))
  assert.doesNotMatch((await reader.get(wiki)).body, /Write the first page/)

  const sent = await writer.submit(`${wiki}/new`, {
    title: 'home',
    content: 'See [[guides/First steps]].',
    format: 'markdown',
    message: '',
  })
  assert.deepEqual([sent.status, sent.headers.location], [303, `${wiki}/home`])
  const home = await writer.get(wiki)
  assert.match(home.body, /<h1>Home<\/h1>/)
  assert.ok(home.body.includes(`<a href="${wiki}/guides/First-steps">guides/First steps</a>`))
  const missing = await writer.get(`${wiki}/guides/First-steps`)
  assert.equal(missing.status, 404)
  assert.ok(missing.body.includes(`href="${wiki}/new?title=guides%2FFirst%20steps"`))
})

test('a page is changed, has a history with its versions, and is deleted', async () => {
  const { project, wiki } = await place()
  await by.post(`${project.url}/wikis`, { title: 'guides/First steps', content: 'One' })
  const edit = `${wiki}/guides%2FFirst-steps/edit`
  const form = await writer.get(edit)
  assert.match(form.body, /value="guides\/First steps"/)
  const [, sha = ''] = /name="last_commit_sha" value="([0-9a-f]{40})"/.exec(form.body) ?? []
  const sent = await writer.submit(edit, {
    title: 'guides/First steps',
    content: 'Two',
    format: 'markdown',
    last_commit_sha: sha,
    message: 'Say two',
  })
  assert.deepEqual([sent.status, sent.headers.location], [303, `${wiki}/guides/First-steps`])

  const { body } = await reader.get(`${wiki}/guides%2FFirst-steps/history`)
  assert.match(body, /Say two/)
  const [, old = ''] = new RegExp(`href="(${wiki}/guides/First-steps\\?version=${sha})"`).exec(body) ?? []
  const version = await reader.get(old)
  assert.match(version.body, /<p dir="auto">One<\/p>/)
  assert.match(version.body, /This is the page as it was/)
  assert.match((await reader.get(`${wiki}/pages`)).body, /guides\/First-steps/)
  assert.equal((await reader.submit(`${wiki}/guides%2FFirst-steps/delete`, {})).status, 403)
  assert.equal((await writer.submit(`${wiki}/guides%2FFirst-steps/delete`, {})).status, 303)
  assert.deepEqual((await by.get(`${project.url}/wikis`)).body, [])
})

test('of two people who edit a page the second one sees what the first wrote, and loses nothing', async () => {
  const { project, wiki } = await place()
  await by.post(`${project.url}/wikis`, { title: 'Lamp', content: 'One' })
  const edit = `${wiki}/Lamp/edit`
  const [, sha = ''] = /name="last_commit_sha" value="([0-9a-f]{40})"/.exec((await writer.get(edit)).body) ?? []
  await by.put(`${project.url}/wikis/Lamp`, { content: 'Theirs <b>' })

  const clash = await writer.submit(edit, { title: 'Lamp', content: 'Mine', format: 'markdown', last_commit_sha: sha })

  assert.equal(clash.status, 422)
  assert.match(clash.body, /role="alert"[\s\S]*Someone edited the page/)
  assert.match(clash.body, /The page as it is now[\s\S]*Theirs &lt;b&gt;/)
  assert.match(clash.body, />\n?Mine<\/textarea>/)
  const [, now = ''] = /name="last_commit_sha" value="([0-9a-f]{40})"/.exec(clash.body) ?? []
  assert.notEqual(now, sha)
  assert.equal((await writer.submit(edit, { title: 'Lamp', content: 'Both', format: 'markdown', last_commit_sha: now })).status, 303)
  assert.equal((await by.get(`${project.url}/wikis/Lamp`)).body.content, 'Both')
})

test('attached files are served by their path: pictures shown, the rest downloaded', async () => {
  const { project, wiki } = await place()
  const attach = async (name: string) => {
    const data = new FormData()
    data.append('file', new Blob(['<script>']), name)
    return (await by.post(`${project.url}/wikis/attachments`, data)).body.file_path
  }
  const page = await reader.get(`${wiki}/${await attach('x.html')}`)
  assert.deepEqual([page.status, page.headers['content-type'], page.body], [200, 'application/octet-stream', '<script>'])
  assert.match(String(page.headers['content-disposition']), /^attachment/)
  const picture = await reader.get(`${wiki}/${await attach('x.png')}`)
  assert.deepEqual([picture.headers['content-type'], picture.headers['x-content-type-options']], ['image/png', 'nosniff'])
})

test('the tab of the wiki is there where the wiki is on', async () => {
  const { project, wiki } = await place()
  const tab = `href="${wiki}"`
  assert.ok((await writer.get(`/${project.full_path}`)).body.includes(tab))
  await by.put(project.url, { wiki_access_level: 'disabled' })
  assert.ok(!(await writer.get(`/${project.full_path}`)).body.includes(tab))
  assert.equal((await writer.get(wiki)).status, 404)
})

test('a group has the same pages', async () => {
  const { group } = await scene.group({ owner: writer.person, visibility: 'public' })
  const wiki = `/groups/${group.full_path}/-/wikis`
  assert.match((await reader.get(wiki)).body, /The wiki has no pages yet/)
  const sent = await writer.submit(`${wiki}/new`, { title: 'Ours', content: '[[home]]', format: 'markdown' })
  assert.equal(sent.headers.location, `${wiki}/Ours`)
  assert.ok((await reader.get(`${wiki}/Ours`)).body.includes(`<a href="${wiki}/home">home</a>`))
})
