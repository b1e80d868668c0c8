/** What becomes of answers to notifications. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { contentOf } from '../../platform/mail/outbox.ts'
import { notificationScene } from '../notifications/scene.ts'
import { mailService, mailSource, multipart, takingMail } from './scene.ts'

const scene = await openScene({ settings: takingMail })
const { mails } = notificationScene(scene)
const { hand, send } = mailService(scene)
const { db } = scene.deps.database

/** The answers to mails that were written to an address, the last one first. */
async function answersTo(address: string) {
  const rows = await db
    .selectFrom('mails')
    .selectAll()
    .where('recipient', '=', address)
    .where('about', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return rows
    .filter(({ kind }) => kind.startsWith('mail_'))
    .map(row => ({ kind: row.kind, subject: row.subject, ...contentOf(row, scene.deps.secrets) }))
}

const notesOn = async (person: Person, url: string) =>
  (await person.get(`${url}/notes`, { sort: 'asc', activity_filter: 'only_comments' })).body as {
    body: string
    id: number
    author: { id: number }
  }[]

/** An issue of which this person got a mail, with the address that answers it. */
async function mailedIssue(project: SceneProject, author: Person, person: Person, more: object = {}) {
  await mails()
  const { body: issue } = await author.post(`${project.url}/issues`, { title: 'A lamp', assignee_ids: [person.id], ...more })
  const mail = (await mails()).find(({ recipient }) => recipient === person.email)
  assert.ok(mail?.replyTo, 'the mail has an address for answers')
  return { issue, url: `${project.url}/issues/${issue.iid}`, address: mail.replyTo, mail }
}

test('an answer to a mail is a comment of its recipient, without what it quotes and its signature', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { url, address, mail } = await mailedIssue(project, owner, developer)
  assert.match(address, /^incoming\+r-0-[0-9a-z-]+@example\.com$/)
  assert.ok((address.split('@')[0] as string).length <= 64)
  assert.match(mail.text, /\nAnswer this mail to comment\. You get this mail because the issue is assigned to you\.\n/)

  const status = await hand({
    from: `Dev <${developer.email.toUpperCase()}>`,
    to: address.toUpperCase(),
    text: `I will **change** it.\n\nTomorrow.\n\n-- \nDev\n\nOn Tue, Jun 1, 2021 at 12:00 PM Ingot <ingot@example.com> wrote:\n\n> owner opened issue\n> View it`,
  })

  assert.equal(status, 200)
  assert.deepEqual(
    (await notesOn(owner, url)).map(({ body, author }) => [body, author.id]),
    [['I will **change** it.\n\nTomorrow.', developer.id]],
  )
  assert.deepEqual(await answersTo(developer.email), [])
})

test('a mail is taken once, however often it is sent, also at the same time', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { url, address } = await mailedIssue(project, owner, developer)
  const source = mailSource({ from: developer.email, to: address, text: 'Once' })

  assert.deepEqual(await Promise.all([hand(source), hand(source), hand(source)]), [200, 200, 200])
  assert.equal(await hand(source), 200)

  assert.equal((await notesOn(owner, url)).length, 1)
})

test('the answer to a comment stands in its thread, and that to an internal one is internal', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { url } = await mailedIssue(project, owner, developer)
  const { body: first } = await owner.post(`${url}/notes`, { body: 'Between us', confidential: true })
  const mail = (await mails()).find(({ recipient }) => recipient === developer.email)

  await hand({ from: developer.email, to: mail?.replyTo ?? '', text: 'Yes' })

  const { body: threads } = await owner.get(`${url}/discussions`)
  const thread = threads.find(({ notes }: { notes: { id: number }[] }) => notes.some(({ id }) => id === first.id))
  assert.deepEqual(
    thread.notes.map(({ body, confidential }: { body: string; confidential: boolean }) => [body, confidential]),
    [
      ['Between us', true],
      ['Yes', true],
    ],
  )
})

test('quick actions work in answers', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { url, address } = await mailedIssue(project, owner, developer)

  await hand({ from: developer.email, to: address, text: 'Done.\n\n/close\n' })
  assert.equal((await owner.get(url)).body.state, 'closed')

  await hand({ from: developer.email, to: address, text: '/reopen' })
  assert.equal((await owner.get(url)).body.state, 'opened')
  assert.equal((await notesOn(owner, url)).length, 1)
})

