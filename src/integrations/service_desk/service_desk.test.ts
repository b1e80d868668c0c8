/** Requests that people without an account send by mail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { contentOf, mailsWithBodies } from '../../platform/mail/outbox.ts'
import { mailService, multipart, takingMail } from '../incoming_mail/scene.ts'
import { notificationScene } from '../notifications/scene.ts'
import { filled, instanceFacts } from './templates.ts'

const scene = await openScene({ settings: takingMail })
const silent = await openScene()
const { deliver } = notificationScene(scene)
const { hand } = mailService(scene)
const { db } = scene.deps.database

/** The mails to an address, the first one first. */
async function mailsTo(address: string) {
  await deliver()
  const rows = await mailsWithBodies(db).where('recipient', '=', address).orderBy('mails.id').execute()
  return rows.map(row => ({ kind: row.kind, subject: row.subject, ...contentOf(row, scene.deps.secrets) }))
}

async function desk(options: Parameters<typeof scene.project>[0] = {}) {
  const made = await scene.project({ members: ['guest'], ...options })
  const { body } = await made.owner.put(made.project.url, { service_desk_enabled: true })
  return { ...made, address: body.service_desk_address as string }
}

const issuesOf = async ({ owner, project }: Pick<Awaited<ReturnType<typeof desk>>, 'owner' | 'project'>) =>
  (await owner.get(`${project.url}/issues`, { sort: 'asc' })).body

test('the address is of the project, for those who look after its issues, while the desk is open and the instance takes mail', async () => {
  const { project, owner, guest, address } = await desk()
  assert.equal(address, `incoming+${project.full_path.toLowerCase().replace('/', '-')}-${project.id}-issue-@example.com`)
  assert.equal((await guest.get(project.url)).body.service_desk_address, null)
  await owner.put(project.url, { service_desk_enabled: false })
  assert.equal((await owner.get(project.url)).body.service_desk_address, null)

  const { project: other, owner: another } = await silent.project()
  await another.put(other.url, { service_desk_enabled: true })
  const { body } = await another.get(other.url)
  assert.deepEqual([body.service_desk_enabled, body.service_desk_address], [true, null])
})

test('a mail of a stranger becomes a confidential issue, which they are thanked for and answer on', async () => {
  const here = await desk()
  const { project, owner, guest, address } = here
  const parts = multipart([
    'Content-Type: text/plain; charset=utf-8\r\n\r\nThe lamp is out.\r\n\r\n/close\r\n/assign @root',
    'Content-Disposition: attachment; filename="lamp.txt"\r\nContent-Type: text/plain\r\n\r\ndark',
  ])
  await hand({
    from: 'Stranger <Stranger@elsewhere.example>',
    to: address,
    subject: 'Help!',
    messageId: '<one@elsewhere.example>',
    ...parts,
  })

  const [issue] = await issuesOf(here)
  assert.deepEqual(
    [issue.title, issue.confidential, issue.state, issue.assignees, issue.author.username, issue.service_desk_reply_to],
    ['Help!', true, 'opened', [], 'support-bot', 'Stranger@elsewhere.example'],
  )
  assert.match(issue.description, /^The lamp is out\.\n\n\/close\n\/assign @root\n\n\[lamp\.txt\]\(\/uploads\/[0-9a-f]{32}\/lamp\.txt\)$/)
  const url = `${project.url}/issues/${issue.iid}`
  assert.equal((await guest.get(url)).status, 404)
  await owner.put(url, { confidential: false })
  assert.equal((await guest.get(url)).body.service_desk_reply_to, null)

  const [thanks] = await mailsTo('Stranger@elsewhere.example')
  assert.deepEqual([thanks?.kind, thanks?.subject, thanks?.inReplyTo], ['service_desk_thanks', 'Re: Help! (#1)', '<one@elsewhere.example>'])
  assert.doesNotMatch(thanks?.text ?? '', /lamp is out/)

  await owner.post(`${url}/notes`, { body: 'Between us', confidential: true })
  await owner.post(`${url}/notes`, { body: 'Which **lamp**?' })
  await owner.put(url, { state_event: 'close' })
  const [, comment, ...more] = await mailsTo('Stranger@elsewhere.example')
  assert.deepEqual([comment?.kind, comment?.inReplyTo, more], ['service_desk_comment', '<one@elsewhere.example>', []])
  assert.match(comment?.text ?? '', /wrote:\n\nWhich \*\*lamp\*\*\?/)
  assert.match(comment?.html ?? '', /Which <strong>lamp<\/strong>\?/)

  await hand({ from: 'stranger@ELSEWHERE.example', to: comment?.replyTo ?? '', text: 'The red one.\n\n/reopen\n\n> Which lamp?' })
  const notes = (await owner.get(`${url}/notes`, { activity_filter: 'only_comments' })).body
  // The issue is not confidential any more.
  assert.equal(notes[0].body, 'By mail from `s*****@E*****.example`:\n\nThe red one.\n\n/reopen')
  assert.equal(notes[0].author.username, 'support-bot')
  // What they wrote themselves is not mailed to them.
  assert.equal((await mailsTo('Stranger@elsewhere.example')).length, 2)
})

