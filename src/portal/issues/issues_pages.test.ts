import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

/** A public project of the owner, and the path of its issues. */
async function place() {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const issue = async (body: object) => {
    const made = await by.post(`${project.url}/issues`, body)
    assert.equal(made.status, 201)
    return made.body
  }
  return { project, issue, issues: `/${project.full_path}/-/issues` }
}

const titles = (body: string): string[] =>
  [...body.matchAll(/<div class="title"><a href="[^"]*">([^<]*)<\/a>/g)].map(([, title = '']) => title)

test('a title that turns the direction of its letters turns none of what stands beside it', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const { body } = await owner.person.post(`${project.url}/issues`, { title: '\u202eThe lamp' })
  const shown = await owner.get(`/${project.full_path}/-/issues/${body.iid}`)
  assert.match(shown.body, new RegExp(`<h1><bdi>\u202eThe lamp</bdi> <span class="muted light">#${body.iid}</span></h1>`))
})

test('the filter bar leads to the parameters of the API, and shows them again', async () => {
  const { issue, issues } = await place()
  await issue({ title: 'One', labels: 'bug' })
  await issue({ title: 'Two', labels: 'bug,docs' })
  await issue({ title: 'Three', confidential: true })

  const asked = await owner.get(issues, { filter: 'label:bug -label:docs confidential:no', state: 'opened' })
  assert.equal(asked.status, 303)
  const { pathname, searchParams } = new URL(String(asked.headers.location), scene.url)
  assert.deepEqual(
    [pathname, Object.fromEntries(searchParams)],
    [issues, { state: 'opened', labels: 'bug', 'not[labels]': 'docs', confidential: 'false' }],
  )
  const found = await owner.get(issues, Object.fromEntries(searchParams))
  assert.deepEqual(titles(found.body), ['One'])
  assert.match(found.body, /value="label:bug -label:docs confidential:no"/)
  assert.match(found.body, /Open <span class="counter">1<\/span>/)

  assert.deepEqual(titles((await owner.get(issues)).body), ['Three', 'Two', 'One'])
  assert.deepEqual(titles((await reader.get(issues)).body), ['Two', 'One'], 'a confidential issue is for members')
  assert.deepEqual(titles((await reader.get(issues, { label_name: 'docs' })).body), ['Two'], 'links in texts name labels so')
})

