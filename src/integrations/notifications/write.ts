/** Writes the mails about what happened: who gets one is decided here, by what they may read now. */
import type { NoteableKey } from '../../collaboration/item_kinds/kinds.ts'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type MailCopy, type MailSubject, type SharedMail, writeMails } from '../../platform/mail/outbox.ts'
import type { Noun } from '../../platform/mail/words/catalogue.ts'
import type { Words } from '../../platform/mail/words/words.ts'
import { candidatesFor, type Person, type Sought } from './candidates.ts'
import { type Occasion, type Reason, reasonFor, reasonInWords } from './reasons.ts'
import { replyAddress } from './reply_address.ts'
import { unsubscribeUrl } from './unsubscribing.ts'

/** What happened, before it is known who gets mail. */
export interface Happening extends Occasion, Sought {
  /** Of the event; its mails are written once. */
  readonly key: string
  readonly actorId: number | null
  /** Reasons that count; default: all. */
  readonly only?: readonly Reason[]
}

/** What the mails say. Asked for only where there are recipients. */
export interface Message {
  readonly kind: string
  readonly says: SharedMail['says']
  readonly about: MailSubject
  readonly thread: SharedMail['thread']
  readonly headers: Readonly<Record<string, string>>
  /** The noun in the reason. */
  readonly what: Noun
  /** In place of the usual sentence. */
  readonly reason?: (words: Words) => string
  /** The item that recipients unsubscribe from and answer on. */
  readonly item?: NoteableKey | undefined
  /** The note that an answer belongs to. */
  readonly noteId?: number | undefined
  /** The users among these who may read it. */
  readers(userIds: readonly number[]): Promise<readonly number[]>
}

/** Marks what happened as mailed, in a transaction; false if it was before. */
export async function isFirst(db: Db, key: string, now: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('notified')
    .values({ key, created_at: now })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

interface Recipient extends Person {
  readonly reason: Reason
}

function recipientsAmong(people: readonly Person[], { actorId, only, ...occasion }: Happening): Recipient[] {
  return people.flatMap(person => {
    if (person.id === actorId && !person.wantsOwn) return []
    const reason = reasonFor(person, occasion)
    return reason === undefined || (only && !only.includes(reason)) ? [] : [{ ...person, reason }]
  })
}

/** Writes the mails about what happened, once. A fixed number of statements, however many get one. */
export async function notify(ctx: Context, happening: Happening, messageOf: () => Promise<Message | undefined>): Promise<void> {
  const chosen = recipientsAmong(await candidatesFor(ctx.db, happening), happening)
  if (chosen.length === 0) return
  const message = await messageOf()
  if (!message) return
  const readers = new Set(await message.readers(chosen.map(({ id }) => id)))
  const copies = chosen.filter(({ id }) => readers.has(id)).map(person => copyFor(ctx, message, person, happening))
  if (copies.length === 0) return
  await transact(ctx.db, async db => {
    if (await isFirst(db, happening.key, ctx.now)) await writeMails({ ...ctx, db }, message, copies)
  })
}

function copyFor(ctx: Context, { item, what, noteId, reason: because }: Message, person: Recipient, { actorId }: Happening): MailCopy {
  const { id, name, address, reader, reason, byLabel, subscribed, digest } = person
  const unsubscribe = item && unsubscribeUrl(ctx, { key: item, userId: id })
  const replyTo =
    item && !('commented_commit_id' in item || 'snippet_id' in item) ? replyAddress(ctx, { item, userId: id, noteId }) : undefined
  const isOwn = id === actorId
  return {
    to: { userId: id, name, address },
    reader,
    ends: words => {
      const { say } = words
      const why = isOwn ? say('reason.own_activity') : (because?.(words) ?? reasonInWords(words, reason, what, byLabel && !subscribed))
      return {
        reason: replyTo === undefined ? why : `${say('notification.answer')} ${why}`,
        links: [
          ...(unsubscribe === undefined ? [] : [{ label: say('notification.unsubscribe', { what }), url: unsubscribe }]),
          { label: say('notification.choose'), url: `${ctx.url}/-/profile/notifications` },
        ],
      }
    },
    unsubscribe,
    replyTo,
    ...(digest !== 'off' && { gathered: digest }),
    headers: { 'X-GitLab-NotificationReason': isOwn ? 'own_activity' : reason },
  }
}

/** Days for which it is remembered what was mailed: an event is delivered again within days. */
const REMEMBERED = 60

/** Forgets what was mailed long ago. */
export async function sweepNotified({ database, now }: Pick<Context['deps'], 'database' | 'now'>): Promise<void> {
  const before = new Date(now().getTime() - REMEMBERED * 24 * 60 * 60 * 1000)
  await database.db.deleteFrom('notified').where('created_at', '<', before.toISOString()).execute()
}
