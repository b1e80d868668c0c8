/** Threads on the changes of a merge request: where they stand, and comments at a line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import { startTaskWorker } from '../../../server/tasks.ts'

const scene = await openScene()
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()

const FILE = 'src/lamp.ts'
const lines = Array.from({ length: 40 }, (_, index) => `lamp ${index + 1}`)
const textOf = (changes: Readonly<Record<number, string>> = {}) => `${lines.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`

/** A public project of the owner with a merge request that changes line 10, and the position of a line. */
async function place() {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const commit = (branch: string, action: string, content: string, more: object = {}) =>
    owner.person.post(`${project.url}/repository/commits`, {
      branch,
      commit_message: 'Change',
      actions: [{ action, file_path: FILE, content }],
      ...more,
    })
  await commit('main', 'create', textOf())
  await commit('brighter', 'update', textOf({ 10: 'bright 10' }), { start_branch: 'main' })
  const api = `${project.url}/merge_requests/1`
  await owner.person.post(`${project.url}/merge_requests`, { source_branch: 'brighter', target_branch: 'main', title: 'Brighter' })
  const { diff_refs } = (await owner.person.get(api)).body
  const at = (old_line: number | null, new_line: number | null, more: object = {}) => ({
    ...diff_refs,
    position_type: 'text',
    old_path: FILE,
    new_path: FILE,
    old_line,
    new_line,
    ...more,
  })
  const begin = async (body: string, position: object) => {
    const answer = await owner.person.post(`${api}/discussions`, { body, position })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body as { id: string; notes: { id: number }[] }
  }
  return { project, api, commit, diff_refs, at, begin, page: `/${project.full_path}/-/merge_requests/1` }
}

/** What stands in the row below a line. */
const belowLine = (body: string, name: string): string =>
  new RegExp(`id="diff-\\w+-${name}".*?</tr>(<tr class="below-line">.*?</tr>)?`, 's').exec(body)?.[1] ?? ''

/** What stands above the lines. */
const aboveLines = (body: string): string => /<div class="file-threads"(.*?)<table/s.exec(body)?.[1] ?? ''

test('threads stand below their line, and those on lines that are not shown, or on the file, above the lines', async () => {
  const { at, begin, page } = await place()
  await begin('On the new line', at(null, 10))
  await begin('On the old line', at(10, null))
  await begin('On several', at(null, 10, { line_range: { start: { old_line: 9, new_line: 9 }, end: { new_line: 10 } } }))
  await begin('Far away', at(30, 30))
  await begin('On the file', { ...at(null, null), position_type: 'file' })
  await begin('**bold** <script>alert(1)</script>', at(11, 11))

  const { body, status } = await reader.get(`${page}/diffs`)

  assert.equal(status, 200)
  assert.match(belowLine(body, 'R10'), /On the new line.*On several/s)
  assert.match(belowLine(body, 'R10'), /lines 9 to 10/)
  assert.match(belowLine(body, 'L10'), /On the old line/)
  assert.match(belowLine(body, 'R11'), /<strong>bold<\/strong>/)
  assert.doesNotMatch(body, /<script>alert/)
  assert.match(aboveLines(body), /line 30<.*Far away.*the file<.*On the file/s)
})

test('a thread whose line a push has taken away stays above the file, with a link to its version; one whose file is gone too', async () => {
  const { at, begin, api, commit, page } = await place()
  await begin('About bright 10', at(null, 10))
  await begin('Far away', at(30, 30))
  await commit('brighter', 'update', textOf({ 10: 'dark 10', 12: 'bright 12' }))
  const versions = async () => (await owner.person.get(`${api}/versions`)).body.length
  await eventually(async () => (await versions()) === 2, 'the second version')
  const [, first] = (await owner.person.get(`${api}/versions`)).body

  const { body } = await reader.get(`${page}/diffs`)

  assert.match(aboveLines(body), new RegExp(`diffs\\?diff_id=${first.id}"[^>]*>another version.*About bright 10`, 's'))
  assert.doesNotMatch(belowLine(body, 'R10'), /About bright 10/)

  await commit('brighter', 'update', textOf())
  await commit('brighter', 'create', 'new\n', { actions: [{ action: 'create', file_path: 'other.txt', content: 'new\n' }] })
  await eventually(async () => (await versions()) === 4, 'the fourth version')
  const { body: without } = await reader.get(`${page}/diffs`)
  assert.match(without, /On files of earlier versions.*About bright 10/s)
})

