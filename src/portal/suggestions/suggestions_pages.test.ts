import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()

/** A merge request of a file with these lines, and suggestions on some of them. */
async function place(suggested: Readonly<Record<number, string>>) {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const { iid, url } = await scene.mergeRequest(project, { files: { 'lamp.txt': 'one\ntwo\nthree\n' } })
  const { body: request } = await owner.person.get(url)
  const { base_sha, start_sha, head_sha } = request.diff_refs
  const ids: number[] = []
  for (const [line, text] of Object.entries(suggested)) {
    const position = {
      position_type: 'text',
      base_sha,
      start_sha,
      head_sha,
      new_path: 'lamp.txt',
      old_path: 'lamp.txt',
      new_line: Number(line),
    }
    const { body } = await owner.person.post(`${url}/discussions`, { body: `\`\`\`suggestion:-0+0\n${text}\n\`\`\``, position })
    ids.push(body.notes[0].suggestions[0].id)
  }
  const page = `/${project.full_path}/-/merge_requests/${iid}`
  const fileOf = async () => (await owner.person.get(`${project.url}/repository/files/lamp.txt/raw`, { ref: request.source_branch })).body
  return { project, page, ids, fileOf }
}

test('a suggestion shows what it changes, and is applied by its button; then it says so', async () => {
  const { page, ids, fileOf } = await place({ 2: 'TWO <b>' })

  const before = (await owner.get(page)).body
  const applied = await owner.submit(`${page}/suggestions/${ids[0]}/apply`, {})
  const after = (await owner.get(page)).body

  assert.match(before, /class="removed"><td class="sign">.*?two<\/td>/)
  assert.match(before, /class="added"><td class="sign">.*?TWO &lt;b&gt;<\/td>/)
  assert.equal(applied.status, 303)
  assert.equal(await fileOf(), 'one\nTWO <b>\nthree\n')
  assert.match(after, /Applied/)
  assert.doesNotMatch(after, /suggestions\/\d+\/apply/)
})

test('several suggestions are one commit; those of another merge request are none of it, and none chosen is said', async () => {
  const { page, ids, fileOf } = await place({ 1: 'ONE', 3: 'THREE' })
  const other = await place({ 1: 'elsewhere' })

  const listed = (await owner.get(`${page}/suggestions`)).body
  const none = await owner.submit(`${page}/suggestions`, {})
  const foreign = await owner.submit(`${page}/suggestions`, { 'ids[]': String(other.ids[0]) })
  const foreignOne = await owner.submit(`${page}/suggestions/${other.ids[0]}/apply`, {})
  const both = await owner.submit(`${page}/suggestions?ids[]=${ids[0]}`, { 'ids[]': String(ids[1]), commit_message: 'Both' })

  assert.match(listed, new RegExp(`value="${ids[0]}" checked`))
  assert.deepEqual([none.status, foreign.status, foreignOne.status], [400, 404, 404])
  assert.equal(both.status, 303)
  assert.match(String(await fileOf()), /THREE/)
})

test('who may not push is refused, and nothing changes', async () => {
  const { page, ids, fileOf } = await place({ 1: 'ONE' })

  const refused = await reader.submit(`${page}/suggestions/${ids[0]}/apply`, {})

  assert.equal(refused.status, 403)
  assert.equal(await fileOf(), 'one\ntwo\nthree\n')
})

test('the form of a comment begins with the lines that a suggestion changes', async () => {
  const { page } = await place({})

  const form = (await owner.get(`${page}/diffs/comments/new`, { path: 'lamp.txt', line: '_3', first: '_2', suggest: '1' })).body

  assert.match(form, /```suggestion:-1\+0\ntwo\nthree\n```/)
})
