/** A notification is answered by mail, with real servers at both ends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { atEnd } from '../../../../test/at_end.ts'
import { eventually } from '../../../../test/eventually.ts'
import { openScene } from '../../../../test/scene.ts'
import { startMailServer } from '../../../platform/mail/scene.ts'
import { startTaskWorker } from '../../../server/tasks.ts'
import { mailSource, takingMail } from '../scene.ts'
import { startMailbox as startReading } from './mailbox.ts'
import { startMailbox } from './scene.ts'

const smtp = await startMailServer()
const mailbox = await startMailbox()
const settings = { ...takingMail, smtpUrl: `smtp://127.0.0.1:${smtp.port}`, imapUrl: mailbox.url }
const scene = await openScene({ settings, failuresExpected: true })
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
// Of another process: it waits until the first one is gone.
const second = startReading(scene.deps, { poll: 50 })
atEnd(async () => {
  await worker.stop()
  await second.stop()
})

/** The mail to this address that has these words. */
const mailWith = (address: string, words: RegExp) =>
  eventually(
    () => smtp.received.find(({ to, header, text }) => to.includes(address) && words.test(`${header('subject')}\n${text}`)),
    `a mail to ${address} with ${words}`,
  )

const isEmpty = () => eventually(() => mailbox.messages().length === 0, 'an empty mailbox')

test('a notification goes out by SMTP, and its answer comes in by IMAP', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'A lamp', assignee_ids: [developer.id] })
  const mail = await mailWith(developer.email, /A lamp/)
  const address = mail.header('reply-to') ?? ''
  assert.match(address, /^incoming\+r-0-[0-9a-z-]+@example\.com$/)

  mailbox.put(
    mailSource({ from: developer.email, to: address, text: 'By mail\n\n> quoted', headers: [`In-Reply-To: ${mail.header('message-id')}`] }),
  )

  const notes = () => owner.get(`${project.url}/issues/${issue.iid}/notes`)
  await eventually(async () => (await notes()).body.length > 0, 'the comment')
  assert.deepEqual(
    (await notes()).body.map((note: { body: string; author: { username: string } }) => [note.body, note.author.username]),
    [['By mail', developer.username]],
  )
  await isEmpty()
  // Its author gets no mail of it, but the owner does, and can answer in turn.
  assert.ok((await mailWith(owner.email, /By mail/)).header('reply-to'))
})

test('a mail that is not for this instance stays, marked as read, and one that is too large is answered', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  await owner.post(`${project.url}/issues`, { title: 'A lamp', assignee_ids: [developer.id] })
  const address = (await mailWith(developer.email, /A lamp/)).header('reply-to') ?? ''

  mailbox.put(mailSource({ from: 'someone@elsewhere.example', to: 'someone@example.com', text: 'not for you' }))
  mailbox.put(mailSource({ from: developer.email, to: address, text: `${'a'.repeat(70)}\n`.repeat(400_000) }))

  await mailWith(developer.email, /larger than the 25 MB/)
  const left = await eventually(() => {
    const messages = mailbox.messages()
    return messages.length === 1 && messages[0]?.flags.includes('\\Seen') && messages
  }, 'one mail, which is marked')
  assert.match(left[0]?.raw ?? '', /not for you/)
})

test('the mailbox is read again when its server comes back, and by another process when the first one is gone', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'A lamp', assignee_ids: [developer.id] })
  const address = (await mailWith(developer.email, /A lamp/)).header('reply-to') ?? ''
  const said = async () =>
    (await owner.get(`${project.url}/issues/${issue.iid}/notes`, { sort: 'asc' })).body.map(({ body }: { body: string }) => body)

  mailbox.interrupt()
  mailbox.put(mailSource({ from: developer.email, to: address, text: 'After the break' }))
  await eventually(async () => (await said()).length === 1, 'the comment after the break')

  await worker.stop()
  mailbox.put(mailSource({ from: developer.email, to: address, text: 'By the second' }))
  await eventually(async () => (await said()).length === 2, 'the comment of the second process')
  assert.deepEqual(await said(), ['After the break', 'By the second'])
})
