/**
 * Mails as their readers get them, in each language: sent to a real mail server and compared with `test/golden/mails`, one file for each language,
 * which is meant to be read. Write them again with `INGOT_UPDATE_GOLDEN=all` in the environment of this file.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as confirmations from '../../src/identity/account_mails/confirmation_texts.ts'
import * as accounts from '../../src/identity/account_mails/texts.ts'
import { answerMail } from '../../src/integrations/incoming_mail/answers.ts'
import { MailRefused } from '../../src/integrations/incoming_mail/refused.ts'
import { mailDueIssues } from '../../src/integrations/notifications/due.ts'
import { notificationScene } from '../../src/integrations/notifications/scene.ts'
import { type Language, languages } from '../../src/platform/access/preferences.ts'
import { newLongToken } from '../../src/platform/kernel/secrets.ts'
import { sendDigest } from '../../src/platform/mail/digests.ts'
import { type NewMail, writeMail } from '../../src/platform/mail/outbox.ts'
import { type Received, startMailServer } from '../../src/platform/mail/scene.ts'
import { sendMail } from '../../src/platform/mail/send.ts'
import { nouns, type ValuesOf } from '../../src/platform/mail/words/catalogue.ts'
import { en } from '../../src/platform/mail/words/en.ts'
import { wordsFor } from '../../src/platform/mail/words/words.ts'
import { mailInvitation } from '../../src/spaces/invitations/mail.ts'
import { assertGolden } from '../golden.ts'
import { openScene, type Person } from '../scene.ts'

const server = await startMailServer()
const scene = await openScene({ settings: { smtpUrl: `smtp://127.0.0.1:${server.port}`, externalUrl: 'https://git.example.com' } })
const { deliver } = notificationScene(scene)
const { db } = scene.deps.database

/** A person who reads mails in this language, where it is two hours later than in UTC. */
async function reader(language: Language): Promise<Person> {
  const person = await scene.user({ username: `reader-${language}`, name: `Reader {name} <${language}>` })
  const answer = await person.put('/user/preferences', { preferred_language: language, timezone: 'Etc/GMT-2' })
  assert.equal(answer.status, 200)
  return person
}

/** Sends the mails that wait to a person, each by itself, and answers them as the mail server got them. */
async function take(address: string): Promise<readonly Received[]> {
  const rows = await db
    .selectFrom('mails')
    .select('id')
    .where('recipient', '=', address)
    .where('gathered', 'is', null)
    .orderBy('id')
    .execute()
  const before = server.received.length
  for (const { id } of rows) await sendMail(scene.deps, { mail_id: id })
  return server.received.slice(before).filter(({ to }) => to.some(other => other.toLowerCase() === address.toLowerCase()))
}

const day = '2026-03-14'
const at = new Date(`${day}T22:05:00Z`)
const link = 'https://git.example.com/link'
const username = 'ada'
/** A place with a name that a file of the operator could have. */
const from = { ip: '192.0.2.1', place: { city: { en: 'Bolton <b>' }, country: 'GB' } }

/** Every mail about an account. */
const aboutAccounts: readonly Omit<NewMail, 'to'>[] = [
  accounts.passwordReset({ username, link, hours: 2, expiresAt: new Date('2100-01-01'), from }),
  accounts.firstPassword({ username, link, days: 1, expiresAt: new Date('2100-01-01') }),
  accounts.passwordChanged(username, []),
  accounts.passwordChanged(username, [{ name: 'Phone <b>', created_at: `${day}T00:00:00Z` }]),
  accounts.emailAdded({ username, email: 'other@example.com', from }),
  accounts.newSignIn({ username, from, userAgent: 'Lynx', at }),
  accounts.signInsPaused({ username, from, minutes: 10, of: 'passwords', link }),
  accounts.signInsPaused({ username, from, minutes: 1, of: 'codes', link: undefined }),
  ...(['on', 'off', 'off_by_administrator', 'codes_made'] as const).map(change => accounts.secondFactorChanged(username, change)),
  ...[{ codesLeft: 0 }, { codesLeft: 1 }, { codesLeft: 7 }, { added: 'Phone' }, { removed: 'Phone' }].map(change =>
    accounts.secondFactorChanged(username, change),
  ),
  accounts.expiring({ what: 'tokens', ends: [{ name: 'Robot', day }], link }),
  accounts.expiring({ what: 'keys', ends: [{ name: 'Laptop', day }], link }),
  accounts.emailChanged(username, 'other@example.com'),
  accounts.identityLinked({ username, provider: 'Example', from }),
  accounts.accountApproved(username, link),
  accounts.keyAdded({ title: 'Laptop', fingerprint: 'SHA256:abc', link }),
  accounts.tokenAdded({ name: 'Robot', scopes: ['api', 'read_user'], link }),
  accounts.accountExported({ link, hours: 24 }),
  accounts.accountRefused(),
  accounts.approvalAsked({ username, name: 'Ada', email: 'ada@example.com', link }),
  ...(['first', 'primary', 'additional'] as const).map(as =>
    confirmations.confirmAddress({ username, as, link, days: 3, expiresAt: new Date('2100-01-01') }),
  ),
  confirmations.addressInUse({ as: 'first', link }),
  confirmations.addressInUse({ as: 'additional', link }),
  confirmations.changeAsked({ username, email: 'other@example.com', from }),
]

