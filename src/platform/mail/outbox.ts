/**
 * Mails are written in the transaction of what causes them, and sent by the queue (send.ts). Where the instance sends none, the last ones are kept
 * for its administrators.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Gathering, Language } from '../access/preferences.ts'
import { appearanceOf } from '../appearance/queries.ts'
import { applicationSettings } from '../application_settings/queries.ts'
import type { Db } from '../db/connection.ts'
import { enqueue, enqueueJobs } from '../events/worker.ts'
import type { Context, Deps } from '../kernel/context.ts'
import { canReceive } from './addresses.ts'
import { htmlOf, type MailFrame, type MailLink, type MailMain, type MailPart, mainOf, textOf } from './content.ts'
import { oneLine } from './lines.ts'
import { readerOf } from './readers.ts'
import { type Reader, type Words, wordsFor } from './words/words.ts'

/** Who gets a mail: an address that is known to be theirs, or the very one that is to be confirmed. */
export interface MailRecipient {
  /** Undefined for an address without an account. */
  readonly userId?: number | undefined
  /** Undefined where nobody is known by name. */
  readonly name?: string | undefined
  readonly address: string
}

/** What a mail says. */
export interface MailText {
  readonly subject: string
  readonly parts: readonly MailPart[]
  /** Why it was sent, in a sentence. */
  readonly reason: string
}

/** A mail before it is written. */
export interface NewMail {
  /** What kind of mail it is, in one word: `password_reset`. */
  readonly kind: string
  readonly to: MailRecipient
  /** In the words of who reads it. */
  readonly says: (words: Words) => MailText
  /** What it belongs to, `issue_12`: mail programs show all mails of a thread together. The first mail starts it. */
  readonly thread?: { readonly key: string; readonly isStart: boolean }
  /** The `Message-ID` of the mail that came in and is answered by this one, without its brackets. */
  readonly answers?: string
  /** Of a notification: the address on which the recipient ends such mails. */
  readonly unsubscribe?: string
  /** Where an answer goes, if not to the sender. */
  readonly replyTo?: string
  /** The name that it is from, if not that of the instance. The address stays. */
  readonly senderName?: string | undefined
  /** Not sent after this time. */
  readonly expiresAt?: Date
}

