/** Notifications that their recipients get together. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene, type Person } from '../../../test/scene.ts'
import { dueBefore, queueDigests, sendDigest } from '../../platform/mail/digests.ts'
import { startMailServer } from '../../platform/mail/scene.ts'
import { mailService, takingMail } from '../incoming_mail/scene.ts'
import { notificationScene } from './scene.ts'

const server = await startMailServer()
const scene = await openScene({ settings: { smtpUrl: `smtp://127.0.0.1:${server.port}`, externalUrl: 'https://git.example.com' } })
const { deliver } = notificationScene(scene)
const { db } = scene.deps.database

const gatheredOf = (person: Person) =>
  db
    .selectFrom('mails')
    .select(['id', 'subject', 'gathered'])
    .where('user_id', '=', person.id)
    .where('gathered', 'is not', null)
    .orderBy('id')
    .execute()

/** An instance that takes answers. */
const taking = await openScene({ settings: { ...takingMail, smtpUrl: `smtp://127.0.0.1:${server.port}` } })

/** How many jobs would send a mail of this person by itself. */
async function jobsFor(person: Person): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from graphile_worker._private_jobs j join mails m on m.id = (j.payload ->> 'mail_id')::bigint
     where m.user_id = ${person.id}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The digest that is queued for a person at this time. */
async function queuedFor(person: Person, at: Date) {
  await queueDigests({ ...scene.deps, now: () => at })
  const { rows } = await sql<{ payload: { user_id: number; last_id: number } }>`
    select payload from graphile_worker._private_jobs where key = ${`send_digest ${person.id}`}`.execute(db)
  return rows[0]?.payload
}

const inHours = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000)

/** A project with a developer who has their mails gathered, and two issues for them. */
async function gathering(mail_digest: string) {
  const made = await scene.project({ members: ['developer'] })
  const { project, owner, developer } = made
  // The mail about the membership.
  await deliver()
  const before = await jobsFor(developer)
  assert.equal((await developer.put('/user/preferences', { mail_digest })).status, 200)
  for (const title of ['First lamp', 'Second lamp'])
    await owner.post(`${project.url}/issues`, { title, description: `About the ${title}`, assignee_ids: [developer.id] })
  await deliver()
  return { ...made, jobs: (await jobsFor(developer)) - before }
}

test('what is gathered waits, and comes in one mail in the order in which it happened', async () => {
  const { developer, jobs } = await gathering('hourly')
  const waiting = await gatheredOf(developer)
  assert.deepEqual(
    waiting.map(({ gathered }) => gathered),
    ['hourly', 'hourly'],
  )
  assert.equal(jobs, 0)
  assert.equal(await queuedFor(developer, new Date(dueBefore('hourly', new Date()))), undefined)

  const payload = await queuedFor(developer, inHours(1))
  assert.ok(payload)
  await sendDigest(scene.deps, payload)

  const mail = await server.mailTo(developer.email)
  assert.equal(mail.header('subject'), '2 notifications')
  const [first, second] = ['About the First lamp', 'About the Second lamp'].map(text => mail.text.indexOf(text)) as [number, number]
  assert.ok(first > 0 && second > first, mail.text)
  assert.match(mail.html, /<h2>[^<]*First lamp.*<h2>[^<]*Second lamp/s)
  assert.equal(mail.text.match(/Unsubscribe from this issue: https:/g)?.length, 2)
  assert.deepEqual(mail.text.match(/Choose your notifications: .*/g), [
    'Choose your notifications: https://git.example.com/-/profile/notifications',
  ])
  assert.match(mail.header('message-id') ?? '', /^<digest_\d+_\d+@git\.example\.com>$/)
  assert.deepEqual(await gatheredOf(developer), [])
})