test('files become uploads, and HTML alone becomes text', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { url, address } = await mailedIssue(project, owner, developer)
  const { headers, body } = multipart([
    'Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
      Buffer.from('<p>See the <b>log</b> &amp; <script>alert(1)</script>more</p><blockquote>old</blockquote>').toString('base64'),
    'Content-Type: text/plain\r\nContent-Disposition: attachment; filename="../../a log.txt"\r\n\r\nlines',
  ])

  await hand({ from: developer.email, to: address, headers, body })

  const [note] = await notesOn(owner, url)
  assert.match(note?.body ?? '', /^See the log & more\n\n\[.*a_log\.txt\]\((\/uploads\/[0-9a-f]{32}\/.*a_log\.txt)\)$/)
  const path = /\((\/uploads\/[^)]+)\)/.exec(note?.body ?? '')?.[1]
  assert.equal((await owner.get(`${scene.url}/${project.full_path}${path}`)).bytes.toString(), 'lines\n')
})

test('nobody answers in the name of another, from an address that is not confirmed, or with a key that was changed', async () => {
  const { project, owner, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const { url, address } = await mailedIssue(project, owner, developer)

  await hand({ from: reporter.email, to: address, text: 'forged' })
  assert.match((await answersTo(reporter.email))[0]?.text ?? '', /takes mails of another person/)

  await developer.post('/user/emails', { email: `second-${developer.email}` })
  await hand({ from: `second-${developer.email}`, to: address, text: 'unconfirmed' })
  assert.match((await answersTo(`second-${developer.email}`))[0]?.text ?? '', /not confirmed/)

  const [local, domain] = address.split('@') as [string, string]
  const last = local.at(-1) === '0' ? '1' : '0'
  for (const changed of [
    `${local.slice(0, -1)}${last}@${domain}`,
    address.replace('r-0', 'r-1'),
    'incoming+@example.com',
    'incoming@example.com',
  ])
    assert.equal(await hand({ from: developer.email, to: changed, text: 'wrong key' }), 200)
  assert.deepEqual(await answersTo(developer.email), [])

  assert.deepEqual(await notesOn(owner, url), [])
})

test('who may not write any more gets to know why', async () => {
  const { project, owner, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const { issue, url, address } = await mailedIssue(project, owner, developer)
  const why = async (text: string) => {
    assert.equal(await hand({ from: developer.email, to: address, text }), 200)
    const [answer] = await answersTo(developer.email)
    return answer?.text.split('\n').slice(2, 3).join() ?? ''
  }

  const { project: other } = await scene.project()
  assert.equal((await owner.get(other.url)).status, 404)
  await scene.root.put(`/users/${developer.id}`, {})
  await scene.root.post(`/users/${developer.id}/block`)
  assert.match(await why('1'), /Your account is blocked/)
  await scene.root.post(`/users/${developer.id}/unblock`)

  await owner.delete(`${project.url}/members/${developer.id}`)
  await owner.put(url, { assignee_ids: [reporter.id] })
  assert.match(await why('2'), /gone, or you have no access/)

  await owner.put(project.url, { visibility: 'public' })
  await owner.put(url, { discussion_locked: true })
  assert.match(await why('3'), /is locked/)
  await owner.put(url, { discussion_locked: false })

  const { project: elsewhere } = await scene.project()
  await scene.root.post(`${project.url}/issues/${issue.iid}/move`, { to_project_id: elsewhere.id })
  assert.match(await why('4'), /was moved/)

  assert.match((await answersTo(developer.email))[0]?.inReplyTo ?? '', /^<mail-\d+@mail\.example\.com>$/)
  assert.deepEqual(await notesOn(owner, url), [])
})

test('an answer without text is refused, and an answer to a comment that is gone too', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { url, address } = await mailedIssue(project, owner, developer)
  await hand({ from: developer.email, to: address, text: '\n> quoted alone\n' })
  assert.match((await answersTo(developer.email))[0]?.text ?? '', /no text besides what it quotes/)

  const { body: note } = await owner.post(`${url}/notes`, { body: 'Oops' })
  const mail = (await mails()).find(({ recipient }) => recipient === developer.email)
  await owner.delete(`${url}/notes/${note.id}`)
  await hand({ from: developer.email, to: mail?.replyTo ?? '', text: 'What?' })
  assert.match((await answersTo(developer.email))[0]?.text ?? '', /was deleted/)
})

test('what programs send is neither taken nor answered', async () => {
  const { project, owner, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const { issue, url, address } = await mailedIssue(project, owner, developer)
  const signs = [
    ['Auto-Submitted: auto-replied'],
    ['Precedence: bulk'],
    ['X-Loop: somewhere'],
    ['X-Autoreply: yes'],
    ['Return-Path: <>'],
    ['Content-Type: multipart/report; report-type=delivery-status; boundary=x'],
  ]
  for (const headers of signs) assert.equal(await hand({ from: reporter.email, to: address, headers, text: 'I am on holiday' }), 200)
  await hand({ from: 'MAILER-DAEMON@mail.example.com', to: address })
  await hand({ from: developer.email, to: address, messageId: `<issue_${issue.id}@git.example.com>` })
  await hand({ from: `${developer.email}, ${reporter.email}`, to: address })
  await hand({ from: developer.email, to: address, headers: [`From: ${reporter.email}`] })

  assert.deepEqual([await answersTo(reporter.email), await answersTo(developer.email), await notesOn(owner, url)], [[], [], []])
})

test('an address gets a few answers in an hour, and no more', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { address } = await mailedIssue(project, owner, developer)
  for (let i = 0; i < 12; i++) await hand({ from: 'victim@elsewhere.example', to: address, text: `forged ${i}` })
  assert.equal((await answersTo('victim@elsewhere.example')).length, 10)
})

test('what a mail says of itself ends no header and no paragraph of others', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { url, address } = await mailedIssue(project, owner, developer)
  await hand({
    from: 'x@elsewhere2.example',
    to: address,
    subject: '=?utf-8?Q?Hi=0D=0ABcc:_all@example.com?=',
    messageId: '<a b\u202e@x>',
  })
  const [answer] = await answersTo('x@elsewhere2.example')
  assert.match(answer?.subject ?? '', /^Not taken: Hi\s+Bcc: all@example\.com$/)
  assert.doesNotMatch(`${answer?.subject}${answer?.inReplyTo}`, /[\r\n\u202e]/)
  assert.deepEqual(await notesOn(owner, url), [])
})

