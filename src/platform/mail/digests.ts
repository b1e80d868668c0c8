/**
 * Digests: notifications that a recipient wants together. They wait as mails of their own until the hour or the day has ended, and are deleted when the
 * mail server has taken the mail that they stand in: a crash or a server that is away loses none.
 */
import { sql } from 'kysely'
import type { Gathering } from '../access/preferences.ts'
import { anyOf } from '../db/statements/any.ts'
import { GivenUp } from '../events/queue.ts'
import { enqueueJobs } from '../events/worker.ts'
import type { Deps } from '../kernel/context.ts'
import { html } from '../pages/html.ts'
import type { SmtpServer } from './addresses.ts'
import { htmlOf, type MailLink, type MailMain, textOf } from './content.ts'
import { forgetOldest, instanceTexts, mailsWithBodies, sharedPartOf } from './outbox.ts'
import { deliver, guarded, mailGuard, mailSender } from './send.ts'
import { type Words, wordsFor } from './words/words.ts'

/** Notifications, and characters of their texts, that one mail has at most; the others follow in another one. */
const MOST = { mails: 100, characters: 500_000 } as const

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** The hour (UTC) at which what was gathered in a day is sent. */
const SENT_AT = 6

/** What was written before this instant is due. Pure. */
export function dueBefore(gathering: Gathering, now: Date): Date {
  if (gathering === 'hourly') return new Date(Math.floor(now.getTime() / HOUR) * HOUR)
  return new Date(Math.floor((now.getTime() - SENT_AT * HOUR) / DAY) * DAY + SENT_AT * HOUR)
}

/** Queues the digests that are due. A run that was missed is made up for by the next one. */
export async function queueDigests({ database, now }: Pick<Deps, 'database' | 'now'>): Promise<void> {
  const { rows } = await sql<{ user_id: number; last_id: number }>`
    select user_id, max(id) as last_id from mails
     where not kept and ((gathered = 'hourly' and created_at < ${dueBefore('hourly', now())})
        or (gathered = 'daily' and created_at < ${dueBefore('daily', now())}))
     group by user_id order by user_id`.execute(database.db)
  await enqueueJobs(
    database.db,
    rows.map(payload => ({ task: 'send_digest' as const, payload, options: { jobKey: `send_digest ${payload.user_id}` } })),
  )
}

type Row = Awaited<ReturnType<typeof gatheredMails>>[number]

const gatheredMails = (deps: Deps, userId: number, lastId: number) =>
  mailsWithBodies(deps.database.db)
    .where('mails.user_id', '=', userId)
    .where('mails.gathered', 'is not', null)
    .where('mails.kept', '=', false)
    .where('mails.id', '<=', lastId)
    .orderBy('mails.id')
    .limit(MOST.mails)
    .execute()

/**
 * Sends what a user gathered, in the order in which it happened; to each address what was written to it. What they may not read any more is left out.
 * @throws GivenUp where the server will never take it
 */
export async function sendDigest(deps: Deps, { user_id, last_id }: { readonly user_id: number; readonly last_id: number }): Promise<void> {
  const { db } = deps.database
  for (;;) {
    const rows = await gatheredMails(deps, user_id, last_id)
    if (rows.length === 0) return
    const { smtpUrl } = deps.config
    if (smtpUrl === undefined) {
      // The setting was taken away after they were written.
      const ids = rows.map(({ id }) => id)
      await db.updateTable('mails').set({ kept: true, gathered: null }).where('id', '=', anyOf(ids)).execute()
      await forgetOldest({ db })
      continue
    }
    const [first] = rows as [Row]
    const together = fitting(
      deps,
      rows.filter(({ recipient }) => recipient === first.recipient),
    )
    const readable: Section[] = []
    for (const each of together) if (await mailGuard.value(deps, guarded(each.row))) readable.push(each)
    const ids = together.map(({ row }) => row.id)
    if (readable.length > 0)
      await deliverTogether(deps, smtpUrl, readable).catch(async error => {
        // It would be refused each hour: they wait for nothing any more, as a mail that is refused by itself.
        if (error instanceof GivenUp) await db.updateTable('mails').set({ gathered: null }).where('id', '=', anyOf(ids)).execute()
        throw error
      })
    await db.deleteFrom('mails').where('id', '=', anyOf(ids)).execute()
  }
}

