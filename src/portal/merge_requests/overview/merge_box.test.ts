import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()

async function place(more: object = {}) {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const { iid, url, sha, source_branch } = await scene.mergeRequest(project)
  if (Object.keys(more).length > 0) await owner.person.put(project.url, more)
  await scene.run(scene.root, ({ db }) =>
    db.updateTable('merge_requests').set({ merge_status: 'can_be_merged' }).where('project_id', '=', project.id).execute(),
  )
  return { project, api: url, sha, source_branch, page: `/${project.full_path}/-/merge_requests/${iid}` }
}

test('each thing that is missing is said, and not the first alone', async () => {
  const { page, api, project } = await place({
    only_allow_merge_if_pipeline_succeeds: true,
    only_allow_merge_if_all_discussions_are_resolved: true,
  })
  await owner.person.put(api, { title: 'Draft: It' })
  await owner.person.post(`${api}/discussions`, { body: 'Why?' })
  await owner.person.post(`${api}/approval_rules`, { name: 'Security', approvals_required: 1, user_ids: [owner.person.id] })
  await owner.person.post(`${project.url}/approvals`, { merge_requests_author_approval: true })
  const { body } = await owner.get(page)
  for (const said of [/It is a draft/, /1 unresolved thread/, /1 more approval is needed/, /A pipeline must succeed first/, /Security/])
    assert.match(body, said)
  assert.doesNotMatch(body, /> Merge<\/button>/)
  assert.match((await reader.get(page)).body, /You may not merge into/)
})

test('the box says whether an approval of the caller counts for a rule that is not met', async () => {
  const { page, project, api } = await place()
  const { person } = owner
  const [named, other] = [await surfer(), await surfer()]
  for (const { person: member } of [named, other]) await person.post(`${project.url}/members`, { user_id: member.id, access_level: 30 })
  await person.post(`${api}/approval_rules`, { name: 'Security', approvals_required: 1, user_ids: [named.person.id] })
  assert.match((await named.get(page)).body, /1 more approval is needed\.<\/strong> You may approve\./)
  const { body } = await other.get(page)
  assert.match(body, /Your approval would not count for it/)
  assert.doesNotMatch(body, /You may approve/)
  assert.match(body, />Approve<\/button>/)
  assert.match((await reader.get(page)).body, /The rules above say who can approve/)
  // A rule asks for no more people than it names.
  await person.post(`${api}/approval_rules`, { name: 'Nobody', approvals_required: 1, user_ids: [] })
  assert.match((await other.get(page)).body, /Nobody<\/strong>.*?0 of 1.*?No more people can approve for it/s)
})

test('the form has the messages that would be used, and the squash rule of the project', async () => {
  const { page, source_branch } = await place({ squash_option: 'always' })
  const { body } = await owner.get(page)
  assert.match(body, new RegExp(`>\\nMerge branch (&#39;|')${source_branch}`))
  assert.match(body, /squashed into one, as the project has it/)
  assert.doesNotMatch(body, /name="squash"/)
  assert.doesNotMatch((await owner.get((await place({ squash_option: 'never' })).page)).body, /squash/i)
})

test('messages are sent with the line ends that commits have, and a box that is off does not squash', async () => {
  const { page, api, sha, project } = await place({ squash_option: 'default_on' })
  await owner.person.put(api, { squash: true })
  const sent = { sha, squash: 'false', merge_commit_message: 'One\r\n\r\ntwo' }
  assert.equal((await owner.submit(`${page}/merge`, sent)).status, 303)
  const { body } = await owner.person.get(api)
  assert.deepEqual([body.state, body.squash_commit_sha], ['merged', null])
  assert.equal((await owner.person.get(`${project.url}/repository/commits/${body.merge_commit_sha}`)).body.message, 'One\n\ntwo')
})

test('where its commit is deployed is said with who did it, the way there, and a button that stops it', async () => {
  const { page, sha, source_branch, project } = await place()
  const { person } = owner
  const { id } = (await person.post(`${project.url}/environments`, { name: 'review/lamp', external_url: 'https://lamp.example.com/' })).body
  const deployed = { environment: 'review/lamp', sha, ref: source_branch, tag: false }
  const before = (await person.get(`${project.url}/repository/branches/main`)).body.commit.id
  for (const deployment of [
    { status: 'success' },
    { environment: 'staging', status: 'failed' },
    { environment: 'other', sha: before, ref: 'main', status: 'success' },
  ])
    assert.equal((await person.post(`${project.url}/deployments`, { ...deployed, ...deployment })).status, 201)

  const { body } = await owner.get(page)

  const environment = `/${project.full_path}/-/environments/${id}`
  assert.match(
    body,
    new RegExp(
      `Failed</span><span>to <a[^>]*>staging</a>[\\s\\S]*Deployed</span><span>to <a[^>]*href="${environment}">review/lamp</a> by <a[^>]*>${person.name}`,
    ),
  )
  assert.match(body, /href="https:\/\/lamp\.example\.com\/"/)
  assert.match(body, new RegExp(`action="${environment}/stop"`))
  assert.doesNotMatch(body, />other</)
  const asReader = (await reader.get(page)).body
  assert.match(asReader, /review\/lamp/)
  assert.doesNotMatch(asReader, /environments\/\d+\/stop/)
  assert.equal((await owner.submit(`${environment}/stop`, {})).status, 303)
  assert.match((await owner.get(page)).body, /review\/lamp<\/a> \(stopped\)/)
})