test('a server that is away loses nothing, and what one may not read any more is left out', async () => {
  const { project, owner, developer } = await gathering('daily')
  const hidden = await scene.project({ members: ['developer'], visibility: 'private' })
  await hidden.owner.post(`${hidden.project.url}/members`, { user_id: developer.id, access_level: 30 })
  await hidden.owner.post(`${hidden.project.url}/issues`, { title: 'Hidden lamp', assignee_ids: [developer.id] })
  await owner.put(`${project.url}/issues/1`, { title: 'First lamp, renamed' })
  await deliver()
  await hidden.owner.delete(`${hidden.project.url}/members/${developer.id}`)
  const payload = await queuedFor(developer, inHours(24))
  assert.ok(payload)
  const before = await gatheredOf(developer)

  server.react('defer')
  await assert.rejects(sendDigest(scene.deps, payload), /come back later/)
  assert.deepEqual(await gatheredOf(developer), before)
  await sendDigest(scene.deps, payload)

  const { text } = await server.mailTo(developer.email)
  assert.match(text, /About the Second lamp/)
  assert.ok(!text.includes('Hidden lamp'))
  assert.deepEqual(await gatheredOf(developer), [])
  await sendDigest(scene.deps, payload)
  assert.equal(server.received.filter(({ to }) => to.includes(developer.email)).length, 1)
})

test('an address that is refused for good is given up', async () => {
  const { developer } = await gathering('hourly')
  const payload = await queuedFor(developer, inHours(1))
  assert.ok(payload)
  server.react('refuse')
  await assert.rejects(sendDigest(scene.deps, payload), /no such mailbox/)
  assert.deepEqual(await gatheredOf(developer), [])
})

test('who does not want it gets each mail by itself', async () => {
  const { developer, jobs } = await gathering('off')
  assert.deepEqual(await gatheredOf(developer), [])
  assert.equal(jobs, 2)
  assert.equal((await developer.put('/user/preferences', { mail_digest: 'weekly' })).status, 400)
})

test('an hour ends with the clock, and a day at six', () => {
  const at = (time: string) => new Date(`2026-03-04T${time}Z`)
  assert.deepEqual(dueBefore('hourly', at('12:34:56')), at('12:00:00'))
  assert.deepEqual(dueBefore('daily', at('06:00:00')), at('06:00:00'))
  assert.deepEqual(dueBefore('daily', at('05:59:59')), new Date('2026-03-03T06:00:00Z'))
})

test('a digest of one thing takes an answer; of several each has an address of its own, and the mail says that it takes none', async () => {
  const { deliver: write } = notificationScene(taking)
  const { hand } = mailService(taking)
  const { project, owner, developer } = await taking.project({ members: ['developer'] })
  await write()
  await developer.put('/user/preferences', { mail_digest: 'hourly' })
  const digest = async (...titles: readonly string[]) => {
    for (const title of titles) await owner.post(`${project.url}/issues`, { title, assignee_ids: [developer.id] })
    await write()
    const { last_id } = await taking.deps.database.db
      .selectFrom('mails')
      .select(eb => eb.fn.max('id').as('last_id'))
      .where('user_id', '=', developer.id)
      .executeTakeFirstOrThrow()
    await sendDigest(taking.deps, { user_id: developer.id, last_id })
    return server.mailTo(developer.email)
  }
  const said = async (iid: number) => {
    const { body } = await owner.get(`${project.url}/issues/${iid}/notes`, { activity_filter: 'only_comments' })
    return body.map((note: { body: string }) => note.body)
  }

  const alone = await digest('First lamp')
  await hand({ from: developer.email, to: alone.header('reply-to') ?? '', text: 'About the first' })
  const several = await digest('Second lamp', 'Third lamp')
  const [second, third] = [...several.text.matchAll(/Answer by mail to: (\S+)/g)].map(([, address]) => address)
  await hand({ from: developer.email, to: third ?? '', text: 'About the third' })

  assert.doesNotMatch(alone.text, /reaches nobody|Answer by mail/)
  assert.deepEqual([several.header('reply-to'), second !== third], [undefined, true])
  assert.match(several.text, /An answer to this mail reaches nobody/)
  assert.match(several.html, /<a href="mailto:incoming\+r-[^"]*\?subject=Re%3A%20[^"]*Third%20lamp[^"]*">incoming\+r-/)
  assert.deepEqual([await said(1), await said(2), await said(3)], [['About the first'], [], ['About the third']])
})
