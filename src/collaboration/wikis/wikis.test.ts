import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { storedSide } from '../../code/side_repositories/side_repository.ts'
import type { Repository } from '../../platform/git/index.ts'
import { git, importCommits } from '../../platform/git/scene.ts'
import { groupWikis, projectWikis } from './endpoints.ts'
import { wikiKeyOf } from './repository.ts'

const scene = await openScene()

const titles = async (person: Person, url: string) => (await person.get(`${url}/wikis`)).body.map(({ title }: { title: string }) => title)

test('a page is written, read, changed, renamed and deleted', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/wikis`

  const made = await owner.post(url, { title: 'guides/First  steps', content: 'Begin *here*.\r\n' })
  const whole = { format: 'markdown', slug: 'guides/First-steps', title: 'First steps', content: 'Begin *here*.\n', encoding: 'UTF-8' }
  assert.deepEqual(made, { status: 201, body: whole })
  assert.deepEqual((await owner.get(`${url}/guides%2FFirst-steps`)).body, whole)
  assert.deepEqual((await owner.get(`${url}/guides%2ffirst%20steps`)).body, whole)
  assert.deepEqual((await owner.get(url)).body, [{ format: 'markdown', slug: 'guides/First-steps', title: 'First steps' }])
  assert.deepEqual((await owner.get(url, { with_content: true })).body, [whole])

  const changed = await owner.put(`${url}/guides%2FFirst-steps`, { content: 'Go on.' })
  assert.deepEqual([changed.status, changed.body.content, changed.body.slug], [200, 'Go on.', 'guides/First-steps'])
  const renamed = await owner.put(`${url}/guides%2FFirst-steps`, { title: 'Last steps', format: 'asciidoc' })
  assert.deepEqual([renamed.body.slug, renamed.body.format, renamed.body.content], ['guides/Last-steps', 'asciidoc', 'Go on.'])
  const moved = await owner.put(`${url}/guides%2FLast-steps`, { title: '/Steps' })
  assert.equal(moved.body.slug, 'Steps')
  assert.equal((await owner.delete(`${url}/Steps`)).status, 204)
  assert.deepEqual(await owner.get(`${url}/Steps`), { status: 404, body: { message: '404 Wiki Page Not Found' } })
  assert.deepEqual((await owner.get(url)).body, [])
})

test('a wiki without pages is an empty list, and its pages are 404', async () => {
  const { project, owner } = await scene.project()
  assert.deepEqual(await owner.get(`${project.url}/wikis`), { status: 200, body: [] })
  for (const answer of [await owner.put(`${project.url}/wikis/home`, { content: 'x' }), await owner.delete(`${project.url}/wikis/home`)])
    assert.deepEqual(answer, { status: 404, body: { message: '404 Wiki Page Not Found' } })
})

test('titles that climb, are empty or taken are refused', async () => {
  const { project, owner } = await scene.project()
  const write = async (title: string, content = 'x') => owner.post(`${project.url}/wikis`, { title, content })
  const climbs = { status: 400, body: { message: { title: ['cannot include directory traversal'] } } }
  for (const title of ['..', '../x', 'a/../../b', 'a/.']) assert.deepEqual(await write(title), climbs, title)
  assert.deepEqual((await write(' ')).body, { message: { title: ["can't be blank"] } })
  assert.deepEqual((await write('a//b')).status, 400)
  assert.deepEqual((await write('.git/config')).status, 400)
  assert.deepEqual((await write('x'.repeat(246))).body, { message: { title: ['exceeds the limit of 245 bytes'] } })
  assert.deepEqual((await write('empty', ' ')).body, { message: { content: ["can't be blank"] } })
  await write('Home page')
  const taken = { status: 400, body: { message: { base: ['Duplicate page: A page with that title already exists'] } } }
  for (const title of ['Home page', 'Home-page', 'home  page']) assert.deepEqual(await write(title), taken, title)
  await write('Other')
  assert.deepEqual(await owner.put(`${project.url}/wikis/Other`, { title: 'home page' }), taken)
  assert.equal((await owner.put(`${project.url}/wikis/Other`, {})).status, 400)
  assert.deepEqual((await owner.post(`${project.url}/wikis`, { title: 'x', content: 'x', format: 'latex' })).status, 400)
})

test('a change that was begun before another one is refused, and nothing is lost', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/wikis`
  await owner.post(url, { title: 'home', content: 'One' })
  const clash = await owner.put(`${url}/home`, { content: 'Two', last_commit_sha: '0'.repeat(40) })
  assert.equal(clash.status, 409)
  assert.equal((await owner.get(`${url}/home`)).body.content, 'One')

  const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => owner.post(url, { title: `page ${index}`, content: 'x' })))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal((await titles(owner, project.url)).length, 61)
  const twice = await Promise.all([1, 2].map(() => owner.post(url, { title: 'twin', content: 'x' })))
  assert.deepEqual(twice.map(({ status }) => status).sort(), [201, 400])
})