/** What is sent besides what a mail says. */
interface MailRouting {
  readonly name: string | undefined
  /** Of the header `Content-Language`: several in a digest of mails in several. Mails from before there were languages have none. */
  readonly languages?: readonly Language[]
  readonly messageId: string
  readonly inReplyTo?: string
  /** The mails of the thread that it follows, the first one first; `inReplyTo` unless given. */
  readonly references?: readonly string[]
  readonly unsubscribe?: string
  readonly replyTo?: string
  readonly senderName?: string
  /** Headers by which mail programs filter. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What is kept of a mail until it is sent, encrypted. */
export interface MailContent extends MailRouting {
  readonly text: string
  /** Undefined where the instance sends text alone. */
  readonly html: string | undefined
}

/** The same of a mail whose text it shares with others. */
interface SharingContent extends MailRouting {
  readonly frame: MailFrame
  readonly hasHtml: boolean
}

/** What the recipient must still be able to read when the mail is sent (`mailGuard`): the server may have been away for days. */
export type MailSubject = Readonly<Record<string, number | boolean>>

/** A mail to many: what they have in common. */
export interface SharedMail {
  readonly kind: string
  readonly says: (words: Words) => Omit<MailText, 'reason'>
  readonly about: MailSubject
  /** Of the thread, without the host. The first mail starts it. */
  readonly thread: { readonly id: string; readonly follows: readonly string[] }
  readonly headers: Readonly<Record<string, string>>
}

/** A mail to many: what is of one of them alone. */
export interface MailCopy {
  readonly to: MailRecipient & { readonly userId: number }
  readonly reader: Reader
  /** Why it is sent to them, and the links below it. */
  readonly ends: (words: Words) => { readonly reason: string; readonly links: readonly MailLink[] }
  readonly unsubscribe?: string | undefined
  readonly replyTo?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** It waits until the recipient gets it with others (digests.ts). */
  readonly gathered?: Gathering
}

/** The purpose of the encryption: where the ciphertext stands. */
const PURPOSE = 'mails.content'
const BODY_PURPOSE = 'mail_bodies.content'

/** Mails that are kept where none are sent; the oldest go. */
export const MOST_KEPT = 200

/** The host that ids of messages end with. */
const hostOf = (url: string): string => new URL(url).hostname

/** What the instance says in each of its mails. */
export async function instanceTexts(db: Db) {
  const [settings, appearance] = await Promise.all([applicationSettings(db), appearanceOf(db)])
  const hasMessages = appearance.email_header_and_footer_enabled
  return {
    hasHtml: settings.html_emails_enabled,
    additional: settings.email_additional_text ?? '',
    ...(hasMessages && { header: appearance.header_message, footer: appearance.footer_message }),
  }
}

/** Does this instance send mails? */
export const sendsMail = ({ deps }: Pick<Context, 'deps'>): boolean => deps.config.smtpUrl !== undefined

/**
 * Writes a mail in the transaction of `ctx`; it is sent after the transaction has ended. Not to an address that could be read as another one, or
 * as several.
 */
export async function writeMail(ctx: Pick<Context, 'db' | 'deps' | 'now' | 'url'>, mail: NewMail): Promise<void> {
  const { db, deps, now, url } = ctx
  const { to, thread, unsubscribe } = mail
  if (!canReceive(to.address)) return deps.log.info({ kind: mail.kind, user: to.userId }, 'no mail is sent to an address of this form')
  const words = wordsFor(await readerOf(db, to))
  const { language } = words
  const said = mail.says(words)
  const subject = oneLine(said.subject)
  const main = mainOf(words, subject, said.parts)
  const { hasHtml, ...around } = await instanceTexts(db)
  const frame = { language, name: to.name, reason: said.reason, ...around, url }
  const threadId = thread && `<${thread.key}@${hostOf(url)}>`
  const content: MailContent = {
    name: to.name === undefined ? undefined : oneLine(to.name),
    languages: [language],
    text: textOf(main, frame),
    html: hasHtml ? htmlOf(main, frame) : undefined,
    messageId: thread?.isStart ? (threadId as string) : `<${randomUUID()}@${hostOf(url)}>`,
    ...(threadId !== undefined && !thread?.isStart && { inReplyTo: threadId }),
    ...(mail.answers !== undefined && { inReplyTo: `<${oneLine(mail.answers)}>` }),
    ...(unsubscribe !== undefined && { unsubscribe }),
    ...(mail.replyTo !== undefined && { replyTo: mail.replyTo }),
    ...(mail.senderName !== undefined && { senderName: oneLine(mail.senderName) }),
  }
  const isKept = !sendsMail(ctx)
  const { id } = await db
    .insertInto('mails')
    .values({
      kind: mail.kind,
      user_id: to.userId ?? null,
      recipient: to.address,
      subject,
      content: deps.secrets.encrypt(JSON.stringify(content), PURPOSE),
      kept: isKept,
      expires_at: mail.expiresAt ?? null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (isKept) await forgetOldest(ctx)
  else await enqueue(db, 'send_mail', { mail_id: id })
}

/**
 * Writes the same mail to many, in the transaction of `ctx`: a fixed number of statements, however many they are. What those who read it in the same
 * language have in common is kept once.
 */
export async function writeMails(
  ctx: Pick<Context, 'db' | 'deps' | 'now' | 'url'>,
  shared: SharedMail,
  copies: readonly MailCopy[],
): Promise<void> {
  const { db, deps, now, url } = ctx
  const reachable = copies.filter(({ to }) => canReceive(to.address))
  if (reachable.length < copies.length) deps.log.info({ kind: shared.kind }, 'no mail is sent to addresses of this form')
  if (reachable.length === 0) return
  const messageIdOf = (id: string) => `<${id}@${hostOf(url)}>`
  const follows = shared.thread.follows.map(messageIdOf)
  const { hasHtml, ...around } = await instanceTexts(db)
  const bodies = await writeBodies(ctx, shared, new Set(reachable.map(({ reader }) => reader.language)))
  const isKept = !sendsMail(ctx)
  const rows = reachable.map(({ to, reader, ends, unsubscribe, replyTo, headers, gathered }) => {
    const { language } = reader
    const content: SharingContent = {
      name: to.name === undefined ? undefined : oneLine(to.name),
      languages: [language],
      frame: { language, name: null, ...ends(wordsFor(reader)), ...around, url },
      hasHtml,
      messageId: messageIdOf(shared.thread.id),
      ...(follows.length > 0 && { inReplyTo: follows.at(-1), references: follows }),
      ...(unsubscribe !== undefined && { unsubscribe }),
      ...(replyTo !== undefined && { replyTo }),
      headers: { ...shared.headers, ...headers },
    }
    const sealed = deps.secrets.encrypt(JSON.stringify(content), PURPOSE)
    return { user_id: to.userId, recipient: to.address, content: sealed, gathered: isKept ? undefined : gathered, ...bodies.get(language) }
  })
  const { rows: written } = await sql<{ id: number; gathered: string | null }>`
    insert into mails (kind, user_id, recipient, subject, content, kept, gathered, body_id, about, created_at)
    select ${shared.kind}, user_id, recipient, subject, content, ${isKept}::boolean, gathered, body_id, ${JSON.stringify(shared.about)}::jsonb, ${now}::timestamptz
      from json_to_recordset(${JSON.stringify(rows)}::json)
           as copies(user_id bigint, recipient text, subject text, content text, gathered text, body_id bigint)
    returning id, gathered`.execute(db)
  if (isKept) return forgetOldest(ctx)
  await enqueueJobs(
    db,
    written.filter(({ gathered }) => gathered === null).map(({ id }) => ({ task: 'send_mail' as const, payload: { mail_id: id } })),
  )
}

interface Body {
  readonly subject: string
  readonly body_id: number
}

/** What a mail says in these languages. One statement. */
async function writeBodies(
  { db, deps, now }: Pick<Context, 'db' | 'deps' | 'now'>,
  { says }: SharedMail,
  languages: ReadonlySet<Language>,
): Promise<Map<Language, Body>> {
  const bodies = [...languages].map(language => {
    // Times in a mail to many have no zone but this one.
    const words = wordsFor({ language, timeZone: 'UTC' })
    const { subject, parts } = says(words)
    const main = mainOf(words, oneLine(subject), parts)
    return { language, subject: main.subject, content: deps.secrets.encrypt(JSON.stringify(main), BODY_PURPOSE) }
  })
  const rows = await db
    .insertInto('mail_bodies')
    .values(bodies.map(({ content }) => ({ content, created_at: now })))
    .returning(['id', 'content'])
    .execute()
  // Ciphertexts differ, also of the same text.
  const ids = new Map(rows.map(({ id, content }) => [content, id]))
  return new Map(bodies.map(({ language, subject, content }) => [language, { subject, body_id: ids.get(content) as number }]))
}

/** A mail with what it shares with others; `body` is encrypted. */
export const mailsWithBodies = (db: Db) =>
  db.selectFrom('mails').leftJoin('mail_bodies', 'mail_bodies.id', 'mails.body_id').selectAll('mails').select('mail_bodies.content as body')

/** What a mail says. `body`: what it shares with others, if it does. */
export function contentOf(
  { content, body }: { readonly content: string; readonly body?: string | null },
  secrets: Deps['secrets'],
): MailContent {
  const own = JSON.parse(secrets.decrypt(content, PURPOSE).reveal()) as MailContent | SharingContent
  if (!('frame' in own)) return own
  if (typeof body !== 'string') throw new Error('a mail that shares its text was read without it')
  const main = JSON.parse(secrets.decrypt(body, BODY_PURPOSE).reveal()) as MailMain
  const { frame, hasHtml, ...routing } = own
  return { ...routing, text: textOf(main, frame), html: hasHtml ? htmlOf(main, frame) : undefined }
}

/** The text that a mail shares with others, and what is its own. */
export function sharedPartOf({ content, body }: { readonly content: string; readonly body: string | null }, secrets: Deps['secrets']) {
  if (body === null) throw new Error('a mail that shares its text was read without it')
  const main = JSON.parse(secrets.decrypt(body, BODY_PURPOSE).reveal()) as MailMain
  return { ...(JSON.parse(secrets.decrypt(content, PURPOSE).reveal()) as SharingContent), main }
}

/** The mails that are kept, or wait to be sent; the last ones first. */
export const mailsThatAre = (db: Db, state: 'kept' | 'waiting') =>
  db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'subject', 'created_at'])
    .where('kept', '=', state === 'kept')
    .orderBy('id', 'desc')

/** A mail that is kept. One that is sent is for its recipient alone. */
export const keptMail = (db: Db, id: number) => mailsWithBodies(db).where('mails.id', '=', id).where('kept', '=', true).executeTakeFirst()

/** Deletes what mails shared that are gone. */
export const dropUnusedBodies = (db: Db, before: Date) =>
  db
    .deleteFrom('mail_bodies')
    .where('created_at', '<', before.toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('mails').select('mails.id').whereRef('mails.body_id', '=', 'mail_bodies.id'))),
    )
    .execute()

/** Deletes kept mails beyond the last ones. */
export async function forgetOldest({ db }: Pick<Context, 'db'>): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('kept', '=', true)
    .where('id', '<=', sql<number>`(select id from mails where kept order by id desc offset ${MOST_KEPT} limit 1)`)
    .execute()
}
