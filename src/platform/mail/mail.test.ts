import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { atEnd } from '../../../test/at_end.ts'
import { eventually } from '../../../test/eventually.ts'
import { openScene } from '../../../test/scene.ts'
import { startTaskWorker } from '../../server/tasks.ts'
import { canReceive } from './addresses.ts'
import { type MailText, MOST_KEPT, type NewMail, writeMail } from './outbox.ts'
import { startMailServer } from './scene.ts'
import { sendMail, sweepMails } from './send.ts'

const server = await startMailServer({ user: 'ingot', password: 'a b:c' })
const settings = {
  smtpUrl: `smtp://ingot:a%20b%3Ac@127.0.0.1:${server.port}`,
  externalUrl: 'https://git.example.com',
  mailFrom: 'Forge, of Acme <forge@example.com>',
}
const scene = await openScene({ settings, failuresExpected: true })
const silent = await openScene()
const worker = await startTaskWorker(scene.deps, { concurrency: 2 })
atEnd(() => worker.stop())
const { db } = scene.deps.database

const text: MailText = {
  subject: 'A lamp is lit',
  parts: [
    'Someone lit <the> lamp.',
    { action: 'See it', url: 'https://git.example.com/lamp?a=1&b=2' },
    { facts: { By: 'Bo', Where: undefined } },
  ],
  reason: 'You get this mail because you asked for light.',
}

const mail = (address: string, more: Partial<NewMail> = {}): NewMail => ({
  kind: 'greeting',
  to: { address, name: 'Ida' },
  says: () => text,
  ...more,
})
const write = (address: string, more?: Partial<NewMail>) => scene.run(undefined, ctx => writeMail(ctx, mail(address, more)))

interface QueuedMail {
  readonly id: number
  readonly attempts: number
  readonly max_attempts: number
  readonly last_error: string
}

/** The job of the mail to this address, once it failed. */
const failed = (address: string) =>
  eventually(async () => {
    const { rows } = await sql<QueuedMail>`
      select jobs.id::int as id, attempts::int as attempts, max_attempts::int as max_attempts, last_error from graphile_worker._private_jobs jobs
        join mails on mails.id = (payload ->> 'mail_id')::bigint
       where recipient = ${address} and last_error is not null and locked_at is null`.execute(db)
    return rows[0]
  }, `a failed mail to ${address}`)

/** Lets a job run whose pause has not ended. */
const hurry = ({ id }: QueuedMail) => sql`select from graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => now())`.execute(db)

const waiting = async (address: string) =>
  Number(
    (
      await db
        .selectFrom('mails')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('recipient', '=', address)
        .executeTakeFirstOrThrow()
    ).count,
  )

/** Waits until the queue has deleted what it sent. */
const sent = (address: string) => eventually(async () => (await waiting(address)) === 0, `no mail to ${address} that waits`)

