/** Who gets which mail about what happened. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { mailDueIssues } from './due.ts'
import { mayStillRead } from './guard.ts'
import { notificationScene } from './scene.ts'

const scene = await openScene({ settings: { externalUrl: 'https://git.example.com' } })
const { mails, reasons, tasks } = notificationScene(scene)
const { db, pool } = scene.deps.database

const setLevel = (person: Person, url: string, level: string, more: object = {}) =>
  person.put(`${url}/notification_settings`, { level, ...more })

test('a new issue is mailed to those who watch, are assigned and are mentioned, with the strongest reason, and not to its author', async () => {
  const { project, owner, reporter, developer, guest, maintainer } = await scene.project({
    members: ['reporter', 'developer', 'guest', 'maintainer'],
  })
  await setLevel(reporter, project.url, 'watch')
  await setLevel(developer, project.url, 'watch')
  await mails()

  const { body: issue } = await owner.post(`${project.url}/issues`, {
    title: 'The lamp is out',
    description: `See @${developer.username} and ![x](/uploads/a/b.png) <script>alert(1)</script> [there](/x)`,
    assignee_ids: [guest.id],
  })
  const written = await mails()

  assert.deepEqual(
    Object.fromEntries(written.map(mail => [mail.recipient, mail.headers?.['X-GitLab-NotificationReason']])),
    Object.fromEntries(
      [
        [developer.email, 'mentioned'],
        [guest.email, 'assigned'],
        [reporter.email, 'watching'],
      ].sort(),
    ),
  )
  assert.ok(!written.some(({ recipient }) => recipient === maintainer.email))
  const mail = written.find(({ recipient }) => recipient === developer.email)
  assert.equal(mail?.subject, `${project.name} | The lamp is out (#${issue.iid})`)
  assert.equal(mail?.messageId, `<issue_${issue.id}@git.example.com>`)
  assert.equal(mail?.inReplyTo, undefined)
  assert.equal(mail?.headers?.['X-GitLab-Project-Path'], project.full_path)
  assert.equal(mail?.headers?.['X-GitLab-Issue-IID'], String(issue.iid))
  assert.match(mail?.html ?? '', new RegExp(`src="https://git\\.example\\.com/${project.full_path}/uploads/a/b\\.png"`))
  assert.match(mail?.html ?? '', /href="https:\/\/git\.example\.com\/x"/)
  assert.doesNotMatch(mail?.html ?? '', /<script|alert/)
  assert.match(
    mail?.text ?? '',
    /You get this mail because you were mentioned\.\nUnsubscribe from this issue: https:\/\/git\.example\.com\/-\/sent_notifications\/[\w-]+\/unsubscribe\n/,
  )
})

test('a text looks in the mail as on its page, and a name is one line', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await owner.put('/user', { name: 'Ada\r\n\nYour account is locked. Go to http://evil.example.com' })
  await mails()
  await owner.post(`${project.url}/issues`, {
    title: 'A lamp',
    description: 'x href="y `z href="/z"` [there](/there "<b>")',
    assignee_ids: [developer.id],
  })
  const [mail] = await mails()

  assert.match(mail?.text ?? '', /^Ada {1,3}Your account is locked\. Go to http:\/\/evil\.example\.com opened issue/)
  assert.match(mail?.html ?? '', /x href="y <code>z href="\/z"<\/code> <a href="https:\/\/git\.example\.com\/there"/)
})

test('comments follow the thread of the item, and those who take part get them', async () => {
  const { project, owner, reporter, developer } = await scene.project({ members: ['reporter', 'developer'] })
  const { body: issue } = await reporter.post(`${project.url}/issues`, { title: 'A lamp' })
  await mails()
  const { body: first } = await developer.post(`${project.url}/issues/${issue.iid}/discussions`, { body: 'Which **one**?' })
  const [mail, ...others] = await mails()

  assert.deepEqual([mail?.recipient, others.length], [reporter.email, 0])
  assert.equal(mail?.headers?.['X-GitLab-NotificationReason'], 'author')
  assert.equal(mail?.subject, `Re: ${project.name} | A lamp (#${issue.iid})`)
  assert.deepEqual(mail?.references, [`<issue_${issue.id}@git.example.com>`])
  assert.equal(mail?.headers?.['X-GitLab-Discussion-ID'], first.id)
  assert.match(mail?.html ?? '', /<strong>one<\/strong>/)
  assert.match(mail?.text ?? '', /Which \*\*one\*\*\?/)

  await reporter.post(`${project.url}/issues/${issue.iid}/discussions/${first.id}/notes`, { body: 'That one' })
  const [answer] = await mails()
  assert.deepEqual([answer?.recipient, answer?.headers?.['X-GitLab-NotificationReason']], [developer.email, 'participating'])
  assert.deepEqual(answer?.references, [`<issue_${issue.id}@git.example.com>`, `<note_${first.notes[0].id}@git.example.com>`])
  assert.ok(owner.id > 0)
})

test('a text is mailed to nobody who may not read it: confidential issues, internal notes, people who left, other projects', async () => {
  const { project, owner, guest, reporter, developer } = await scene.project({
    visibility: 'public',
    members: ['guest', 'reporter', 'developer'],
  })
  const outsider = await scene.user()
  for (const person of [guest, reporter, developer, outsider]) await setLevel(person, project.url, 'watch')
  await mails()

  await owner.post(`${project.url}/issues`, { title: 'Secret', confidential: true })
  assert.deepEqual(Object.keys(await reasons()), [developer.email, reporter.email].sort())

  const { body: open } = await owner.post(`${project.url}/issues`, { title: 'Open' })
  assert.deepEqual(Object.keys(await reasons()), [developer.email, guest.email, outsider.email, reporter.email].sort())
  await owner.post(`${project.url}/issues/${open.iid}/notes`, { body: 'Internal', confidential: true })
  assert.deepEqual(Object.keys(await reasons()), [developer.email, reporter.email].sort())

  await owner.put(project.url, { visibility: 'private' })
  await owner.delete(`${project.url}/members/${reporter.id}`)
  await mails()
  await owner.post(`${project.url}/issues/${open.iid}/notes`, { body: `Hello @${outsider.username} @${reporter.username}` })
  assert.deepEqual(Object.keys(await reasons()), [developer.email, guest.email].sort())
})

test('a mail that waited is not sent to someone who may not read it any more', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await setLevel(developer, project.url, 'watch')
  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'Later' })
  const mail = { userId: developer.id, address: developer.email, about: { issue_id: issue.id } }
  const { body: note } = await owner.post(`${project.url}/issues/${issue.iid}/notes`, { body: 'The password is …' })
  const aboutNote = { ...mail, about: { issue_id: issue.id, note_id: note.id } }

  assert.equal(await mayStillRead(scene.deps, mail), true)
  assert.equal(await mayStillRead(scene.deps, aboutNote), true)
  await owner.delete(`${project.url}/issues/${issue.iid}/notes/${note.id}`)
  assert.equal(await mayStillRead(scene.deps, aboutNote), false)
  await mails()
  const { body: internal } = await owner.post(`${project.url}/issues/${issue.iid}/notes`, { body: 'Internal', confidential: true })
  await mails()
  const written = await db.selectFrom('mails').select('about').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  assert.deepEqual(written.about, { issue_id: issue.id, note_id: internal.id })
  assert.equal(await mayStillRead(scene.deps, { ...mail, about: { issue_id: issue.id, note_id: internal.id } }), true)
  await owner.put(`${project.url}/members/${developer.id}`, { access_level: 10 })
  assert.equal(await mayStillRead(scene.deps, { ...mail, about: { issue_id: issue.id, note_id: internal.id } }), false)
  assert.equal(await mayStillRead(scene.deps, { ...mail, address: 'another@example.com' }), false)
  await owner.delete(`${project.url}/members/${developer.id}`)
  assert.equal(await mayStillRead(scene.deps, mail), false)
})

test('nobody gets mail who is blocked, has not confirmed the address, or did it; unless they want their own', async () => {
  const { project, owner, developer, reporter, maintainer } = await scene.project({ members: ['developer', 'reporter', 'maintainer'] })
  for (const person of [developer, reporter, maintainer, owner]) await setLevel(person, project.url, 'watch')
  await scene.root.post(`/users/${developer.id}/block`)
  await db.updateTable('users').set({ confirmed_at: null }).where('id', '=', reporter.id).execute()
  await mails()

  await owner.post(`${project.url}/issues`, { title: 'First' })
  assert.deepEqual(await reasons(), { [maintainer.email]: 'watching' })
  await owner.put('/user/preferences', { notified_of_own_activity: true })
  await owner.post(`${project.url}/issues`, { title: 'Second' })
  assert.deepEqual((await reasons())[owner.email], 'own_activity')
})

test('the choice for an item decides: who unsubscribed gets nothing, who subscribed gets all', async () => {
  const { project, owner, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'A lamp', assignee_ids: [developer.id] })
  const url = `${project.url}/issues/${issue.iid}`
  await developer.post(`${url}/unsubscribe`)
  await setLevel(reporter, project.url, 'disabled')
  await reporter.post(`${url}/subscribe`)
  await mails()

  await owner.post(`${url}/notes`, { body: `@${developer.username}, look` })
  assert.deepEqual(await reasons(), { [reporter.email]: 'subscribed' })
})

test('subscribers of a label hear of items that get it', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await owner.post(`${project.url}/labels`, { name: 'bug', color: '#ff0000' })
  await developer.post(`${project.url}/labels/bug/subscribe`)
  await mails()

  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'One', labels: 'bug' })
  assert.deepEqual(await reasons(), { [developer.email]: 'subscribed' })
  const { body: other } = await owner.post(`${project.url}/issues`, { title: 'Two' })
  assert.deepEqual(await reasons(), {})
  await owner.put(`${project.url}/issues/${other.iid}`, { add_labels: 'bug' })
  const [mail] = await mails()
  assert.match(mail?.text ?? '', /added ~bug to issue/)
  assert.ok(issue.id > 0)
})

test('places that send no mail are quiet, and so are those below them', async () => {
  const { group, owner } = await scene.group({})
  const { project, developer } = await scene.project({ group, owner, members: ['developer'] })
  await setLevel(developer, project.url, 'watch')
  await owner.put(project.url, { emails_disabled: true })
  await mails()
  await owner.post(`${project.url}/issues`, { title: 'Quiet' })
  assert.deepEqual(await reasons(), {})
  await owner.put(project.url, { emails_disabled: false })
  await owner.put(group.url, { emails_disabled: true })
  await owner.post(`${project.url}/issues`, { title: 'Quiet too' })
  assert.deepEqual(await reasons(), {})
  await owner.put(group.url, { emails_disabled: false })
  await owner.post(`${project.url}/issues`, { title: 'Loud' })
  assert.deepEqual(await reasons(), { [developer.email]: 'watching' })
})

test('the nearest choice holds: of the project, of its group, of the groups above, of everywhere', async () => {
  const { group: top, owner, developer } = await scene.group({ members: ['developer'] })
  const { group: below } = await scene.group({ parent: top, owner })
  const { project } = await scene.project({ group: below, owner })
  const heard = async () => {
    await mails()
    await owner.post(`${project.url}/issues`, { title: 'One' })
    return (await reasons())[developer.email]
  }

  assert.equal(await heard(), undefined)
  await developer.put('/notification_settings', { level: 'watch' })
  assert.equal(await heard(), 'watching')
  await setLevel(developer, top.url, 'participating')
  assert.equal(await heard(), undefined)
  await setLevel(developer, below.url, 'custom', { new_issue: true })
  assert.equal(await heard(), 'watching')
  await setLevel(developer, project.url, 'disabled')
  assert.equal(await heard(), undefined)
  await setLevel(developer, project.url, 'global')
  assert.equal(await heard(), 'watching')
})

test('merge requests: review asked, approved, closed, reopened, merged, pushed', async () => {
  const { project, owner, developer, maintainer } = await scene.project({ members: ['developer', 'maintainer'] })
  const request = await scene.mergeRequest(project, { author: developer })
  await mails()

  await developer.put(request.url, { reviewer_ids: [maintainer.id] })
  const [asked, ...others] = await mails()
  assert.deepEqual(
    [asked?.recipient, asked?.headers?.['X-GitLab-NotificationReason'], others.length],
    [maintainer.email, 'review_requested', 0],
  )
  assert.equal(asked?.headers?.['X-GitLab-MergeRequest-IID'], String(request.iid))

  await maintainer.put(request.url, { state_event: 'close' })
  assert.deepEqual(await reasons(), { [developer.email]: 'author' })
  await maintainer.put(request.url, { state_event: 'reopen' })
  assert.deepEqual(await reasons(), { [developer.email]: 'author' })
  assert.equal((await owner.put(`${request.url}/merge`)).status, 200)
  assert.deepEqual(
    await reasons(),
    Object.fromEntries(
      [
        [developer.email, 'author'],
        [maintainer.email, 'review_requested'],
      ].sort(),
    ),
  )
})

test('a mention that is added later to a description or a comment is mailed once', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'A lamp', description: 'Nobody' })
  const url = `${project.url}/issues/${issue.iid}`
  await mails()
  await owner.put(url, { description: `@${developer.username}!` })
  assert.deepEqual(await reasons(), { [developer.email]: 'mentioned' })
  await owner.put(url, { description: `@${developer.username}!!` })
  assert.deepEqual(await reasons(), {})

  // Who had the comment before gets a mail of its own: mail programs drop a second one of the same id.
  const { body: note } = await owner.post(`${url}/notes`, { body: 'Look' })
  const [first] = await mails()
  await owner.put(`${url}/notes/${note.id}`, { body: `Look, @${developer.username}` })
  const [second] = await mails()
  assert.equal(first?.messageId, `<note_${note.id}@git.example.com>`)
  assert.notEqual(second?.messageId, first?.messageId)
  assert.equal(second?.inReplyTo, first?.messageId)
})

test('issues that are due tomorrow are mailed once to those who take part', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const day = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  await owner.post(`${project.url}/issues`, { title: 'Due', due_date: day, assignee_ids: [developer.id] })
  await mails()
  await mailDueIssues(scene.deps)
  await tasks.mail_due_issues({}, undefined)
  const written = await mails()
  assert.match(written[0]?.messageId ?? '', new RegExp(`_due_${day}@`))
  assert.deepEqual(
    Object.fromEntries(written.map(mail => [mail.recipient, mail.headers?.['X-GitLab-NotificationReason']])),
    Object.fromEntries(
      [
        [developer.email, 'assigned'],
        [owner.email, 'author'],
      ].sort(),
    ),
  )
})

test('members hear of their own access, and those who decide of requests', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const person = await scene.user()
  await mails()
  await person.post(`${project.url}/access_requests`)
  const [asked] = await mails()
  assert.deepEqual([asked?.recipient, asked?.subject], [owner.email, `Request for access to the project ${project.full_path}`])
  await owner.put(`${project.url}/access_requests/${person.id}/approve`, { access_level: 30 })
  const [made] = await mails()
  assert.equal(made?.recipient, person.email)
  assert.match(made?.text ?? '', /Role: Developer/)
  await owner.put(`${project.url}/members/${person.id}`, { access_level: 40 })
  assert.match((await mails())[0]?.subject ?? '', /^Your role changed/)
})

test('an event that is delivered again writes no second mail', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await setLevel(developer, project.url, 'watch')
  await mails()
  await owner.post(`${project.url}/issues`, { title: 'Once' })
  assert.equal((await mails()).length, 1)
  const { id } = await db
    .selectFrom('events')
    .select('id')
    .where('kind', '=', 'issue.created')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await tasks.deliver_event({ event_id: id }, undefined)
  assert.deepEqual(await mails(), [])
  assert.ok(pool)
})
