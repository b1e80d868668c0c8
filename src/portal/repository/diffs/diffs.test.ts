import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import type { DiffLine } from '../../../platform/git/index.ts'
import { html } from '../../../platform/pages/html.ts'
import { anchorOf } from './anchor.ts'
import { fileView } from './file_view.ts'
import type { ShownEntry } from './load.ts'
import { plainLook } from './look.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

type Files = Readonly<Record<string, string>>

const numbered = (count: number, changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join('')

/** A commit that changes files from what they were to what they are; the path of its page, and of the project's. */
async function commitOf(before: Files, after: Files) {
  const { body: project } = await by.post('/projects', { name: `Diffs ${Math.random()}`.replace('.', '') })
  const commit = async (action: 'create' | 'update', files: Files) => {
    const actions = Object.entries(files).map(([file_path, content]) => ({ action, file_path, content }))
    const answer = await by.post(`/projects/${project.id}/repository/commits`, { branch: 'main', commit_message: 'Change', actions })
    assert.equal(answer.status, 201)
    return String(answer.body.id)
  }
  await commit('create', before)
  const id = await commit('update', after)
  const page = `/${project.path_with_namespace}`
  return { id, page, commit: `${page}/-/commit/${id}` }
}

/** The numbers and the text of each line of a file, as a reader sees them. */
const linesIn = (body: string): string[] =>
  [...body.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    row
      .replaceAll(/data-line="(\d+)"/g, '>$1 <')
      .replaceAll(/<span class="sr-only">.*?<\/span>/g, '')
      .replaceAll(/<[^>]*>/g, '')
      .trim(),
  )

test('a diff is side by side where the address says so, and from then on', async () => {
  const { commit } = await commitOf({ 'a.txt': numbered(3) }, { 'a.txt': numbered(3, { 2: 'line two' }) })
  const chosen = await owner.get(commit, { view: 'parallel' })
  assert.match(chosen.body, /<table class="code diff parallel"/)
  assert.match(String(chosen.headers['set-cookie']), /^diff_view=parallel; Path=\//)
  assert.match(chosen.body, /<td class="text old removed">.*?line <del>2<\/del>.*<td class="text new added">.*?line <ins>two<\/ins>/s)
  assert.match((await owner.get(commit)).body, /<table class="code diff inline parts"/)
  assert.equal((await owner.get(commit, { view: 'sideways' })).status, 400)
})

test('white space is left out by git, and files in which nothing else differs say so', async () => {
  const files = { 'a.py': 'def f():\n  return 1\n', 'b.py': 'x = 1\n', 'c.py': 'y = 1\n' }
  const { commit } = await commitOf(files, { 'a.py': 'def f():\n    return 1\n', 'b.py': 'x = 2\n', 'c.py': 'y  =  1\n' })
  const all = await owner.get(commit)
  assert.match(all.body, /3 added<\/span> and <span class="removed-count">3 removed/)
  const { body } = await owner.get(commit, { w: '1' })
  assert.match(body, /1 added<\/span> and <span class="removed-count">1 removed/)
  assert.equal(body.match(/Only white space differs/g)?.length, 2)
  assert.match(body, new RegExp(`id="${anchorOf('b.py')}-R1" class="added"`))
})

test('lines around the hunks are loaded in steps or all, with their numbers on both sides', async () => {
  const before = numbered(100)
  const after = `first\n${numbered(100, { 50: 'line fifty' })}`
  const { commit, page, id } = await commitOf({ 'src/a.txt': before }, { 'src/a.txt': after })
  const { body } = await owner.get(commit)
  const links = [...body.matchAll(/href="([^"]*\/diff_lines\/[^"]*)" data-expand[^>]*aria-label="([^"]*)"/g)]
  assert.deepEqual(
    links.map(([, , label]) => label),
    [
      ...['Show 20 lines from line 5', 'Show 20 lines up to line 47', 'Show all 43 lines'],
      ...['Show 20 lines from line 55', 'Show all 47 lines'],
    ],
  )
  const load = async (label: string) => {
    const address = links.find(link => link[2] === label)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const answer = await owner.client.get(new URL(address, scene.url).href, {}, { 'turbo-frame': 'diff-lines' })
    assert.equal(answer.status, 200)
    return linesIn(answer.body)
  }
  const down = await load('Show 20 lines from line 5')
  assert.deepEqual([down.length, down[0], down[19]], [21, '4 5 line 4', '23 24 line 23'])
  const up = await load('Show 20 lines up to line 47')
  assert.deepEqual([up.length, up[1], up.at(-1)], [21, '27 28 line 27', '46 47 line 46'])
  const rest = await load('Show all 47 lines')
  assert.deepEqual([rest.length, rest[0], rest.at(-1)], [47, '54 55 line 54', '100 101 line 100'])

  const alone = await owner.get(`${page}/-/diff_lines/${id}/src/a.txt`, { old_from: '1', new_from: '1', at: 'top', take: 'all' })
  assert.match(alone.body, /<h1>Lines of src\/a\.txt<\/h1>/)
})

test('a file that is too large for the page is loaded alone; one line of megabytes is never shown whole', async () => {
  const files = { 'a.txt': 'a\n', 'large.txt': 'x\n', 'one.txt': 'x\n', 'long.txt': 'y\n' }
  const { commit } = await commitOf(files, {
    'a.txt': 'b\n',
    'large.txt': numbered(5_000),
    'one.txt': 'z'.repeat(3_000_000),
    'long.txt': `${'y'.repeat(50_000)}\n`,
  })
  const all = await owner.get(commit)
  assert.ok(all.body.length < 200_000, `${all.body.length} characters`)
  assert.equal(all.body.match(/Load them anyway/g)?.length, 2)
  assert.match(all.body, /… 48000 more characters/)
  const large = await owner.get(commit, { only: 'large.txt' })
  assert.match(large.body, /line 5000</)
  assert.doesNotMatch(large.body, /a\.txt-name/)
  assert.match((await owner.get(commit, { only: 'one.txt' })).body, /too large to be shown here/)
  assert.equal((await owner.get(commit, { only: 'none.txt' })).status, 404)
})

const entry: ShownEntry = {
  old_path: 'a',
  new_path: 'a',
  a_mode: '100644',
  b_mode: '100644',
  new_file: false,
  renamed_file: false,
  deleted_file: false,
  too_large: false,
  collapsed: false,
  diff: '@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n',
  ids: ['a'.repeat(40), 'b'.repeat(40)] as unknown as ShownEntry['ids'],
  similarity: undefined,
  sides: [{ size: 14 }, { size: 14 }],
}

test('what a page adds stands below each line once, on its side, in one column and in two', () => {
  const asked: string[] = []
  const extras = {
    belowLine: (_entry: unknown, { type, old_line, new_line }: DiffLine) => {
      asked.push(`${old_line}:${new_line}`)
      return html`<i>${type}</i>`
    },
    aboveLines: () => html`<u>above</u>`,
  }
  for (const view of ['inline', 'parallel'] as const) {
    asked.length = 0
    const { text } = fileView(entry, undefined, extras, { look: { ...plainLook, view } })
    assert.deepEqual(asked, ['1:1', '2:null', 'null:2', '3:3'], view)
    assert.match(text, /<u>above<\/u>/)
    assert.equal(text.match(/<i>/g)?.length, 4)
  }
  const { text } = fileView(entry, undefined, extras, { look: { ...plainLook, view: 'parallel' } })
  assert.match(text, /<td class="old" colspan="3"><i>removed<\/i><\/td><td class="new" colspan="3"><i>added<\/i>/)
  assert.match(text, /<td class="old blank" colspan="3"><\/td><td class="new" colspan="3"><i>context<\/i>/)
})

test('a table of highlighted lines is kept only as it is without what a page adds, for each view and each place', () => {
  const lines = ['one', 'TWO', 'three'].map(text => html`<b>${text}</b>`)
  const highlighted: ShownEntry = {
    ...entry,
    sides: [
      { size: 14, count: 3, lines },
      { size: 14, count: 3, lines },
    ],
  }
  const shown = (extras: object = {}, options: object = {}) => fileView(highlighted, undefined, extras, options).text
  const first = shown()
  const thread = { belowLine: (_entry: unknown, { type }: DiffLine) => (type === 'added' ? html`<i>thread</i>` : undefined) }
  const mark = { markOf: (_entry: unknown, { type }: DiffLine) => (type === 'added' ? { kind: 'covered', says: 'Covered' } : undefined) }
  assert.equal(shown(thread).match(/<i>thread<\/i>/g)?.length, 1)
  assert.match(shown(mark), /class="number covered" title="Covered"/)
  assert.equal(shown(), first)
  assert.match(shown({}, { look: { ...plainLook, view: 'parallel' } }), /class="code diff parallel"/)
  const rest = { ...highlighted, sides: [highlighted.sides[0], { ...highlighted.sides[1], count: 9 }] } as ShownEntry
  const inProject = (full_path: string) =>
    fileView(rest, undefined, {}, { ends: { project: { full_path }, before: 'c'.repeat(40), after: 'd'.repeat(40) } }).text
  const [one, another] = ['g/p', 'g/q'].map(inProject) as [string, string]
  assert.deepEqual([one.includes('/g/p/'), another.includes('/g/q/'), another.includes('/g/p/')], [true, true, false])
  const ids = ['e'.repeat(40), highlighted.ids[1]] as ShownEntry['ids']
  const other = { ...highlighted, ids, diff: '@@ -1,4 +1,3 @@\n one\n-two\n-2\n+TWO\n three\n' }
  assert.notEqual(fileView(other, undefined).text, first)
  assert.equal(shown(), first)
})

test('names of files and contents are escaped', () => {
  const hostile = '"><script>alert(1)</script>'
  const { text } = fileView({ ...entry, new_path: hostile, diff: `@@ -1 +1 @@ ${hostile}\n-a ${hostile}\n+b ${hostile}\n` }, undefined)
  assert.doesNotMatch(text, /<script/)
})