test('charsets that lie, and texts that are none, do no harm', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { url, address } = await mailedIssue(project, owner, developer)
  const bodies: [string, string][] = [
    ['text/plain; charset=utf-16', 'plain in truth'],
    ['text/plain; charset=no-such-thing', 'some words'],
    ['text/plain; charset=utf-8', 'nul \0 and \udcff'],
    ['text/plain; charset=utf-7', '+ADw-script+AD4-'],
  ]
  for (const [type, body] of bodies)
    assert.equal(await hand({ from: developer.email, to: address, headers: [`Content-Type: ${type}`], body }), 200)
  const notes = await notesOn(owner, url)
  assert.equal(notes.length, bodies.length)
  assert.ok(notes.every(({ body }) => !body.includes('\0') && body.isWellFormed()))
})

test('parts within parts, and parts without number, are given up or cut', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { url, address } = await mailedIssue(project, owner, developer)
  let nested = 'Content-Type: text/plain\r\n\r\ndeep'
  for (let i = 0; i < 2000; i++) nested = `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n${nested}\r\n--b${i}--`
  const [type = '', ...rest] = nested.split('\r\n')
  assert.equal(await hand({ from: developer.email, to: address, headers: [type], body: rest.join('\r\n') }), 200)

  const files = Array.from({ length: 3000 }, (_, i) => `Content-Disposition: attachment; filename="${i}.txt"\r\n\r\n${i}`)
  const many = multipart(['Content-Type: text/plain\r\n\r\nmany', ...files])
  assert.equal(await hand({ from: developer.email, to: address, ...many }), 200)

  const notes = await notesOn(owner, url)
  assert.deepEqual(
    notes.map(({ body }) => body.split('\n')[0]),
    ['many'],
  )
  assert.equal(notes[0]?.body.match(/\/uploads\//g)?.length, 20)
  const [answer] = await answersTo(developer.email)
  assert.equal(answer?.kind, 'mail_taken_in_part')
  assert.match(answer?.text ?? '', /left out: 2980 more/)
})

test('a mail of 50 MB is refused while it comes, and memory does not grow with it', async () => {
  const before = process.memoryUsage().rss
  const chunk = new Uint8Array(1024 * 1024).fill(97)
  const refused = async (prefix: string, type: string) => {
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(sent === 0 ? new TextEncoder().encode(prefix) : chunk)
        if (++sent > 50) controller.close()
      },
    })
    const answer = await fetch(`${scene.url}/-/incoming_mail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${takingMail.incomingMailToken}`, 'content-type': type },
      body,
      duplex: 'half',
    } as RequestInit)
    await answer.arrayBuffer()
    return answer.status
  }
  assert.equal(await refused('From: a@b.example\r\n\r\n', 'message/rfc822'), 413)
  assert.equal(
    await refused(
      '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\nFrom: a@b.example\r\n\r\n',
      'multipart/form-data; boundary=x',
    ),
    413,
  )
  assert.ok(process.memoryUsage().rss - before < 400 * 1024 * 1024)
})