test('a page is read as it was, and as HTML with links to other pages', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/wikis`
  await owner.post(url, { title: 'guides/home', content: 'Old' })
  const [{ id }] = (await owner.get(`${project.url}/events`, { target_type: 'wiki' })).body
  assert.ok(id > 0)
  const text = '[[Other page]] [[read|guides/x]] [there](other "t") [up](../up.md#a) [near](./near) [web](https://example.com) `[[no]]`'
  await owner.put(`${url}/guides%2Fhome`, { content: `${text} ![p](uploads/1/p.png)` })
  const { content } = (await owner.get(`${url}/guides%2Fhome`, { render_html: true })).body
  const base = `/${project.full_path}/-/wikis`
  for (const part of [
    `<a href="${base}/Other-page">Other page</a>`,
    `<a href="${base}/guides/x">read</a>`,
    `<a href="${base}/other" title="t">`,
    `href="${base}/up#a"`,
    `href="${base}/guides/near"`,
    'href="https://example.com"',
    '<code>[[no]]</code>',
    `src="${base}/uploads/1/p.png"`,
  ])
    assert.ok(content.includes(part), `${part} in ${content}`)
  assert.equal((await owner.get(`${url}/guides%2Fhome`, { version: '0'.repeat(40) })).status, 404)
})

test('AsciiDoc is rendered, without files of the server and scripts; other formats are shown as text', async () => {
  const { project, owner } = await scene.project()
  const render = async (format: string, content: string) => {
    const { slug } = (await owner.post(`${project.url}/wikis`, { title: `In ${format}`, format, content })).body
    return (await owner.get(`${project.url}/wikis/${slug}`, { render_html: true })).body.content as string
  }
  const html = await render(
    'asciidoc',
    '= Lamp\n\nA *bold* link:other[page].\n\ninclude::/etc/passwd[]\n\n++++\n<script>alert(1)</script>\n++++\n',
  )
  assert.match(html, /<h1>Lamp<\/h1>/)
  assert.match(html, /<strong>bold<\/strong>/)
  assert.match(html, new RegExp(`href="/${project.full_path}/-/wikis/other"`))
  assert.doesNotMatch(html, /<script|root:/)
  assert.equal(await render('org', '* A <b>\n'), '<pre>* A &lt;b&gt;\n</pre>')
})

test('a file is attached and committed to the wiki', async () => {
  const { project, owner } = await scene.project()
  const attach = async (name: string, branch?: string) => {
    const data = new FormData()
    data.append('file', new Blob(['bytes']), name)
    if (branch) data.append('branch', branch)
    return owner.post(`${project.url}/wikis/attachments`, data)
  }
  const { status, body } = await attach('a lamp.png')
  assert.equal(status, 201)
  assert.match(body.file_path, /^uploads\/[0-9a-f]{32}\/a_lamp\.png$/)
  assert.deepEqual(body, {
    file_name: 'a_lamp.png',
    file_path: body.file_path,
    branch: 'main',
    link: { url: body.file_path, markdown: `![a_lamp](${body.file_path})` },
  })
  assert.equal((await attach('notes.txt', 'main')).body.link.markdown.startsWith('[notes.txt](uploads/'), true)
  assert.deepEqual((await attach('x.txt', 'other')).body, { message: 'You can only create or edit files when you are on a branch' })
  assert.deepEqual((await owner.post(`${project.url}/wikis/attachments`, {})).status, 400)
})

test('roles, the level of the feature and archiving say who may do what', async () => {
  const members = ['guest', 'reporter', 'developer', 'maintainer'] as const
  const world = await scene.project({ members: [...members] })
  const { project, owner } = world
  const url = `${project.url}/wikis`
  await owner.post(url, { title: 'home', content: 'x' })
  const stranger = await scene.user()
  const statuses = async (act: (person: Person, name: string) => Promise<{ status: number }>) =>
    Promise.all(members.map(async name => (await act(world[name], name)).status))

  assert.deepEqual(await statuses(person => person.get(`${url}/home`)), [200, 200, 200, 200])
  assert.deepEqual(await statuses((person, name) => person.post(url, { title: name, content: 'x' })), [403, 403, 201, 201])
  assert.deepEqual(await statuses((person, name) => person.delete(`${url}/${name}`)), [403, 403, 403, 204])
  assert.equal((await stranger.get(url)).status, 404)

  await owner.put(project.url, { visibility: 'public', wiki_access_level: 'private' })
  assert.deepEqual([(await stranger.get(url)).status, (await world.guest.get(url)).status], [404, 200])
  await owner.put(project.url, { wiki_access_level: 'enabled' })
  assert.deepEqual([(await stranger.get(url)).status, (await stranger.post(url, { title: 'a', content: 'a' })).status], [200, 403])
  await owner.put(project.url, { wiki_access_level: 'disabled' })
  assert.equal((await owner.get(url)).status, 404)
  await owner.put(project.url, { wiki_access_level: 'enabled' })
  await owner.post(`${project.url}/archive`)
  assert.deepEqual([(await owner.get(url)).status, (await owner.post(url, { title: 'a', content: 'a' })).status], [200, 403])
})

test('what is written appears in the activity and counts to the size of the wiki', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/wikis`
  await owner.post(url, { title: 'Lamp', content: 'x' })
  await owner.put(`${url}/Lamp`, { title: 'Lamps', content: 'y' })
  await owner.delete(`${url}/Lamps`)
  const events = (await owner.get(`${project.url}/events`, { target_type: 'wiki' })).body
  assert.deepEqual(
    events.map((event: Record<string, unknown>) => [event.action_name, event.target_type, event.target_title]),
    [
      ['destroyed', 'WikiPage::Meta', 'Lamps'],
      ['updated', 'WikiPage::Meta', 'Lamps'],
      ['created', 'WikiPage::Meta', 'Lamps'],
    ],
  )
  assert.equal(new Set(events.map(({ target_id }: { target_id: number }) => target_id)).size, 1)
  assert.equal(events[0].target_iid, events[0].target_id)
  assert.deepEqual(events[0].wiki_page, { format: 'markdown', slug: 'Lamps', title: 'Lamps' })
  assert.ok((await owner.get(project.url, { statistics: true })).body.statistics.wiki_size > 0)
})