test('every mail about an account is a mail of its own', () => {
  const made = new Set(aboutAccounts.map(({ kind }) => kind))
  // Each function of both files makes a kind, but two make kinds by what they are about.
  const functions = [...Object.values(accounts), ...Object.values(confirmations)].length
  assert.equal(made.size, functions + 1)
})

/** What differs from run to run. */
const scrubbed = (text: string): string =>
  text
    .replaceAll(/sent_notifications\/[\w-]+/g, 'sent_notifications/TOKEN')
    .replaceAll(/invites\/[\w-]+/g, 'invites/TOKEN')
    .replaceAll(/#note_\d+/g, '#note_ID')

function shown(mail: Received): string {
  const header = (name: string) => mail.header(name) ?? ''
  assert.match(mail.html, new RegExp(`<html lang="${header('content-language').split(',')[0]}">`))
  return [
    `Content-Language: ${header('content-language')}`,
    `Subject: ${decoded(header('subject'))}`,
    '',
    mail.text.trimEnd(),
    '',
    '='.repeat(80),
    '',
  ].join('\n')
}

/** Encoded words of RFC 2047 as text. */
const decoded = (value: string): string =>
  value.replaceAll(/\?=\s+=\?/g, '?==?').replaceAll(/((?:=\?utf-8\?[bq]\?[^?]*\?=)+)/gi, words => {
    const bytes = [...words.matchAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi)].map(([, encoding = '', text = '']) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64')
        : Buffer.from(
            text.replaceAll('_', ' ').replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ),
    )
    return Buffer.concat(bytes).toString('utf8')
  })