test('a mail is sent with text and HTML that say the same, and is deleted then', async () => {
  await write('ida@example.com')

  const got = await server.mailTo('ida@example.com')
  assert.equal(got.from, 'forge@example.com')
  assert.equal(got.user, 'ingot')
  assert.equal(got.header('from'), '"Forge, of Acme" <forge@example.com>')
  assert.equal(got.header('to'), 'Ida <ida@example.com>')
  assert.equal(got.header('subject'), 'A lamp is lit')
  assert.match(got.header('message-id') ?? '', /^<[0-9a-f-]{36}@git\.example\.com>$/)
  assert.equal(got.header('auto-submitted'), 'auto-generated')
  for (const absent of ['in-reply-to', 'references', 'list-unsubscribe']) assert.equal(got.header(absent), undefined, absent)
  assert.equal(
    got.text,
    `Hello Ida,

Someone lit <the> lamp.

See it:
https://git.example.com/lamp?a=1&b=2

By: Bo

-- 
You get this mail because you asked for light.
https://git.example.com
`,
  )
  assert.match(got.html, /<p>Someone lit &lt;the&gt; lamp\.<\/p>/)
  assert.match(got.html, /<a href="https:\/\/git\.example\.com\/lamp\?a=1&amp;b=2">See it<\/a>/)
  assert.match(got.html, /<dt>By<\/dt><dd><bdi>Bo<\/bdi><\/dd><\/dl>/)
  assert.doesNotMatch(got.html, /style="|<script/)
  await sent('ida@example.com')
})

test('mails of a thread answer its first one, and a notification says how it is ended', async () => {
  await write('thread@example.com', { thread: { key: 'issue_12', isStart: true } })
  const first = await server.mailTo('thread@example.com')
  await write('thread@example.com', {
    thread: { key: 'issue_12', isStart: false },
    unsubscribe: 'https://git.example.com/-/sent_notifications/abc/unsubscribe',
  })
  const second = await server.mailTo('thread@example.com')

  assert.equal(first.header('message-id'), '<issue_12@git.example.com>')
  assert.equal(first.header('in-reply-to'), undefined)
  assert.notEqual(second.header('message-id'), first.header('message-id'))
  assert.equal(second.header('in-reply-to'), '<issue_12@git.example.com>')
  assert.equal(second.header('references'), '<issue_12@git.example.com>')
  assert.equal(second.header('list-unsubscribe'), '<https://git.example.com/-/sent_notifications/abc/unsubscribe>')
})

test('a mail is sent if and only if its transaction is committed', async () => {
  const abandoned = scene.run(undefined, async ctx => {
    await writeMail(ctx, mail('rolled.back@example.com'))
    throw new Error('changed my mind')
  })
  await assert.rejects(abandoned, /changed my mind/)
  await write('committed@example.com')

  await server.mailTo('committed@example.com')
  assert.ok(!server.received.some(({ to }) => to.includes('rolled.back@example.com')))
})

test('names with line ends, commas and turned directions stay names, and add no header and no recipient', async () => {
  const name = 'Ida\r\nBcc: all@example.com\r\n\r\nHello, "<x@example.com>"\u202egpj.\u2028'
  await write('hostile@example.com', {
    to: { address: 'hostile@example.com', name },
    says: () => ({ ...text, subject: `Lamp\r\nReply-To: evil@example.com of ${name}`, parts: [{ facts: { Name: name } }] }),
  })

  const got = await server.mailTo('hostile@example.com')
  assert.deepEqual(got.to, ['hostile@example.com'])
  const names = got.headers.map(([header]) => header.toLowerCase())
  assert.deepEqual(
    names.filter(header => ['bcc', 'reply-to', 'cc'].includes(header)),
    [],
  )
  assert.equal(new Set(names).size, names.length, 'each header once')
  assert.match(got.header('to') ?? '', / <hostile@example\.com>$/)
  assert.match(got.text, /^Name: Ida Bcc: all@example\.com Hello, "<x@example\.com>" gpj\.$/m)
})

test('no mail goes to an address that could be read as another one, or as several', async () => {
  for (const address of ['a@example.com', 'a.b+c@sub.example.com', 'ü@bücher.example', "o'neil@example.com"])
    assert.ok(canReceive(address), address)
  const wrong = [
    'a,b@example.com',
    'a;b@example.com',
    'a:b@example.com',
    '"a b"@example.com',
    'a@b@example.com',
    'a\\@example.com',
    'a@',
    '@b',
    'a@b,c',
    'a@[127.0.0.1]',
    'a\n@b',
    '.a@b',
    `${'a'.repeat(251)}@b.c`,
  ]
  for (const address of wrong) {
    assert.ok(!canReceive(address), address)
    await write(address)
    assert.equal(await waiting(address), 0, address)
  }
})

test('a server that defers gets the mail later, once and with the same id', async () => {
  server.react('defer')
  await write('later@example.com')

  const job = await failed('later@example.com')
  assert.ok(job.attempts < job.max_attempts)
  assert.match(job.last_error, /the mail server did not take the mail: .*come back later/)
  await hurry(job)
  await server.mailTo('later@example.com')
  await sent('later@example.com')
  assert.equal(server.received.filter(({ to }) => to.includes('later@example.com')).length, 1)
})

test('a server that dies before it says that it took the mail gets the same mail again', async () => {
  server.react('die')
  await write('died@example.com')

  const first = await server.mailTo('died@example.com')
  await hurry(await failed('died@example.com'))
  const second = await server.mailTo('died@example.com')
  assert.equal(second.header('message-id'), first.header('message-id'))
  await sent('died@example.com')
})

test('a mail that is refused for good is given up, and an administrator sees why and tries it again', async () => {
  server.react('refuse')
  await write('refused@example.com')

  const job = await failed('refused@example.com')
  assert.equal(job.attempts, job.max_attempts)
  assert.match(job.last_error, /no such mailbox/)
  assert.doesNotMatch(job.last_error, /a b:c|lit/)
  await hurry(job)
  assert.equal(await waiting('refused@example.com'), 1)

  await sql`select from graphile_worker.reschedule_jobs(array[${job.id}]::bigint[], run_at => now(), attempts => 0)`.execute(db)
  await server.mailTo('refused@example.com')
})

test('a mail that says nothing any more is not sent, and one that nobody sends is forgotten', async () => {
  await write('expired@example.com', { expiresAt: new Date(Date.now() - 1) })
  await sent('expired@example.com')
  assert.ok(!server.received.some(({ to }) => to.includes('expired@example.com')))

  const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000)
  await db
    .insertInto('mails')
    .values({ kind: 'greeting', recipient: 'old@example.com', subject: 'Old', content: '', created_at: old })
    .execute()
  await sweepMails(scene.deps)
  assert.equal(await waiting('old@example.com'), 0)
})

