/**
 * Mails are written in the transaction of what causes them, and sent by the queue (send.ts). Where the instance sends none, the last ones are kept
 * for its administrators.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { applicationSettings } from '../application_settings/queries.ts'
import type { Db } from '../db/connection.ts'
import { enqueue } from '../events/worker.ts'
import type { Context, Deps } from '../kernel/context.ts'
import { canReceive } from './addresses.ts'
import { htmlOf, type MailPart, textOf } from './content.ts'
import { oneLine } from './lines.ts'

/** Who gets a mail: an address that is known to be theirs, or the very one that is to be confirmed. */
export interface MailRecipient {
  /** Undefined for an address without an account. */
  readonly userId?: number | undefined
  /** Undefined where nobody is known by name. */
  readonly name?: string | undefined
  readonly address: string
}

/** A mail before it is written. */
export interface NewMail {
  /** What kind of mail it is, in one word: `password_reset`. */
  readonly kind: string
  readonly to: MailRecipient
  readonly subject: string
  readonly parts: readonly MailPart[]
  /** Why it was sent, in a sentence. */
  readonly reason: string
  /** What it belongs to, `issue_12`: mail programs show all mails of a thread together. The first mail starts it. */
  readonly thread?: { readonly key: string; readonly isStart: boolean }
  /** Of a notification: the address on which the recipient ends such mails. */
  readonly unsubscribe?: string
  /** Not sent after this time. */
  readonly expiresAt?: Date
}

/** What is kept of a mail until it is sent, encrypted. */
export interface MailContent {
  readonly name: string | undefined
  readonly text: string
  /** Undefined where the instance sends text alone. */
  readonly html: string | undefined
  readonly messageId: string
  readonly inReplyTo?: string
  readonly unsubscribe?: string
}

/** The purpose of the encryption: where the ciphertext stands. */
const PURPOSE = 'mails.content'

/** Mails that are kept where none are sent; the oldest go. */
export const MOST_KEPT = 200

/** The host that ids of messages end with. */
const hostOf = (url: string): string => new URL(url).hostname

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
  const subject = oneLine(mail.subject)
  const { email_additional_text: additional, html_emails_enabled: hasHtml } = await applicationSettings(db)
  const frame = { subject, name: to.name, parts: mail.parts, reason: mail.reason, additional: additional ?? '', url }
  const threadId = thread && `<${thread.key}@${hostOf(url)}>`
  const content: MailContent = {
    name: to.name === undefined ? undefined : oneLine(to.name),
    text: textOf(frame),
    html: hasHtml ? htmlOf(frame) : undefined,
    messageId: thread?.isStart ? (threadId as string) : `<${randomUUID()}@${hostOf(url)}>`,
    ...(threadId !== undefined && !thread?.isStart && { inReplyTo: threadId }),
    ...(unsubscribe !== undefined && { unsubscribe }),
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

/** What a mail says. */
export const contentOf = ({ content }: { readonly content: string }, secrets: Deps['secrets']): MailContent =>
  JSON.parse(secrets.decrypt(content, PURPOSE).reveal()) as MailContent

/** The mails that are kept, or wait to be sent; the last ones first. */
export const mailsThatAre = (db: Db, state: 'kept' | 'waiting') =>
  db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'subject', 'created_at'])
    .where('kept', '=', state === 'kept')
    .orderBy('id', 'desc')

/** A mail that is kept. One that is sent is for its recipient alone. */
export const keptMail = (db: Db, id: number) =>
  db.selectFrom('mails').selectAll().where('id', '=', id).where('kept', '=', true).executeTakeFirst()

/** Deletes kept mails beyond the last ones. */
export async function forgetOldest({ db }: Pick<Context, 'db'>): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('kept', '=', true)
    .where('id', '<=', sql<number>`(select id from mails where kept order by id desc offset ${MOST_KEPT} limit 1)`)
    .execute()
}
