/** The pages of snippets. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const files = [{ file_path: 'hello.ts', content: "const greeting = '<b>hello</b>'\n" }]

/** The path of an address of this instance. */
const pathOf = (url: string): string => url.slice(scene.url.length)

test('a personal snippet has a page with its files, for those who may see it', async () => {
  const [author, visitor] = [await surfer(), await surfer()]
  const as = scene.as({ 'private-token': author.person.token })
  const { body: open } = await as.post('/snippets', { title: 'Hello <you>', description: '**Bold**', visibility: 'public', files })
  const { body: hidden } = await as.post('/snippets', { title: 'Mine', visibility: 'private', files })

  const shown = await visitor.get(pathOf(open.web_url))
  assert.equal(shown.status, 200)
  assert.match(shown.body, /Hello &lt;you&gt;[\s\S]*<strong>Bold<\/strong>[\s\S]*hello\.ts[\s\S]*&lt;b&gt;hello/)
  assert.doesNotMatch(shown.body, /\/edit"/)
  assert.match((await author.get(pathOf(open.web_url))).body, /\/edit"/)
  assert.equal((await visitor.get(pathOf(hidden.web_url))).status, 404)
  const raw = await visitor.get(pathOf(open.files[0].raw_url))
  assert.deepEqual([raw.status, raw.body], [200, files[0]?.content])
  assert.equal((await visitor.get(pathOf(open.raw_url))).body, files[0]?.content)
  const { project, owner } = await scene.project({ visibility: 'public' })
  const { body: ours } = await owner.post(`${project.url}/snippets`, { title: 'Ours', visibility: 'public', files })
  for (const {
    raw_url,
    files: [file],
  } of [open, ours])
    for (const path of [raw_url, file.raw_url].map(pathOf)) {
      const { headers, body } = await visitor.get(path)
      assert.equal(body, files[0]?.content)
      assert.equal((await visitor.client.get(`${scene.url}${path}`, {}, { 'if-none-match': String(headers.etag) })).status, 304, path)
    }
  const { body: explored } = await visitor.get('/explore/snippets')
  assert.ok(explored.includes('Hello &lt;you&gt;') && !explored.includes('Mine'))
  assert.match((await author.get('/-/snippets')).body, /Mine/)
})

test('forms make a snippet with several files, change it and delete it', async () => {
  const author = await surfer()
  const form = (rows: readonly (readonly [previous: string, remove: string, path: string, content: string])[], title = 'Two files') => [
    ['title', title] as [string, string],
    ['description', ''] as [string, string],
    ['visibility', 'private'] as [string, string],
    ...rows.flatMap(([previous, remove, path, content]): [string, string][] => [
      ['files[][previous_path]', previous],
      ['files[][file_path]', path],
      ['files[][remove]', remove],
      ['files[][content]', content],
    ]),
  ]
  const refused = await author.submit('/-/snippets/new', form([['', '', '', '']]))
  assert.equal(refused.status, 422)
  assert.match(refused.body, /at least one file/)

  const made = await author.submit(
    '/-/snippets/new',
    form([
      ['', '', 'a.txt', 'one\r\ntwo'],
      ['', '', '', 'three'],
    ]),
  )
  const page = String(made.headers.location)
  const id = page.split('/').at(-1)
  const as = scene.as({ 'private-token': author.person.token })
  const paths = async () => (await as.get(`/snippets/${id}`)).body.files.map(({ path }: { path: string }) => path)
  assert.deepEqual(await paths(), ['a.txt', 'snippetfile2.txt'])
  assert.equal((await as.get(`/snippets/${id}/raw`)).body, 'one\ntwo')

  assert.match((await author.get(`${page}/edit`)).body, /value="a\.txt"[\s\S]*one\ntwo/)
  const rows = [
    ['a.txt', '', 'b.txt', 'one\r\ntwo'],
    ['snippetfile2.txt', '1', 'snippetfile2.txt', 'three'],
    ['', '', 'c.txt', 'new'],
  ] as const
  assert.equal((await author.submit(`${page}/edit`, form(rows, 'Other'))).status, 303)
  assert.deepEqual(await paths(), ['b.txt', 'c.txt'])
  assert.equal((await as.get(`/snippets/${id}`)).body.title, 'Other')

  assert.equal((await author.submit(`${page}/delete`, [])).status, 303)
  assert.equal((await author.get(page)).status, 404)
})

test('a snippet of a project stands in its tabs, and is commented on', async () => {
  const [owner, reader] = [await surfer(), await surfer()]
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const as = scene.as({ 'private-token': owner.person.token })
  const { body: snippet } = await as.post(`${project.url}/snippets`, { title: 'Shared', visibility: 'public', files })
  const list = `/${project.full_path}/-/snippets`

  assert.match((await reader.get(list)).body, /Shared/)
  const said = await reader.submit(`${list}/${snippet.id}/comment`, { body: 'Thank *you*' })
  assert.match(String(said.headers.location), new RegExp(`${list}/${snippet.id}#note_`))
  assert.match((await owner.get(`${list}/${snippet.id}`)).body, /Thank <em>you<\/em>/)
  assert.equal((await reader.get(`/-/snippets/${snippet.id}`)).headers.location, `${scene.url}${list}/${snippet.id}`)
  assert.equal((await reader.submit(`${list}/${snippet.id}/delete`, [])).status, 403)
  assert.match((await reader.get(`/${project.full_path}`)).body, /\/-\/snippets"/)
  await as.put(project.url, { snippets_access_level: 'disabled' })
  assert.equal((await reader.get(list)).status, 404)
  assert.doesNotMatch((await reader.get(`/${project.full_path}`)).body, /\/-\/snippets"/)
})