test('a merge of commits that moved says what changed', async () => {
  const { page, sha, source_branch, project } = await place()
  await owner.person.post(`${project.url}/repository/commits`, {
    branch: source_branch,
    commit_message: 'More',
    actions: [{ action: 'create', file_path: 'more.txt', content: 'more' }],
  })
  const late = await owner.submit(`${page}/merge`, { sha })
  assert.equal(late.status, 409)
  assert.match(late.body, new RegExp(`/-/compare/${sha}\\.\\.\\.[0-9a-f]{40}">See what changed`))
})

test('approval rules of a merge request are added, changed and removed', async () => {
  const { page, api } = await place()
  const added = await owner.submit(`${page}/approval_rules/new`, {
    name: 'Docs <b>',
    approvals_required: '1',
    'user_ids[]': String(owner.person.id),
  })
  assert.deepEqual([added.status, added.headers.location], [303, page])
  const [rule] = (await owner.person.get(`${api}/approval_rules`)).body
  assert.deepEqual([rule.name, rule.users.length], ['Docs <b>', 1])
  assert.match((await owner.get(`${page}/approval_rules/${rule.id}/edit`)).body, /Docs &lt;b&gt;/)
  assert.equal(
    (await owner.submit(`${page}/approval_rules/${rule.id}/edit`, { name: 'Docs', approvals_required: '2' })).headers.location,
    page,
  )
  assert.equal((await owner.person.get(`${api}/approval_rules`)).body[0].approvals_required, 2)
  assert.equal((await owner.submit(`${page}/approval_rules/new`, { name: '', approvals_required: '1' })).status, 422)
  assert.equal((await reader.get(`${page}/approval_rules/new`)).status, 403)
  assert.equal((await owner.submit(`${page}/approval_rules/${rule.id}/delete`, {})).headers.location, page)
  assert.deepEqual((await owner.person.get(`${api}/approval_rules`)).body, [])
})

test('unresolved threads are followed up by an issue that resolves them, all or one', async () => {
  const { page, api, project } = await place()
  const begin = async (body: string) => (await owner.person.post(`${api}/discussions`, { body })).body
  const one = await begin('Why <b>this</b>?')
  await begin('And that?')
  const form = `/${project.full_path}/-/issues/new`
  const { body } = await owner.get(page)
  const iid = page.split('/').at(-1)
  const all = `${form}?merge_request_to_resolve_discussions_of=${iid}`
  assert.ok(body.includes(`href="${all}">Resolve all with a new issue`))
  const alone = `${form}?discussion_to_resolve=${one.id}&amp;merge_request_to_resolve_discussions_of=${iid}`
  assert.ok(body.includes(alone), alone)
  assert.doesNotMatch((await reader.get(page)).body, /with a new issue|Resolve with an issue/)

  const shown = (await owner.get(alone.replaceAll('&amp;', '&'))).body
  assert.match(shown, /follows up 1 unresolved thread of .*, and resolves it/)
  assert.match(shown, /Follow-up from &quot;Paint the shed&quot;/)
  assert.match(shown, /&gt; Why &lt;b&gt;this&lt;\/b&gt;\?/)
  const sent = { title: 'Go on', description: 'x', merge_request_to_resolve_discussions_of: iid as string, discussion_to_resolve: one.id }
  const refused = await owner.submit(form, { ...sent, title: '' })
  assert.match(refused.body, new RegExp(`name="discussion_to_resolve"[^>]*value="${one.id}"`))
  const made = await owner.submit(form, sent)
  assert.match(String(made.headers.location), /\/-\/issues\/1$/)
  const { body: threads } = await owner.person.get(`${api}/discussions`)
  const resolved = threads
    .map(({ notes }: { notes: { resolved?: boolean }[] }) => notes[0]?.resolved)
    .filter((is?: boolean) => is !== undefined)
  assert.deepEqual(resolved.sort(), [false, true])
})
