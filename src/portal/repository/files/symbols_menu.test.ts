import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

async function pageOf(files: Readonly<Record<string, string>>) {
  const { body: project } = await by.post('/projects', { name: `Symbols ${Math.random()}`.replace('.', '') })
  const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content }))
  await by.post(`/projects/${project.id}/repository/commits`, { branch: 'main', commit_message: 'Begin', actions })
  return (path: string, query: Record<string, string> = {}) => owner.get(`/${project.path_with_namespace}/-/blob/main/${path}`, query)
}

/** Targets and names of the menu. */
const entriesIn = (body: string): string[][] =>
  [...body.matchAll(/<li><a class="depth-\d" href="([^"]*)"><span class="mono">([^<]*)<\/span>/g)].map(([, href, name]) => [
    href as string,
    name as string,
  ])

test('the page of a file has a menu of what it defines, whose links lead to lines', async () => {
  const show = await pageOf({
    'lamp.ts': '// x\nexport class Lamp<T> {\n  light() {}\n}\n',
    'plain.txt': 'function f() {}\n',
    'none.ts': '1\n',
  })
  const { body } = await show('lamp.ts')
  assert.deepEqual(entriesIn(body), [
    ['#L2', 'Lamp'],
    ['#L3', 'light'],
  ])
  assert.match(body, /<summary [^>]*data-hotkey="r"/)
  assert.match(body, /id="L2"/)
  for (const other of ['plain.txt', 'none.ts']) assert.doesNotMatch((await show(other)).body, /<details class="menu symbols">/)
})

test('rendered Markdown has its headings, its source the lines of them', async () => {
  const show = await pageOf({ 'README.md': '# A & <b>B</b> `c<d>`\n\nx\n\n## Two\n' })
  const rendered = await show('README.md')
  const entries = entriesIn(rendered.body)
  assert.deepEqual(
    entries.map(([, name]) => name),
    ['A &amp; B c&lt;d&gt;', 'Two'],
  )
  for (const [href] of entries) assert.ok(rendered.body.includes(`id="${href?.slice(1)}"`), href)
  assert.deepEqual(
    entriesIn((await show('README.md', { plain: '1' })).body).map(([href]) => href),
    ['#L1', '#L5'],
  )
})

test('a long file is shown without waiting for its symbols, and has them later', async () => {
  const show = await pageOf({ 'long.js': `function first() {}\n${'// filled\n'.repeat(20_000)}` })
  assert.equal((await show('long.js')).status, 200)
  assert.deepEqual(entriesIn((await show('long.js')).body), [['#L1', 'first']])
})