test('nobody answers for a stranger without their key, or from another address', async () => {
  const here = await desk()
  const { owner, project, address } = here
  await hand({ from: 'a@elsewhere.example', to: address })
  const [thanks] = await mailsTo('a@elsewhere.example')
  const replyTo = thanks?.replyTo ?? ''
  await hand({ from: 'b@elsewhere.example', to: replyTo, text: 'forged' })
  assert.match((await mailsTo('b@elsewhere.example'))[0]?.text ?? '', /takes mails of another person/)
  await hand({
    from: 'a@elsewhere.example',
    to: replyTo.replace('+s-1', '+s-2').replace(/(.)@/, (_, last) => `${last === '0' ? 1 : 0}@`),
    text: 'forged',
  })
  await hand({ from: 'a@elsewhere.example', to: thanks?.unsubscribe?.split('/').at(-2) ?? '', text: 'forged' })
  assert.deepEqual((await owner.get(`${project.url}/issues/1/notes`, { activity_filter: 'only_comments' })).body, [])
})

test('the link in each mail ends them', async () => {
  const here = await desk()
  const { owner, project, address } = here
  await hand({ from: 'c@elsewhere.example', to: address })
  const [thanks] = await mailsTo('c@elsewhere.example')
  const page = (thanks?.unsubscribe ?? '').replace(takingMail.externalUrl, scene.url)
  assert.match((await scene.anonymous.get(page)).body, /no more mails about this request/)
  assert.equal((await scene.anonymous.post(page)).status, 200)
  assert.equal((await scene.anonymous.get(page)).status, 404)
  await owner.post(`${project.url}/issues/1/notes`, { body: 'Hello?' })
  assert.equal((await mailsTo('c@elsewhere.example')).length, 1)
})

test('a desk that is closed says nothing, one whose discussion is locked says so, and floods end', async () => {
  const here = await desk()
  const { owner, project, address } = here
  await hand({ from: 'd@elsewhere.example', to: address })
  const [thanks] = await mailsTo('d@elsewhere.example')
  await owner.put(`${project.url}/issues/1`, { discussion_locked: true })
  await hand({ from: 'd@elsewhere.example', to: thanks?.replyTo ?? '', text: 'more' })
  assert.match((await mailsTo('d@elsewhere.example'))[1]?.text ?? '', /takes no more answers/)

  for (let i = 0; i < 12; i++) await hand({ from: 'flood@elsewhere.example', to: address })
  assert.equal((await mailsTo('flood@elsewhere.example')).length, 10)

  await owner.put(project.url, { service_desk_enabled: false })
  await hand({ from: 'e@elsewhere.example', to: address })
  assert.deepEqual(await mailsTo('e@elsewhere.example'), [])
  assert.equal((await issuesOf(here)).length, 11)
})

test('a project writes its mails in its own words, where a comment is no template', async () => {
  const here = await desk({ initialize_with_readme: true })
  const { project, owner, address } = here
  const actions = [
    ['thank_you', 'We **have** %{ISSUE_ID} (%{ ISSUE_PATH }), %{UNKNOWN}. Leave: %{UNSUBSCRIBE_URL}'],
    ['new_note', 'News of %{ISSUE_ID}:\n\n%{NOTE_TEXT}'],
  ].map(([name, content]) => ({ action: 'create', file_path: `.gitlab/service_desk_templates/${name}.md`, content }))
  assert.equal((await owner.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'Words', actions })).status, 201)
  await hand({ from: 'words@elsewhere.example', to: address, subject: 'A lamp', text: 'It is out.' })
  const [issue] = await issuesOf(here)

  await owner.post(`${project.url}/issues/${issue.iid}/notes`, { body: 'Say %{ISSUE_PATH} <b>again</b>' })

  const [thanks, comment] = await mailsTo('words@elsewhere.example')
  assert.match(thanks?.text ?? '', new RegExp(`We \\*\\*have\\*\\* #1 \\(${project.full_path}#1\\), %\\{UNKNOWN\\}\\. Leave: https://`))
  assert.match(thanks?.html ?? '', /We <strong>have<\/strong>/)
  assert.match(comment?.text ?? '', /News of #1:\n\nSay %\{ISSUE_PATH\} <b>again<\/b>/)
  assert.ok(thanks?.unsubscribe && thanks.text.includes(thanks.unsubscribe))
})

test('a template that places a long comment many times makes no mail without bounds', () => {
  const facts = { project: { full_path: 'team/lamp' }, iid: 1, unsubscribe: 'https://git.example.com/leave', note: 'x'.repeat(1_000_000) }

  const text = filled('%{NOTE_TEXT}'.repeat(50_000), facts, {})

  assert.ok(text.startsWith(facts.note))
  assert.equal(text.length, facts.note.length + 49_999 * '%{NOTE_TEXT}'.length)
})

test('templates place the messages of the instance where its mails have them', async () => {
  const { db } = scene.deps.database
  const saying = async (email_header_and_footer_enabled: boolean) => {
    await scene.root.put('/application/appearance', {
      header_message: 'Planned work',
      footer_message: 'Ask us',
      email_header_and_footer_enabled,
    })
    return filled(
      '%{SYSTEM_HEADER}|%{SYSTEM_FOOTER}',
      { project: { full_path: 'team/lamp' }, iid: 1, unsubscribe: '', note: '' },
      await instanceFacts(db),
    )
  }

  const [on, off] = [await saying(true), await saying(false)]

  assert.deepEqual([on, off], ['Planned work|Ask us', '|'])
})