/** Texts of the catalogue with values, for those that no mail above has. */
function allTexts(language: Language): string {
  const { say } = wordsFor({ language, timeZone: 'UTC' })
  const lines = Object.entries(en.texts).flatMap(([key, entry]) => {
    const forms = typeof entry === 'string' ? [entry] : Object.values(entry)
    const names = [...new Set(forms.flatMap(form => [...form.matchAll(/\{(\w+)/g)].map(([, name]) => name as string)))]
    const counts = names.includes('count') ? [1, 2] : [1]
    const whats = names.includes('what') ? nouns : [undefined]
    return counts.flatMap(count =>
      whats.map(what => {
        const values = Object.fromEntries(names.map(name => [name, name === 'count' ? count : name === 'what' ? what : `[${name}]`]))
        return `${key}: ${say(key as 'item.closed', values as unknown as ValuesOf<'item.closed'>)}`
      }),
    )
  })
  return `${lines.join('\n')}\n`
}

test('mails are as their readers should get them, in each language', async () => {
  const [ada, bo] = [await scene.user({ username: 'ada', name: 'Ada' }), await scene.user({ username: 'bo', name: 'Bo {title} <b>' })]
  const readers = new Map<Language, Person>()
  for (const language of languages) readers.set(language, await reader(language))
  const mails = new Map(languages.map(language => [language, [] as Received[]]))
  const takeAll = async () => {
    await deliver()
    for (const [language, { email }] of readers) mails.get(language)?.push(...(await take(email)))
  }

  for (const { id: userId, name, email: address } of readers.values())
    for (const mail of aboutAccounts) await scene.run(undefined, ctx => writeMail(ctx, { ...mail, to: { userId, name, address } }))
  await takeAll()
  for (const { email } of readers.values())
    await scene.run(ada, ctx => mailInvitation(ctx, { email, path: 'lamps/{path}', accessLevel: 30, secret: newLongToken() }))
  await takeAll()

  const { group } = await scene.group({ path: 'lamps', owner: ada, visibility: 'public' })
  const { project } = await scene.project({ name: 'Lamp', path: 'lamp', group, owner: ada, visibility: 'public' })
  for (const { id } of readers.values()) await ada.post(`${project.url}/members`, { user_id: id, access_level: 30 })
  await takeAll()
  for (const { id } of readers.values()) await ada.put(`${project.url}/members/${id}`, { access_level: 40 })
  await takeAll()
  assert.equal((await bo.post(`${project.url}/access_requests`)).status, 201)
  await takeAll()
  const ids = [...readers.values()].map(({ id }) => id)
  const { body: issue } = await ada.post(`${project.url}/issues`, {
    title: 'The {reference} <lamp>',
    description: 'It is **out**.',
    assignee_ids: ids,
  })
  await takeAll()
  assert.equal((await bo.post(`${project.url}/issues/${issue.iid}/notes`, { body: 'Which one, {name}?' })).status, 201)
  await takeAll()
  await ada.put(`${project.url}/issues/${issue.iid}`, { state_event: 'close' })
  await takeAll()
  await ada.put(`${project.url}/issues/${issue.iid}`, { state_event: 'reopen', due_date: '2026-03-15' })
  await takeAll()
  for (const assignee_ids of [[...ids, ada.id], ids]) {
    await ada.put(`${project.url}/issues/${issue.iid}`, { assignee_ids })
    await takeAll()
  }
  await mailDueIssues({ ...scene.deps, now: () => at })
  await takeAll()
  await ada.put(`${project.url}`, { path: 'lantern' })
  await takeAll()
  for (const { email: address } of readers.values())
    await scene.run(undefined, ctx =>
      answerMail(
        ctx,
        { from: { address, name: '' }, subject: 'Broken {subject}', messageId: 'a@example.com' },
        new MailRefused(({ say }) => ({ says: say('refused.no_text'), advice: say('refused.no_text_advice') })),
      ),
    )
  await takeAll()
  for (const person of readers.values()) await person.put('/user/preferences', { mail_digest: 'daily' })
  for (const body of ['First', 'Second']) await ada.post(`${project.url}/issues/${issue.iid}/notes`, { body })
  await deliver()
  for (const [language, { id, email }] of readers) {
    const before = server.received.length
    const { last_id } = await db
      .selectFrom('mails')
      .select(eb => eb.fn.max('id').as('last_id'))
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
    await sendDigest(scene.deps, { user_id: id, last_id })
    mails.get(language)?.push(...server.received.slice(before).filter(({ to }) => to.includes(email)))
  }

  const kinds = new Set<number>()
  for (const [language, received] of mails) {
    kinds.add(received.length)
    assert.ok(received.every(({ header }) => header('content-language') === language))
    for (const { html } of received) assert.doesNotMatch(html, /<lamp>|<b>(?!out)|Reader \{name\} <|\{what|undefined/)
    const text = scrubbed([...received.map(shown), allTexts(language)].join('\n'))
    await assertGolden(`mails/${language}.txt`, text)
  }
  assert.equal(kinds.size, 1, 'readers of all languages get the same mails')
})

test('who chose no language gets that of the instance, and so does an address without an account', async () => {
  const person = await scene.user()
  const says: NewMail['says'] = ({ say, language }) => ({ subject: language, parts: [], reason: say('account.reason') })
  const sendTo = async (address: string, userId?: number) => {
    await scene.run(undefined, ctx => writeMail(ctx, { kind: 'greeting', to: { address, userId }, says }))
    const [mail] = await take(address)
    return mail?.header('content-language')
  }
  const before = [await sendTo(person.email, person.id), await sendTo('nobody@example.com')]
  const set = (language: string) => scene.root.put('/application/settings', { default_preferred_language: language })

  assert.equal((await set('fr')).body.default_preferred_language, 'fr')
  const after = [await sendTo(person.email, person.id), await sendTo('nobody@example.com')]
  await person.put('/user/preferences', { preferred_language: 'de' })
  // By their address too, in any case.
  const chosen = [await sendTo(person.email, person.id), await sendTo(person.email.toUpperCase()), await sendTo('nobody@example.com')]
  const wrong = [await set('tlh'), await set('de-AT'), await person.put('/user/preferences', { preferred_language: 'tlh' })]
  await person.put('/user/preferences', { preferred_language: null })
  const again = await sendTo(person.email, person.id)
  await set('en')

  assert.deepEqual(before, ['en', 'en'])
  assert.deepEqual(after, ['fr', 'fr'])
  assert.deepEqual(chosen, ['de', 'de', 'fr'])
  assert.deepEqual(
    wrong.map(({ status }) => status),
    [400, 400, 400],
  )
  assert.equal(again, 'fr')
})

test('an address that is confirmed on an active account is read in its language, and no other one', async () => {
  const person = await scene.user()
  await person.put('/user/preferences', { preferred_language: 'fr' })
  const [confirmed, named] = [`second-${person.email}`, `third-${person.email}`]
  await scene.root.post(`/users/${person.id}/emails`, { email: confirmed, skip_confirmation: true })
  await person.post('/user/emails', { email: named })
  const languageOf = async (address: string) => {
    const says: NewMail['says'] = ({ language }) => ({ subject: `In ${language}`, parts: [], reason: 'A test.' })
    await scene.run(undefined, ctx => writeMail(ctx, { kind: 'greeting', to: { address }, says }))
    return (await take(address)).find(mail => mail.header('subject')?.startsWith('In '))?.header('content-language')
  }

  const active = [await languageOf(confirmed), await languageOf(named)]
  await scene.root.post(`/users/${person.id}/block`)
  const blocked = await languageOf(confirmed)

  assert.deepEqual(active, ['fr', 'en'])
  assert.equal(blocked, 'en')
})

test('a time zone that is none is refused', async () => {
  const person = await scene.user()
  for (const timezone of ['Mars/Base', '+01:00', '', 'Europe/Berlin; drop table', 'x'.repeat(65)])
    assert.equal((await person.put('/user/preferences', { timezone })).status, 400, timezone)
  const { status, body } = await person.put('/user/preferences', { timezone: 'Europe/Berlin' })
  assert.deepEqual([status, body.timezone], [200, 'Europe/Berlin'])
})