test('what the API refuses is said at the bar, with what was typed', async () => {
  const { issues } = await place()
  const refused = await owner.get(issues, { assignee_id: 'x y' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /id="filter-wrong" role="alert">assigned /)
  assert.match((await owner.get(issues, { due_date: 'never' })).body, /id="filter-wrong" role="alert">due does not have a valid value</)
  assert.match(refused.body, /value="assigned:&quot;x y&quot;"/)
})

test('several issues are changed together, or none of them', async () => {
  const { project, issue, issues } = await place()
  const [one, two] = [await issue({ title: 'One' }), await issue({ title: 'Two' })]
  const done = await owner.submit(`${issues}/bulk`, {
    iids: `${one.iid},${two.iid}`,
    add_labels: 'bug, new',
    state_event: 'close',
    back: `${issues}?state=all`,
  })
  assert.deepEqual([done.status, done.headers.location], [303, `${issues}?state=all`])
  const { body } = await by.get(`${project.url}/issues`, { labels: 'bug,new', state: 'closed' })
  assert.equal(body.length, 2)

  const missing = await owner.submit(`${issues}/bulk`, { iids: `${one.iid},99`, add_labels: 'late' })
  assert.equal(missing.status, 404)
  assert.equal((await by.get(`${project.url}/issues/${one.iid}`)).body.labels.includes('late'), false)
  assert.equal((await owner.submit(`${issues}/bulk`, { iids: String(one.iid), assignee_username: 'nobody-at-all' })).status, 422)
  assert.equal((await reader.submit(`${issues}/bulk`, { iids: String(one.iid), add_labels: 'late' })).status, 403)
  const away = await owner.submit(`${issues}/bulk`, { iids: String(one.iid), add_labels: 'late', back: 'https://elsewhere.example/' })
  assert.equal(away.headers.location, issues, 'a form leads nowhere else')
})

test('a long timeline shows its beginning and its end, and the rest on request', async () => {
  const { project, issue, issues } = await place()
  const { iid } = await issue({ title: 'Long' })
  for (let number = 0; number < 130; number++) await by.post(`${project.url}/issues/${iid}/notes`, { body: `note ${number}.` })

  const { body } = await owner.get(`${issues}/${iid}`)
  const shown = (text: string) => [...text.matchAll(/note (\d+)\./g)].map(([, number]) => Number(number))
  assert.deepEqual(shown(body), [...Array(50).keys(), ...Array.from({ length: 30 }, (_, index) => 100 + index)])
  const [, from, to] = /timeline\?from=(\d+)&amp;to=(\d+)/.exec(body) as unknown as [string, string, string]
  assert.match(body, /Show 50 more/)
  const part = await owner.get(`${issues}/${iid}/timeline`, { from, to })
  assert.deepEqual(
    shown(part.body),
    Array.from({ length: 50 }, (_, index) => 50 + index),
  )
})

test('many long comments and answers make no page without bounds; all of each is a page away', async () => {
  const { project, issue, issues } = await place()
  const { iid } = await issue({ title: 'Wordy' })
  const long = `${'word '.repeat(40_000)}the end of it`
  let note = 0
  for (let number = 0; number < 4; number++) note = (await by.post(`${project.url}/issues/${iid}/notes`, { body: long })).body.id
  const { body: thread } = await by.post(`${project.url}/issues/${iid}/discussions`, { body: 'answer 0.' })
  for (let number = 1; number < 70; number++)
    await by.post(`${project.url}/issues/${iid}/discussions/${thread.id}/notes`, { body: `answer ${number}.` })

  const { body } = await owner.get(`${issues}/${iid}`)
  assert.ok(body.length < 700_000, `${body.length} characters`)
  assert.match(body, new RegExp(`href="${issues}/${iid}/notes/${note}"[^>]*>Show all of this comment`))
  assert.match((await owner.get(`${issues}/${iid}/notes/${note}`)).body, /the end of it/)
  assert.match(body, /20 more in this thread/)
  assert.deepEqual(
    [/answer 0\./, /answer 20\./, /answer 69\./].map(text => text.test(body)),
    [true, false, true],
  )
  assert.match((await owner.get(`${issues}/${iid}/discussions/${thread.id}`, { per_page: '50' })).body, /answer 20\./)
})

test('internal notes are for members, and a text cannot leave its place', async () => {
  const { project, issue, issues } = await place()
  const { iid } = await issue({ title: '<b>x</b>', description: '<script>alert(1)</script>\n\n**bold** ![x](/uploads/0123/a.png)' })
  await by.post(`${project.url}/issues/${iid}/notes`, { body: 'inside', internal: true })
  const open = await reader.get(`${issues}/${iid}`)
  assert.equal(open.status, 200)
  const { body: notes } = await by.get(`${project.url}/issues/${iid}/notes`)
  assert.equal((await reader.get(`${issues}/${iid}/notes/${notes[0].id}`)).status, 404)
  assert.doesNotMatch(open.body, /inside|<script>alert|<b>x/)
  assert.match(open.body, new RegExp(`src="/${project.full_path}/uploads/0123/a.png"`))
  assert.match((await owner.get(`${issues}/${iid}`)).body, /inside/)
  // A visitor may comment on a public project's issue, and no more.
  assert.match(open.body, /name="body"/)
  assert.doesNotMatch(open.body, /Change: Labels|bulk/)
})

test('a comment with quick actions does what it says; one that is refused keeps its text', async () => {
  const { project, issue, issues } = await place()
  const { iid } = await issue({ title: 'One' })
  const said = await owner.submit(`${issues}/${iid}/comment`, { body: 'Broken\r\n\r\n/label ~bug', also: 'close' })
  assert.equal(said.status, 303)
  assert.match(String(said.headers.location), /#note_\d+$/)
  const { body } = await by.get(`${project.url}/issues/${iid}`)
  assert.equal(body.state, 'closed')
  const { body: notes } = await by.get(`${project.url}/issues/${iid}/notes`, { activity_filter: 'only_comments' })
  assert.equal(notes[0].body, 'Broken')

  const empty = await owner.submit(`${issues}/${iid}/comment`, { body: '' })
  assert.equal(empty.status, 422)
  const odd = await owner.submit(`${issues}/${iid}/edit/due_date`, { due_date: 'soon <' })
  assert.equal(odd.status, 422)
  assert.match(odd.body, /aria-invalid="true"/)
})

test('names are completed for those who may know them', async () => {
  const { project, issue } = await place()
  await issue({ title: 'Paint the shed' })
  await issue({ title: 'Paint the secret', confidential: true })
  const complete = (who: typeof owner, query: object) => who.get(`/${project.full_path}/-/completions`, query as Record<string, string>)
  assert.match((await complete(owner, { kind: 'issue', search: 'paint' })).body, /Paint the secret/)
  const seen = (await complete(reader, { kind: 'issue', search: 'paint' })).body
  assert.match(seen, /Paint the shed/)
  assert.doesNotMatch(seen, /secret/)
  // Where neither issues nor merge requests are open to all, labels and milestones are not either.
  await by.post(`${project.url}/labels`, { name: 'hush', color: '#ff0000' })
  await by.post(`${project.url}/milestones`, { title: 'Hush' })
  assert.match((await complete(reader, { kind: 'label', search: 'hu' })).body, /hush/)
  await by.put(project.url, { issues_access_level: 'private', merge_requests_access_level: 'private' })
  for (const kind of ['label', 'milestone', 'issue', 'merge_request'])
    assert.equal((await complete(reader, { kind, search: '' })).body ?? '', '', kind)
  assert.match((await complete(owner, { kind: 'milestone', search: 'hu' })).body, /Hush/)
  assert.match((await complete(owner, { kind: 'emoji', search: 'tada' })).body, /data-value=":tada:"/)
  assert.match((await complete(owner, { kind: 'command', search: 'clo' })).body, /data-value="\/close"/)
})

test('quick actions are completed with their arguments: values, names of things, and branches for those who may read the code', async () => {
  const { project, issue } = await place()
  await issue({ title: 'Paint the shed' })
  await scene.commit(project, { 'a.txt': 'a\n' }, { branch: 'wick-trimmed', start_branch: 'main' })
  await by.post(`${project.url}/labels`, { name: 'wick care', color: '#ff0000' })
  const complete = async (who: typeof owner, search: string) => {
    const { body } = await who.get(`/${project.full_path}/-/completions`, { kind: 'command', search })
    return [...String(body ?? '').matchAll(/data-value="([^"]*)"/g)].map(([, value]) => value)
  }
  assert.deepEqual(await complete(owner, 'health'), ['/health_status '], 'it goes on with its argument')
  const statuses = ['/health_status on_track', '/health_status needs_attention', '/health_status at_risk']
  assert.deepEqual(await complete(owner, 'health_status '), statuses)
  assert.deepEqual(await complete(owner, 'health_status NEEDS'), statuses.slice(1, 2))
  assert.deepEqual(await complete(owner, 'relabel wick'), ['/relabel ~&quot;wick care&quot;'])
  assert.deepEqual(await complete(owner, 'duplicate shed'), ['/duplicate #1'])
  assert.deepEqual(await complete(owner, 'duplicate #1'), ['/duplicate #1'])
  assert.deepEqual(await complete(owner, 'relate other/place#4 #7 shed'), ['/relate other/place#4 #7 #1'], 'the last of several')
  assert.deepEqual(await complete(owner, 'assign '), [`/assign @${owner.person.username}`])
  assert.deepEqual(await complete(reader, 'target_branch TRIM'), ['/target_branch wick-trimmed'])
  assert.deepEqual([await complete(owner, 'close '), await complete(owner, 'nothing ')], [[], []])
  const elsewhere = await place()
  const [path] = [elsewhere.project.full_path]
  assert.deepEqual(await complete(owner, 'mov'), ['/move '])
  assert.deepEqual(await complete(owner, `move ${path.toUpperCase()}`), [`/move ${path}`])
  assert.deepEqual(await complete(owner, `clone ${path}`), [`/clone ${path}`])
  assert.deepEqual(await complete(owner, `move ${project.full_path}`), [], 'it is there already')
  assert.deepEqual(await complete(reader, `move ${path}`), [], 'a project in which one may not plan')
  await by.put(project.url, { repository_access_level: 'private' })
  assert.deepEqual(await complete(reader, 'target_branch TRIM'), [])
})

test('the form of a new issue begins with a template of the repository, or with what a link gives', async () => {
  const { project, issues } = await place()
  await by.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Add templates',
    actions: [{ action: 'create', file_path: '.gitlab/issue_templates/Bug.md', content: 'What is broken?\n' }],
  })
  assert.match((await owner.get(`${issues}/new`)).body, /issuable_template=Bug">Bug<\/a>/)
  assert.match((await owner.get(`${issues}/new`, { issuable_template: 'Bug' })).body, /What is broken\?/)
  const given = await owner.get(`${issues}/new`, { 'issue[title]': 'A "title"', 'issue[description]': 'text' })
  assert.match(given.body, /value="A &quot;title&quot;"/)
  assert.match((await owner.get(`${issues}/similar`, { title: 'nothing like this' })).body, /Similar issues/)
})

test('a description can be cleared, and a locked discussion is for members and administrators', async () => {
  const { project, issue, issues } = await place()
  const made = await issue({ title: 'One', description: 'some text' })
  const form = await owner.get(`${issues}/${made.iid}/edit`)
  assert.doesNotMatch(form.body, /<textarea[^>]* name="description"[^>]* required/)
  const cleared = await owner.submit(`${issues}/${made.iid}/edit`, { title: 'One', description: '', known_description: 'some text' })
  assert.equal(cleared.status, 303)
  assert.equal((await by.get(`${project.url}/issues/${made.iid}`)).body.description, '')

  await by.put(`${project.url}/issues/${made.iid}`, { discussion_locked: true })
  const administrator = await surfer({ admin: true })
  const page = async (who: typeof owner) => (await who.get(`${issues}/${made.iid}`)).body
  assert.match(await page(reader), /The discussion is locked: only members comment/)
  for (const who of [owner, administrator]) assert.match(await page(who), /<textarea[^>]* name="body"/)
  assert.equal((await administrator.submit(`${issues}/${made.iid}/comment`, { body: 'Closed for now' })).status, 303)
  await by.post(`${project.url}/archive`)
  assert.match(await page(owner), /The project is archived: nobody comments/)
})

test('a comment that another user has changed meanwhile is not replaced unseen', async () => {
  const { project, issue, issues } = await place()
  const { iid } = await issue({ title: 'One' })
  const notes = `${project.url}/issues/${iid}/notes`
  const note = (await by.post(notes, { body: 'Bright' })).body
  const form = `${issues}/${iid}/notes/${note.id}/edit`
  assert.match((await owner.get(form)).body, /name="known_body" value="Bright"/)
  await by.put(`${notes}/${note.id}`, { body: 'Brighter' })
  const late = await owner.submit(form, { body: 'Dark', known_body: 'Bright' })
  assert.equal(late.status, 422)
  assert.match(late.body, /<del>Bright\n<\/del><ins>Brighter\n<\/ins>/)
  assert.match(late.body, />\nDark<\/textarea>/)
  assert.match(late.body, /name="known_body" value="Brighter"/, 'it can be sent again')
  assert.equal((await by.get(`${notes}/${note.id}`)).body.body, 'Brighter')
  assert.equal((await owner.submit(form, { body: 'Dark', known_body: 'Brighter' })).status, 303)
  assert.equal((await by.get(`${notes}/${note.id}`)).body.body, 'Dark')
})

test('a form that changes a comment leads back beside its button, on its page and in the place of the comment', async () => {
  const { project, issue, issues } = await place()
  const { iid } = await issue({ title: 'One' })
  const note = (await by.post(`${project.url}/issues/${iid}/notes`, { body: 'Bright' })).body
  const form = `${issues}/${iid}/notes/${note.id}/edit`
  const buttons = (more: string) =>
    `<div class="row"><button class="btn btn-primary">Save</button><a class="btn" href="${issues}/${iid}#note_${note.id}"${more}>Cancel</a></div>`

  const alone = await owner.get(form)
  const within = await owner.client.get(new URL(form, scene.url).href, {}, { 'turbo-frame': `note-${note.id}` })

  assert.ok(alone.body.includes(buttons(' data-turbo-frame="_top"')))
  assert.ok(within.body.includes(buttons('')))
})