test('a mail service that goes away in the midst of a mail ends nothing', async () => {
  // What would end the process; the runner of tests only notes it.
  const uncaught: unknown[] = []
  const note = (error: unknown) => uncaught.push(error)
  process.on('uncaughtExceptionMonitor', note)
  const { hostname, port } = new URL(scene.url)
  for (const type of ['message/rfc822', 'multipart/form-data; boundary=b', 'application/x-www-form-urlencoded'])
    for (let gone = 0; gone < 10; gone++) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      await once(socket, 'connect')
      const head = `POST /-/incoming_mail HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${takingMail.incomingMailToken}`
      const begun = `${head}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nFrom: a@b\r\n`
      await new Promise(resolve => socket.write(begun, resolve))
      socket.destroy()
    }

  assert.equal(await hand({ from: 'a@b.example', to: 'list@elsewhere.example', text: 'x' }), 200)
  process.off('uncaughtExceptionMonitor', note)
  assert.deepEqual(uncaught, [])
})

test('mail services hand mails in by forms, and prove themselves by the token', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { url, address } = await mailedIssue(project, owner, developer)
  const source = (text: string) => mailSource({ from: developer.email, to: 'list@elsewhere.example', text })
  const status = async (...given: Parameters<typeof send>) => {
    const answer = await send(...given)
    await answer.arrayBuffer()
    return answer.status
  }

  const raw = new FormData()
  raw.set('envelope', JSON.stringify({ to: [address], from: developer.email }))
  raw.set('subject', 'Re: A lamp')
  raw.set('email', source('by a form'))
  assert.equal(await status(raw), 200)
  assert.equal(await status(new URLSearchParams({ 'body-mime': source('by a short form'), recipient: address })), 200)
  assert.equal(
    await status(mailSource({ from: developer.email, to: 'a@b.example', text: 'by the body', headers: [`X-Original-To: ${address}`] }), {
      'content-type': 'message/rfc822',
      authorization: `Basic ${Buffer.from(`ingot:${takingMail.incomingMailToken}`).toString('base64')}`,
    }),
    200,
  )
  const notes = await notesOn(owner, url)
  assert.deepEqual(
    notes.map(({ body }) => body),
    ['by a form', 'by a short form', 'by the body'],
  )

  const none = new FormData()
  none.set('subject', 'no mail')
  assert.equal(await status(none), 400)
  assert.equal(await status('{}', { 'content-type': 'application/json' }), 415)
  assert.equal(await status('--x', { 'content-type': 'multipart/form-data; boundary=x' }), 400)
  for (const authorization of ['', 'Bearer wrong', `Bearer ${scene.root.token}`, 'Basic !!', 'Basic YTpi'])
    assert.equal(await status(source('x'), { 'content-type': 'message/rfc822', authorization }), 401)
})
