import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()

/** A public project of the owner with a merge request, and the path of its merge requests. */
async function place(more: object = {}) {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const { iid, source_branch, url } = await scene.mergeRequest(project)
  if (Object.keys(more).length > 0) await owner.person.put(url, more)
  const list = `/${project.full_path}/-/merge_requests`
  return { project, iid, source_branch, api: url, list, page: `${list}/${iid}` }
}

test('lists are filtered by branch, state and draft, with the parameters of the API', async () => {
  const { list, source_branch, api } = await place()
  const shown = async (query: Record<string, string>) =>
    [...(await owner.get(list, query)).body.matchAll(/<div class="title"><a href="[^"]*\/(\d+)"/g)].map(([, iid]) => Number(iid))
  assert.deepEqual(await shown({}), [1])
  assert.deepEqual(await shown({ source_branch }), [1])
  assert.deepEqual(await shown({ source_branch: 'other' }), [])
  const asked = await owner.get(list, { filter: `source:${source_branch} draft:no` })
  assert.deepEqual(Object.fromEntries(new URL(String(asked.headers.location), scene.url).searchParams), { source_branch, wip: 'no' })
  await owner.person.put(api, { state_event: 'close' })
  assert.deepEqual([await shown({}), await shown({ state: 'closed' })], [[], [1]])
  assert.equal((await owner.get(list, { wip: 'perhaps' })).status, 422)
})

test('what one may not do is neither shown nor done', async () => {
  const { page } = await place()
  const seen = await reader.get(page)
  assert.equal(seen.status, 200)
  assert.doesNotMatch(seen.body, /> Merge<\/button>|\/edit"|>Close<\/button>/)
  assert.match(seen.body, /You may not merge into/)
  assert.equal((await reader.get(`${page}/edit`)).status, 403)
  assert.equal((await reader.submit(`${page}/change`, { state_event: 'close' })).status, 403)
  // The API answers 401 (document 3); signing in, which the reader has done, would not help.
  assert.equal((await reader.submit(`${page}/merge`, {})).status, 403)
  const { project, page: hidden } = await place()
  await owner.person.put(project.url, { visibility: 'private' })
  for (const rest of ['', '/commits', '/diffs', '/timeline', '/edit']) assert.equal((await reader.get(hidden + rest)).status, 404, rest)
})

test('a merge of commits that were not seen is refused, and one of those that were is done', async () => {
  const { project, page, api, source_branch } = await place()
  const { body: before } = await owner.person.get(api)
  const late = await owner.submit(`${page}/merge`, { sha: '0'.repeat(40) })
  assert.equal(late.status, 409)
  assert.equal((await owner.person.get(api)).body.state, 'opened')
  const merged = await owner.submit(`${page}/merge`, { sha: before.sha, should_remove_source_branch: 'true' })
  assert.deepEqual([merged.status, merged.headers.location], [303, page])
  const [, notice = ''] = /notice=([^.]+)/.exec(String(merged.headers['set-cookie'])) ?? []
  assert.equal(Buffer.from(notice, 'base64url').toString(), 'The merge request was merged.')
  assert.equal((await owner.person.get(api)).body.state, 'merged')
  assert.equal((await owner.person.get(`${project.url}/repository/branches/${source_branch}`)).status, 404, 'the source branch is deleted')
  assert.match((await owner.get(page)).body, /<strong>Merged<\/strong>/)
})

test('a resolved thread is folded away, and a thread on a line says which', async () => {
  const { page, api } = await place()
  const { body: mergeRequest } = await owner.person.get(api)
  const { body: changes } = await owner.person.get(`${api}/changes`)
  const path = changes.changes[0].new_path
  const position = { position_type: 'text', ...mergeRequest.diff_refs, new_path: path, old_path: path, new_line: 1 }
  const { status, body: thread } = await owner.person.post(`${api}/discussions`, { body: 'Why?', position })
  assert.equal(status, 201)
  assert.match(
    (await owner.get(page)).body,
    new RegExp(`thread-place[^>]*><a href="${page}/diffs/threads/${thread.id}">${path.replaceAll('.', '\\.')}:1<`),
  )
  assert.equal((await owner.submit(`${page}/discussions/${thread.id}/resolve`, { resolved: 'true' })).status, 303)
  assert.match((await owner.get(page)).body, /<summary[^>]*>.*Resolved thread by/)
  assert.equal((await reader.submit(`${page}/discussions/${thread.id}/resolve`, { resolved: 'false' })).status, 403)
})

test('a form that is refused keeps what was typed, and a description changed meanwhile is not lost', async () => {
  const { page, api } = await place({ description: 'one' })
  const blank = await owner.submit(`${page}/edit`, { title: ' ', description: 'typed text', known_description: 'one' })
  assert.equal(blank.status, 422)
  assert.match(blank.body, /typed text/)
  await owner.person.put(api, { description: 'two' })
  const late = await owner.submit(`${page}/edit`, { title: 'T', description: 'three', known_description: 'one' })
  assert.equal(late.status, 422)
  assert.match(late.body, /<ins>two/)
  assert.equal((await owner.person.get(api)).body.description, 'two')
  assert.equal((await owner.submit(`${page}/edit`, { title: 'T', description: 'three', known_description: 'two' })).status, 303)
})

test('the discussion of a merge request is locked and unlocked beside it; pushes by others are a matter of forks', async () => {
  const { api, page: at } = await place()
  assert.match((await owner.get(at)).body, /Open to all who may comment/)
  assert.equal((await owner.submit(`${at}/change`, { discussion_locked: 'true' })).status, 303)
  assert.match((await owner.get(at)).body, /Locked: only members comment.*Unlock the discussion/s)
  assert.equal((await scene.root.get(api)).body.discussion_locked, true)
  assert.match((await owner.get(`${at}/edit`)).body, /name="allow_collaboration"[^>]* disabled/)
})

test('each attribute beside a merge request has its form, for those who may change it', async () => {
  const { project, page: at, api } = await place()
  const { body: milestone } = await scene.root.post(`${project.url}/milestones`, { title: 'Winter' })
  const { id } = owner.person
  const beside = (await owner.get(at)).body
  for (const name of ['assignees', 'reviewers', 'labels', 'milestone', 'estimate', 'spent']) {
    assert.match(beside, new RegExp(`src="${at}/edit/${name}"`))
    const form = await owner.get(`${at}/edit/${name}`)
    assert.match(form.body, new RegExp(`<turbo-frame id="edit-${name}"`))
    assert.equal((await reader.get(`${at}/edit/${name}`)).status, 403, name)
  }
  assert.doesNotMatch((await reader.get(at)).body, /aria-label="Change: /)
  const save = async (name: string, values: Readonly<Record<string, string>>) =>
    assert.equal((await owner.submit(`${at}/edit/${name}`, values)).headers.location, at)
  await save('assignees', { 'assignee_ids[]': String(id) })
  await save('reviewers', { 'reviewer_ids[]': String(id) })
  await save('labels', { add_labels: 'lamps' })
  await save('milestone', { milestone_id: String(milestone.id) })
  await save('estimate', { duration: '2h' })
  await save('spent', { duration: '1h', summary: 'Lit it' })
  const { body } = await owner.person.get(api)
  assert.deepEqual([body.assignees[0].id, body.reviewers[0].id, body.labels, body.milestone.title], [id, id, ['lamps'], 'Winter'])
  assert.deepEqual([body.time_stats.time_estimate, body.time_stats.total_time_spent], [7_200, 3_600])
  // One who is no member is named, as for an issue.
  const other = await surfer()
  await save('reviewers', { 'reviewer_ids[]': String(id), username: `@${other.person.username}` })
  const { reviewers } = (await owner.person.get(api)).body
  assert.deepEqual(reviewers.map((person: { id: number }) => person.id).sort(), [id, other.person.id].sort())
  const nobody = await owner.submit(`${at}/edit/assignees`, { 'assignee_ids[]': '', username: 'nobody-of-this-name' })
  assert.match(nobody.body, /Another account is not the name of an account/)
  const wrong = await owner.submit(`${at}/edit/estimate`, { duration: 'soon' })
  assert.deepEqual([wrong.status, /aria-invalid="true"/.test(wrong.body)], [422, true])
})

test('the number in the global bar has what is assigned and what is to be reviewed, once each, and leads where something is', async () => {
  const { project, api } = await place()
  const person = await surfer()
  await owner.person.post(`${project.url}/members`, { user_id: person.person.id, access_level: 30 })
  const link = async () => {
    const { body } = await person.get('/explore')
    const [, href = '', count] = /href="([^"]*)"[^>]*aria-label="Merge requests that wait for you: (\d+)"/.exec(body) ?? []
    return [Number(count), href]
  }
  const listed = async (href: unknown) =>
    [...(await person.get(String(href))).body.matchAll(/<div class="title"><a href="[^"]*\/(\d+)"/g)].map(([, iid]) => Number(iid))
  assert.deepEqual(await link(), [0, '/dashboard/merge_requests'])

  await owner.person.put(api, { reviewer_ids: [person.person.id] })
  const reviews = `/dashboard/merge_requests?reviewer_username=${person.person.username}`
  assert.deepEqual(await link(), [1, reviews])
  assert.deepEqual(await listed(reviews), [1])
  assert.match((await person.get(reviews)).body, /aria-current="page">Waiting for your review</)

  await owner.person.put(api, { assignee_ids: [person.person.id] })
  assert.deepEqual(await link(), [1, '/dashboard/merge_requests'])
  assert.deepEqual(await listed('/dashboard/merge_requests'), [1])

  await owner.person.put(api, { state_event: 'close' })
  assert.deepEqual(await link(), [0, '/dashboard/merge_requests'])
})

test('lists and home show the pipelines of merge requests to those who may read them, and home the stars of projects', async () => {
  const { project, api, list } = await place({ assignee_ids: [owner.person.id] })
  const { body: made } = await owner.person.get(api)
  const { body: row } = await owner.person.post(`${project.url}/statuses/${made.sha}`, { state: 'failed', ref: made.source_branch })
  assert.equal(row.status, 'failed')
  const chip = new RegExp(`href="/${project.full_path}/-/pipelines/\\d+"[\\s\\S]{0,300}#\\d+ failed`)
  assert.match((await owner.get(list)).body, chip)
  const page = `${list}/${made.iid}`
  const tab = /pipelines">Pipelines <span class="counter">1<\/span>/
  assert.match((await reader.get(page)).body, tab)
  const home = await owner.get('/dashboard')
  assert.match(home.body, chip)
  assert.match(home.body, new RegExp(`/${project.full_path}"[\\s\\S]*?title="Stars"`))

  await owner.person.put(project.url, { builds_access_level: 'private' })
  const seen = await reader.get(list)
  assert.equal(seen.status, 200)
  assert.doesNotMatch(seen.body, chip)
  assert.doesNotMatch((await reader.get(page)).body, />Pipelines </)
  assert.match((await owner.get(page)).body, tab)
})
