/** What people say about a commit on its page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A public project whose newest commit changes line 2 of three. */
async function place() {
  const { project, reporter } = await scene.project({ visibility: 'public', members: ['reporter'] })
  await scene.commit(project, { 'f.txt': 'one\ntwo\nthree\n' })
  const { body } = await scene.root.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Change a line',
    actions: [{ action: 'update', file_path: 'f.txt', content: 'one\nTWO\nthree\n' }],
  })
  return { project, reporter, sha: body.id as string, page: `/${project.full_path}/-/commit/${body.id}` }
}

test('a comment is written at the end of the page, answered as a thread, changed and deleted', async () => {
  const reader = await surfer()
  const { page } = await place()

  const said = await reader.submit(`${page}/comment`, { body: 'A **nice** lamp' })
  const begun = await reader.submit(`${page}/discussions/new`, { body: 'Which lamp?' })

  assert.deepEqual([said.status, begun.status], [303, 303])
  const [, id] = /#note_(\d+)$/.exec(String(said.headers.location)) ?? []
  const { body: shown } = await reader.get(page)
  assert.match(shown, /A <strong>nice<\/strong> lamp/)
  const [, thread] = /\/discussions\/([0-9a-f]{40})\/reply/.exec(shown) ?? []
  assert.equal((await reader.submit(`${page}/discussions/${thread}/reply`, { body: 'The red one' })).status, 303)
  assert.equal((await reader.submit(`${page}/notes/${id}/edit`, { body: 'A fine lamp' })).status, 303)
  assert.equal((await reader.submit(`${page}/notes/${id}/reactions`, { name: 'tada' })).status, 303)
  const changed = (await reader.get(page)).body
  assert.match(changed, /A fine lamp/)
  assert.match(changed, /The red one/)
  assert.equal((await reader.submit(`${page}/notes/${id}/delete`, {})).status, 303)
  assert.doesNotMatch((await reader.get(page)).body, /A fine lamp/)
})

test('a comment on a line stands below it in the changes, and nowhere else', async () => {
  const reader = await surfer()
  const { page } = await place()
  const form = `${page}/comments/new`
  const choices = (await reader.get(form, { path: 'f.txt' })).body
  assert.match(choices, /aria-label="Comment on line 2"/)
  // Without a file in the address, the changed ones are offered.
  assert.match((await reader.get(form)).body, /<select[^>]*name="path"[^>]*>.*?<option value="f.txt"/s)

  const onLine = await reader.submit(form, { path: 'f.txt', line: '_2', body: 'Why so loud?' })
  const onFile = await reader.submit(form, { path: 'f.txt', body: 'The whole file' })

  assert.match(String(onLine.headers.location), new RegExp(`^${page}#thread-[0-9a-f]{40}$`))
  assert.equal(onFile.status, 303)
  const { body: shown } = await reader.get(page)
  assert.equal(shown.match(/Why so loud\?/g)?.length, 1)
  assert.match(shown, /<div class="line-threads">.*Why so loud\?/s)
  assert.match(shown, /<div class="file-threads".*The whole file/s)
  const [, thread] = /#thread-([0-9a-f]{40})$/.exec(String(onLine.headers.location)) ?? []
  const asked = await reader.get(`${page}/threads`, { only: `thread-${thread}` })
  assert.match(asked.body, /Why so loud\?/)
  assert.doesNotMatch(asked.body, /The whole file/)
  const wrong = await reader.submit(form, { path: 'f.txt', line: '_77', body: 'Lost?' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, /Lost\?/)
  const forScript = await reader.submit(`${page}/discussions/${thread}/reply`, { body: 'Because' }, { 'x-review': '1' })
  assert.equal(forScript.headers.location, `${page}/threads?only=thread-${thread}`)
})

test('who may not comment reads why, and sees no comments of a private project', async () => {
  const reader = await surfer()
  const { project, page } = await place()
  await reader.submit(`${page}/comment`, { body: 'Hello' })

  const shown = await (await fetch(scene.url + page)).text()
  assert.match(shown, /Hello/)
  assert.match(shown, /Sign in<\/a> to comment/)
  assert.doesNotMatch(shown, /comments\/new/)
  await scene.root.put(project.url, { visibility: 'private' })
  for (const rest of ['', '/threads', '/comments/new', '/comment']) assert.equal((await reader.get(page + rest)).status, 404, rest)
})