interface Section extends ReturnType<typeof sharedPartOf> {
  readonly row: Row
}

/** The first of the mails, as many as fit. */
function fitting({ secrets }: Deps, rows: readonly Row[]): Section[] {
  const sections: Section[] = []
  let length = 0
  for (const row of rows) {
    const section = { row, ...sharedPartOf(row, secrets) }
    length += section.main.text.length + section.main.html.length
    if (sections.length > 0 && length > MOST.characters) break
    sections.push(section)
  }
  return sections
}

async function deliverTogether(deps: Deps, server: SmtpServer, sections: readonly Section[]): Promise<void> {
  const [{ row, frame, hasHtml, messageId, name }] = sections as [Section, ...Section[]]
  const links = commonLinks(sections)
  // The one that its recipient chose last; what was written before stays in the language of then.
  const language = sections.at(-1)?.frame.language ?? 'en'
  const words = wordsFor({ language, timeZone: 'UTC' })
  const main = joined(words, sections, links)
  const { hasHtml: _, ...around } = await instanceTexts(deps.database.db)
  const replyTo = onlyReplyTo(sections)
  const isAnswerable = sections.some(section => section.replyTo !== undefined)
  const reason = words.say(row.gathered === 'hourly' ? 'digest.hourly_reason' : 'digest.daily_reason')
  const digest = {
    ...around,
    language,
    name: null,
    reason: isAnswerable && replyTo === undefined ? `${words.say('digest.no_answer')} ${reason}` : reason,
    links,
    url: frame.url,
  }
  await deliver(server, mailSender(deps.config), {
    recipient: row.recipient,
    created_at: row.created_at,
    name,
    languages: [...new Set([language, ...sections.map(section => section.frame.language ?? 'en')])],
    subject: main.subject,
    ...(replyTo !== undefined && { replyTo }),
    text: textOf(main, digest),
    html: hasHtml ? htmlOf(main, digest) : undefined,
    // The same each time that these mails are tried.
    messageId: `<digest_${row.id}_${sections.at(-1)?.row.id}${messageId.slice(messageId.lastIndexOf('@'))}`,
  })
}

/** The links that each of them has: they stand once, below. */
const commonLinks = ([first, ...others]: readonly Section[]): readonly MailLink[] =>
  (first?.frame.links ?? []).filter(({ url }) => others.every(({ frame: { links = [] } }) => links.some(link => link.url === url)))

/** Where an answer to the whole goes: to what all of it is about; undefined where that is not one thing. */
function onlyReplyTo([first, ...others]: readonly Section[]): string | undefined {
  return others.every(({ replyTo }) => replyTo === first?.replyTo) ? first?.replyTo : undefined
}

const answering = (address: string, subject: string): string => `mailto:${address}?subject=${encodeURIComponent(`Re: ${subject}`)}`

/** All of them as one text: each with its subject, the links that are its own, and the address for an answer where that differs. */
function joined(words: Words, sections: readonly Section[], common: readonly MailLink[]): MailMain {
  const count = sections.length
  /** Before the address that answers a notification among others. */
  const answers = words.say('frame.label', { label: words.say('digest.answer') })
  const addressOf = ({ replyTo }: Section) => (onlyReplyTo(sections) === undefined ? replyTo : undefined)
  const own = ({ frame: { links = [] } }: Section) => links.filter(({ url }) => !common.some(link => link.url === url))
  return {
    subject: count === 1 ? (sections[0]?.main.subject ?? '') : words.say('digest.subject', { count }),
    text: sections
      .map(section => {
        const answer = addressOf(section)
        const links = own(section).map(({ label, url }) => `${words.say('frame.label', { label })} ${url}`)
        return [section.main.subject, '', section.main.text, ...links, ...(answer === undefined ? [] : [`${answers} ${answer}`])].join('\n')
      })
      .join('\n\n----\n\n'),
    html: sections
      .map(section => {
        const answer = addressOf(section)
        const links = [
          ...own(section).map(({ label, url }) => html`<a href="${url}">${label}</a><br>`),
          ...(answer === undefined ? [] : [html`${answers} <a href="${answering(answer, section.main.subject)}">${answer}</a><br>`]),
        ]
        return `${html`<h2>${section.main.subject}</h2>`.text}${section.main.html}${links.length === 0 ? '' : html`<p>${links}</p>`.text}`
      })
      .join('<hr>'),
  }
}