test('a comment is written on a line, on lines, and on the file by a form that shows the lines around', async () => {
  const { api, page } = await place()
  const form = `${page}/diffs/comments/new`
  const { body: shown } = await reader.get(form, { path: FILE, line: '_10' })
  assert.match(shown, /<tr class="added commented">.*bright 10/)
  assert.match(shown, /<option value="9_9">/)

  const one = await reader.submit(form, { path: FILE, line: '_10', body: 'One line' })
  assert.equal(one.status, 303)
  assert.match(String(one.headers.location), new RegExp(`^${page}/diffs#thread-[0-9a-f]{40}$`))
  await reader.submit(form, { path: FILE, line: '_10', first: '8_8', body: 'Three lines' })
  await reader.submit(form, { path: FILE, body: 'The file' })

  // biome-ignore lint/suspicious/noExplicitAny: the JSON of a position
  const threads = (await owner.person.get(`${api}/discussions`)).body as { notes: { body: string; position: any }[] }[]
  const positions = threads.map(({ notes: [note] }) => [
    note?.body,
    note?.position?.position_type,
    note?.position?.new_line ?? null,
    note?.position?.line_range?.start.new_line ?? null,
  ])
  assert.deepEqual(positions, [
    ['One line', 'text', 10, null],
    ['Three lines', 'text', 10, 8],
    ['The file', 'file', null, null],
  ])
  const { body: choices } = await reader.get(form, { path: FILE })
  assert.match(choices, /<tr class="removed">.*?name="line" value="10_" aria-label="Comment on line old 10".*?lamp 10</)
  assert.match(choices, /<tr class="added">.*?name="line" value="_10" aria-label="Comment on line 10".*?bright 10</)
  // Without a file in the address, the changed ones are offered.
  const { body: any } = await reader.get(form)
  assert.match(any, new RegExp(`<select[^>]*name="path"[^>]*>.*?<option value="${FILE}"`, 's'))
  const wrong = await reader.submit(form, { path: FILE, line: '_99', body: 'Typed text' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, /is on a line that these changes do not have.*/s)
  assert.match(wrong.body, /Typed text/)
})

test('a line that is shown as unchanged where white space is left out is the new one', async () => {
  const { api, commit, page } = await place()
  await commit('brighter', 'update', textOf({ 10: 'bright 10', 20: '  lamp 20' }))
  await eventually(async () => (await owner.person.get(`${api}/versions`)).body.length === 2, 'the second version')
  await reader.submit(`${page}/diffs/comments/new`, { path: FILE, line: '20_20', body: 'Why so far in?' })
  const { body: threads } = await owner.person.get(`${api}/discussions`)
  const { position } = threads.find(({ notes: [note] }: { notes: { position?: object }[] }) => note?.position).notes[0]
  assert.deepEqual([position.old_line, position.new_line], [null, 20])
})

test('buttons of threads lead back to the changes, and a script gets the thread and the index', async () => {
  const { at, begin, page } = await place()
  const thread = await begin('Why?', at(null, 10))
  const resolve = `${page}/discussions/${thread.id}/resolve`
  const back = await owner.submit(resolve, { resolved: 'true' }, { referer: `${scene.url}${page}/diffs?page=1` })
  assert.equal(back.headers.location, `${page}/diffs?page=1#thread-${thread.id}`)
  assert.equal((await owner.submit(resolve, { resolved: 'false' }, { referer: 'https://elsewhere.example/diffs' })).headers.location, page)
  const asked = await owner.submit(resolve, { resolved: 'true' }, { 'x-review': '1' })
  assert.equal(asked.headers.location, `${page}/diffs/threads?only=thread-${thread.id}`)

  const { body } = await owner.get(`${page}/diffs/threads`, { only: `thread-${thread.id}` })
  assert.match(body, new RegExp(`data-index="thread-${thread.id}:\\w{12}"`))
  assert.match(body, new RegExp(`id="thread-${thread.id}".*Resolved thread by`, 's'))
  assert.match(body, /0 of 1 thread unresolved/)
  const jump = await reader.get(`${page}/diffs/threads/${thread.id}`)
  assert.equal(jump.headers.location, `${page}/diffs#thread-${thread.id}`)
})

test('many threads on one file are shown in part, the others on request', async () => {
  const { at, begin, page } = await place()
  for (let count = 0; count < 53; count++) await begin(`Thread ${count}.`, at(null, 10))
  const { body } = await reader.get(`${page}/diffs`)
  assert.equal(body.match(/class="diff-thread/g)?.length, 50)
  assert.match(body, /Show all threads on this file: 3 more/)
  const { body: rest } = await reader.get(`${page}/diffs/threads`, { path: FILE, page: '3' })
  assert.match(rest, /Thread 52\./)
})

test('who may not comment sees threads and no buttons; what is private is not there', async () => {
  const { at, begin, project, page } = await place()
  await begin('Why?', at(null, 10))
  const { body } = await scene.anonymous.get(`${scene.url}${page}/diffs`)
  assert.match(String(body), /Why\?/)
  assert.doesNotMatch(String(body), /comments\/new|Resolve the thread/)
  await owner.person.put(project.url, { visibility: 'private' })
  for (const rest of ['/diffs/threads', `/diffs/comments/new`]) assert.equal((await reader.get(page + rest)).status, 404, rest)
})

test('drafts are seen by their author alone, at their lines and in their threads, and are published together with a summary', async () => {
  const { at, begin, api, page } = await place()
  const thread = await begin('Why?', at(null, 10))
  const form = `${page}/diffs/comments/new`
  await reader.submit(form, { path: FILE, line: '_10', body: 'First draft', draft: 'true' })
  await reader.submit(form, { path: FILE, body: 'On the file', draft: 'true' })
  await reader.submit(`${page}/diffs/threads/${thread.id}/reply`, { body: 'Because', draft: 'true' })
  const before = (await reader.get(`${page}/diffs`)).body

  assert.match(belowLine(before, 'R10'), /Because.*First draft/s)
  assert.match(aboveLines(before), /On the file/)
  assert.match(before, /Submit review <span class="counter">3</)
  assert.doesNotMatch((await owner.get(`${page}/diffs`)).body, /First draft|Because|Submit review/)

  const [, id] = /id="draft-(\d+)"/.exec(belowLine(before, 'R10')) ?? []
  assert.equal((await reader.submit(`${page}/diffs/drafts/${id}/edit`, { note: 'Better draft' })).status, 303)
  assert.equal((await owner.get(`${page}/diffs/drafts/${id}/edit`)).status, 404)
  assert.equal((await owner.submit(`${page}/diffs/drafts/${id}/delete`, {})).status, 404)
  const refused = await owner.submit(`${page}/diffs/review`, { note: 'My words', approve: 'true', sha: '0'.repeat(40) })
  assert.deepEqual([refused.status, /My words/.test(refused.body)], [422, true])

  assert.match((await reader.get(`${page}/diffs/review`)).body, /Better draft.*On the file.*Because/s)
  assert.equal((await reader.submit(`${page}/diffs/review`, { note: 'All in all good' })).status, 303)

  const notes = (await owner.person.get(`${api}/notes`, { sort: 'asc', activity_filter: 'only_comments' })).body as { body: string }[]
  assert.deepEqual(
    notes.map(note => note.body),
    ['Why?', 'Better draft', 'On the file', 'Because', 'All in all good'],
  )
  assert.doesNotMatch((await reader.get(`${page}/diffs`)).body, /Submit review|draft-note/)
})

test('a reply resolves its thread where it says so', async () => {
  const { at, begin, api, page } = await place()
  const thread = await begin('Why?', at(null, 10))
  assert.equal((await owner.submit(`${page}/diffs/threads/${thread.id}/reply`, { body: 'Done', resolve: 'true' })).status, 303)
  assert.equal((await owner.person.get(`${api}/discussions/${thread.id}`)).body.notes[0].resolved, true)
  assert.equal((await reader.submit(`${page}/diffs/threads/${thread.id}/reply`, { body: 'So', resolve: 'true' })).status, 403)
})