test('a group has a wiki of its own', async () => {
  const { group, owner, developer, guest } = await scene.group({ members: ['developer', 'guest'] })
  const url = `${group.url}/wikis`
  assert.equal((await developer.post(url, { title: 'home', content: 'x', format: 'rdoc' })).status, 201)
  assert.deepEqual((await guest.get(`${url}/home`)).body, { format: 'rdoc', slug: 'home', title: 'home', content: 'x', encoding: 'UTF-8' })
  assert.deepEqual(
    [(await guest.post(url, { title: 'a', content: 'a' })).status, (await developer.delete(`${url}/home`)).status],
    [403, 403],
  )
  assert.equal((await (await scene.user()).get(url)).status, 404)
  assert.equal((await owner.delete(`${url}/home`)).status, 204)
})

test('what large pages say is read where there is room in memory for the answer, and a list has an end', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/wikis`
  const large = 'x'.repeat(33 * 1024 * 1024)
  await owner.post(url, { title: 'one', content: large })
  const taken = scene.deps.limiter.answers.take(`user:${owner.id}`, 60 * 1024 * 1024)

  const refused = await Promise.all([owner.get(url, { with_content: true }), owner.get(`${url}/one`)])
  assert.deepEqual(
    refused.map(({ status, headers }) => [status, headers['retry-after']]),
    [
      [429, '5'],
      [429, '5'],
    ],
  )
  assert.equal((await owner.get(url)).status, 200)
  taken()
  assert.equal((await owner.get(url, { with_content: true })).body[0].content.length, large.length)
})

test('a list of pages has an end, and so has a page that was pushed: 64 MB for an answer, of projects and of groups', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ owner })
  const tooLarge = (what: string) => ({
    status: 413,
    body: { message: `413 Request Entity Too Large - ${what} is larger than 67108864 bytes` },
  })
  const half = 'x'.repeat(33 * 1024 * 1024)
  for (const [{ url }, of] of [
    [project, { project: { id: project.id, repository_storage: 'default' } }],
    [group, { group }],
  ] as const) {
    for (const title of ['one', 'two']) assert.equal((await owner.post(`${url}/wikis`, { title, content: half })).status, 201)
    assert.deepEqual(await owner.get(`${url}/wikis`, { with_content: true }), tooLarge('What the pages say'))
    const repository = (await storedSide(scene.deps.storages, wikiKeyOf(of as never))) as Repository
    importCommits(repository, 'main', [{ files: { 'three.md': half + half } }])
    assert.deepEqual(await owner.get(`${url}/wikis/three`), tooLarge('The page'))
  }
})

test('a page is read without the tree of its whole wiki, which takes a place among heavy work where it is read', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/wikis`
  for (const title of ['home', 'guides/Steps']) await owner.post(url, { title, content: title })
  const place = { project: { id: project.id, repository_storage: 'default' } } as never
  const repository = (await storedSide(scene.deps.storages, wikiKeyOf(place))) as Repository
  // Ten directories with ten directories each, and so on: more files than are listed.
  const lines = (mode: string, type: string, id: string) =>
    Array.from({ length: 10 }, (_, index) => `${mode} ${type} ${id}\tn${index}\n`).join('')
  let many = git(repository, ['mktree'], lines('100644', 'blob', git(repository, ['rev-parse', 'main:home.md']).trim())).trim()
  for (let level = 1; level < 12; level++) many = git(repository, ['mktree'], lines('040000', 'tree', many)).trim()
  const root = git(repository, ['mktree'], `${git(repository, ['ls-tree', 'main'])}\n040000 tree ${many}\tmany\n`).trim()
  git(repository, ['update-ref', 'refs/heads/main', git(repository, ['commit-tree', '-p', 'main', root], 'many').trim()])

  for (const slug of ['home', 'guides/Steps']) {
    const { status, body } = await owner.get(`${url}/${encodeURIComponent(slug)}`)
    assert.deepEqual([status, body.slug, body.content], [200, slug, slug])
  }
  for (const walking of [url, `${url}/Home`]) assert.equal((await owner.get(walking)).status, 413, walking)

  const reads = [...projectWikis, ...groupWikis].filter(({ method }) => method === 'GET')
  assert.equal(reads.length, 4)
  assert.deepEqual(new Set(reads.map(({ cost }) => cost)), new Set(['walk']))
})