test('without a mail server the last mails are kept, encrypted, and none is sent', async () => {
  const own = silent.deps.database.db
  await silent.run(undefined, async ctx => {
    for (let n = 0; n <= MOST_KEPT; n++) await writeMail(ctx, mail(`kept${n}@example.com`))
  })

  const rows = await own.selectFrom('mails').selectAll().orderBy('id').execute()
  assert.equal(rows.length, MOST_KEPT)
  assert.equal(rows[0]?.recipient, 'kept1@example.com')
  assert.ok(rows.every(row => row.kept))
  // Four letters may stand in what is encrypted by chance.
  assert.ok(rows.every(({ content }) => !content.includes('lamp is lit')))
})

test('a mail that was written while there was a server is kept where there is none any more', async () => {
  const own = silent.deps.database.db
  const content = scene.deps.secrets.encrypt('{}', 'mails.content')
  const { id } = await own
    .insertInto('mails')
    .values({ kind: 'greeting', recipient: 'kept@example.com', subject: 'Kept', content })
    .returning('id')
    .executeTakeFirstOrThrow()

  await sendMail(silent.deps, { mail_id: id })

  const row = await own.selectFrom('mails').select('kept').where('id', '=', id).executeTakeFirst()
  assert.equal(row?.kept, true)
})

test('mails end with the text of the instance, and have no HTML where it wants none', async () => {
  const set = (settings: object) => scene.root.put('/application/settings', settings)
  await set({ email_additional_text: 'Lamps & Co', html_emails_enabled: true })
  await write('both@example.com')
  await set({ html_emails_enabled: false })
  await write('text@example.com')
  await set({ email_additional_text: '', html_emails_enabled: true })

  const [both, alone] = [await server.mailTo('both@example.com'), await server.mailTo('text@example.com')]

  for (const { text } of [both, alone]) assert.match(text, /asked for light\.\nLamps & Co\nhttps:/)
  assert.match(both.html, /asked for light\.<br>Lamps &amp; Co<br>/)
  assert.equal(alone.html, '')
  await Promise.all(['both', 'text'].map(name => sent(`${name}@example.com`)))
})

test('mails have the messages of the instance above and below, where it wants that', async () => {
  const set = (appearance: object) => scene.root.put('/application/appearance', appearance)
  await set({ header_message: 'For <tests>', footer_message: 'Lamps Ltd', email_header_and_footer_enabled: true })
  await write('framed@example.com')
  await set({ header_message: '', footer_message: '', email_header_and_footer_enabled: false })

  const { text, html } = await server.mailTo('framed@example.com')

  assert.ok(text.startsWith('For <tests>\n\nHello'), text)
  assert.match(text, /\nLamps Ltd\s*$/)
  assert.match(html, /<main><p>For &lt;tests&gt;<\/p>/)
  assert.match(html, /<br>Lamps Ltd<\/p><\/footer>/)
  await sent('framed@example.com')
})
