/** Sends the mails that were written, one connection for each: what breaks is nobody else's, and nothing stays open. */
import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import { GivenUp } from '../events/queue.ts'
import type { Deps } from '../kernel/context.ts'
import { Port } from '../kernel/declaration/port.ts'
import type { MailSender, SmtpServer } from './addresses.ts'
import { contentOf, dropUnusedBodies, forgetOldest, type MailContent, type MailSubject, mailsWithBodies } from './outbox.ts'

/** Milliseconds that the server may be silent: before the connection is there, before it greets, and afterwards. */
const PATIENCE = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 }

/** A server on this machine: what is sent to it passes no network. */
export const isHere = (host: string): boolean => /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/.test(host)

/** Who mails are from. */
export const mailSender = ({ mailFrom, externalUrl }: Pick<Config, 'mailFrom' | 'externalUrl'>): MailSender =>
  mailFrom ?? { name: 'Ingot', address: `ingot@${externalUrl === undefined ? 'localhost' : new URL(externalUrl).hostname}` }

/**
 * Sends a mail that was written before, and deletes it. A server that is not there, or does not take it yet, is asked again by the queue, with growing
 * pauses. The mail has the same `Message-ID` each time: a server that took it and died before it said so gets it twice, and readers see one.
 * @throws GivenUp where the server will never take it
 */
export async function sendMail(deps: Deps, { mail_id }: { readonly mail_id: number }): Promise<void> {
  const { config, log, secrets } = deps
  const { db } = deps.database
  const mail = await mailsWithBodies(db).where('mails.id', '=', mail_id).where('kept', '=', false).executeTakeFirst()
  // The account is gone.
  if (!mail) return
  if (config.smtpUrl === undefined) {
    // The setting was taken away after it was written.
    await db.updateTable('mails').set({ kept: true }).where('id', '=', mail.id).execute()
    return forgetOldest({ db })
  }
  if (mail.expires_at !== null && Date.parse(mail.expires_at) <= deps.now().getTime())
    log.warn({ mail: mail.id, kind: mail.kind }, 'a mail came too late to be sent')
  else if (mail.about !== null && !(await mailGuard.value(deps, guarded(mail))))
    log.info({ mail: mail.id, kind: mail.kind, user: mail.user_id }, 'a mail is not sent to someone who may not read it any more')
  else {
    await deliver(config.smtpUrl, mailSender(config), { ...mail, ...contentOf(mail, secrets) })
  }
  await db.deleteFrom('mails').where('id', '=', mail.id).execute()
}

/** A mail that was written for what its recipient could read then. */
export interface GuardedMail {
  readonly userId: number
  readonly address: string
  readonly about: MailSubject
}

/** May the recipient still read what the mail is about, at this address? */
export const mailGuard = new Port<(deps: Deps, mail: GuardedMail) => Promise<boolean>>('mailGuard')

/** What is asked about a mail. */
export const guarded = ({ user_id, recipient, about }: { user_id: number | null; recipient: string; about: unknown }): GuardedMail => ({
  userId: user_id ?? 0,
  address: recipient,
  about: about as MailSubject,
})

interface Outgoing extends MailContent {
  readonly recipient: string
  readonly subject: string
  readonly created_at: string
}

/** What speaks with the server; nothing is connected yet. `requireTLS`: it ends where the server has no STARTTLS, also without a password. */
export function transportTo(
  { host, port, isSecure, requiresTls, credentials }: SmtpServer,
  sender: MailSender,
  { requireTLS = requiresTls }: { readonly requireTLS?: boolean } = {},
) {
  return createTransport({
    host,
    port,
    secure: isSecure,
    name: sender.address.slice(sender.address.lastIndexOf('@') + 1),
    ...PATIENCE,
    requireTLS,
    ...(credentials && {
      auth: { user: credentials.user, pass: credentials.password.reveal() },
      // A password is not sent where others can read it.
      requireTLS: requireTLS || (!isSecure && !isHere(host)),
    }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Gives a mail to the server. @throws Error in the server's words, without anything of the mail */
export async function deliver(server: SmtpServer, sender: MailSender, mail: Outgoing): Promise<void> {
  const transport = transportTo(server, sender)
  try {
    await transport.sendMail({
      from: { ...sender, name: mail.senderName ?? sender.name },
      to: { name: mail.name ?? '', address: mail.recipient },
      envelope: { from: sender.address, to: [mail.recipient] },
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      date: new Date(mail.created_at),
      messageId: mail.messageId,
      ...(mail.inReplyTo !== undefined && { inReplyTo: mail.inReplyTo, references: [...(mail.references ?? [mail.inReplyTo])] }),
      ...(mail.replyTo !== undefined && { replyTo: mail.replyTo }),
      headers: {
        // Nobody's holiday answers it (RFC 3834; the second one for Exchange).
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        ...(mail.languages && { 'Content-Language': mail.languages.join(', ') }),
        ...mail.headers,
        ...(mail.unsubscribe !== undefined && unsubscribing(mail.unsubscribe)),
      },
    })
  } catch (error) {
    throw asFailure(error)
  } finally {
    transport.close()
  }
}

/** How mail programs end such mails: by one click where nobody can listen on the way (RFC 8058 takes https). */
const unsubscribing = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  ...(url.startsWith('https:') && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
})

/** The failure in one line. A server that refuses the recipient or the message with a 5xx means it (RFC 5321 section 4.2.1); all else may pass. */
function asFailure(error: unknown): Error {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message: string }
  const isFinal = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== undefined && responseCode >= 500
  const says = `the mail server did not take the mail: ${message}`
  return isFinal ? new GivenUp(says) : new Error(says)
}

/** Days after which a mail that could not be sent is forgotten, whatever became of its job. */
const FORGOTTEN_AFTER = 30

/** Deletes mails that nobody will send any more. */
export async function sweepMails({ database, now }: Pick<Deps, 'database' | 'now'>): Promise<void> {
  const instant = new Date(now().getTime() - FORGOTTEN_AFTER * 24 * 60 * 60 * 1000)
  await database.db.deleteFrom('mails').where('kept', '=', false).where('created_at', '<', instant.toISOString()).execute()
  // An hour: a transaction may be writing the mails of a body.
  await dropUnusedBodies(database.db, new Date(now().getTime() - 60 * 60 * 1000))
}
