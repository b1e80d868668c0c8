/**
 * Reads a mail. Everything in it may be made to harm: it runs in a thread of its own, within limits of time and memory (read.ts).
 */
import EmailReplyParser from 'email-reply-parser'
import { convert } from 'html-to-text'
import PostalMime, { type Address, addressParser, type Email, type Mailbox } from 'postal-mime'
import { unbroken } from '../lines.ts'
import { assertFewLines, cutWhereDeep, withinTime } from './bounds.ts'
import { type AttachedFile, type IncomingMessage, LONGEST_TEXT, MOST_FILES } from './message.ts'

/** Levels of parts within parts, and bytes of all headers. */
const LIMITS = {
  maxNestingDepth: 32,
  maxHeadersSize: 512 * 1024,
  // A mail that is forwarded as a file is nothing that its sender says.
  forceRfc822Attachments: true,
} as const

/** Characters of HTML that are made text. */
const LONGEST_HTML = 1024 * 1024

/** Milliseconds that a library may take for one part of a mail: what people write takes some ten. */
const PART_TIME = 2_000

/** Headers that name who a mail was sent to, besides `To` and `Cc`: by the servers that it passed. */
const DELIVERY_HEADERS = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'x-forwarded-to']

/** Reads a mail. @throws Error for one that exceeds the limits */
export async function parseMessage(bytes: Uint8Array, host: string): Promise<IncomingMessage> {
  assertFewLines(bytes)
  const mail = await PostalMime.parse(bytes, LIMITS)
  const text = textOf(mail)
  const { files, leftOut } = filesOf(mail)
  return {
    messageId: mail.messageId?.replace(/^<|>$/g, '').slice(0, 998),
    from: senderOf(mail),
    recipients: recipientsOf(mail),
    subject: unbroken(mail.subject ?? '').trim(),
    text,
    unquoted: unquotedOf(text),
    files,
    filesLeftOut: leftOut,
    automatic: automaticBy(mail, host),
  }
}

const isMailbox = (address: Address): address is Mailbox => address.group === undefined

/** Who wrote it, as it says. Of several authors none is the one. */
function senderOf({ from, headers }: Email): IncomingMessage['from'] {
  const isAlone = headers.filter(({ key }) => key === 'from').length === 1
  const authors = headers.filter(({ key }) => key === 'from').flatMap(({ value }) => addressParser(value))
  if (!isAlone || authors.length !== 1 || !from || !isMailbox(from) || !from.address) return undefined
  return { address: from.address, name: unbroken(from.name).trim().slice(0, 200) }
}

function recipientsOf({ to = [], cc = [], headers }: Email): string[] {
  const named = [...to, ...cc].flatMap(address => (isMailbox(address) ? [address] : address.group))
  const delivered = headers
    .filter(({ key }) => DELIVERY_HEADERS.includes(key))
    .flatMap(({ value }) => addressParser(value, { flatten: true }))
  return [...named, ...delivered].flatMap(({ address }) => address ?? []).slice(0, 200)
}

/**
 * Without what was quoted. The patterns of the library take the cube of the length of some texts; what it does not read in time is taken up to the first
 * line that is quoted.
 */
function unquotedOf(text: string): string {
  const read = () => new EmailReplyParser().read(text).getVisibleText()
  return (withinTime(PART_TIME, read) ?? beforeQuote(text)).trim()
}

function beforeQuote(text: string): string {
  const at = text.search(/^>/m)
  return at < 0 ? text : text.slice(0, at)
}

function textOf({ text, html }: Email): string {
  const plain = text?.trim()
  const said = plain || (html === undefined ? '' : htmlAsText(html.slice(0, LONGEST_HTML)))
  return clean(said).slice(0, LONGEST_TEXT)
}

/** Without what no text of PostgreSQL has, and with ends of lines as everywhere. */
const clean = (text: string): string => text.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed().trim()

/** @throws Error for HTML that takes too long */
function htmlAsText(html: string): string {
  const text = withinTime(PART_TIME, () => plainOf(cutWhereDeep(html)))
  if (text === undefined) throw new Error('its HTML takes too long to read')
  return text
}

const plainOf = (html: string): string =>
  convert(html, {
    wordwrap: false,
    limits: { maxInputLength: LONGEST_HTML, maxDepth: 64, maxChildNodes: 5_000, ellipsis: '…' },
    selectors: [
      // Quotes keep their mark, so that they can be left out.
      { selector: 'blockquote', format: 'blockquote', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['(', ')'] } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(selector => ({ selector, options: { uppercase: false } })),
    ],
  })

function filesOf({ attachments }: Email): { files: AttachedFile[]; leftOut: number } {
  // A signature says nothing to readers, and a picture within the HTML is mostly the mark of a company.
  const wanted = attachments.filter(({ related, mimeType }) => !related && !/pkcs7-signature|pgp-signature/.test(mimeType))
  const files = wanted.slice(0, MOST_FILES).map(({ filename, mimeType, content }) => ({
    filename: unbroken(filename ?? '').trim() || 'file',
    mediaType: mimeType,
    content: typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content),
  }))
  return { files, leftOut: wanted.length - files.length }
}

/** The sign by which a mail says that a program sent it (RFC 3834, and what came before it). */
function automaticBy({ headers, messageId }: Email, host: string): string | undefined {
  const values = (name: string) => headers.filter(({ key }) => key === name).map(({ value }) => value.trim().toLowerCase())
  if (values('auto-submitted').some(value => !/^no\b/.test(value))) return 'Auto-Submitted'
  if (values('precedence').some(value => /^(bulk|junk|list|auto_reply)\b/.test(value))) return 'Precedence'
  for (const name of ['x-loop', 'x-autoreply', 'x-autorespond', 'x-auto-reply', 'x-failed-recipients'])
    if (values(name).length > 0) return name
  if (values('x-auto-response-suppress').some(value => /\b(all|autoreply)\b/.test(value))) return 'X-Auto-Response-Suppress'
  if (values('return-path').some(value => value === '<>')) return 'an empty Return-Path'
  if (values('content-type').some(value => value.startsWith('multipart/report'))) return 'a report of a mail server'
  if (values('from').some(value => /\b(mailer-daemon|postmaster)@/.test(value))) return 'a mail server'
  const [, local = '', domain = ''] = /^<(.*)@([^@>]*)>$/.exec(messageId ?? '') ?? []
  // Mail programs of people may end their ids with the same host, but not begin them so.
  if (domain.toLowerCase() === host && /^(issue|merge_request|epic|note)_\d+/.test(local)) return 'a Message-ID of this instance'
  return undefined
}
