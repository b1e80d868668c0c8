/** The mail in a request of a mail service: the body itself, or a field of a form, whatever the service calls it. */
import type { IncomingHttpHeaders } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { Deps } from '../../../platform/kernel/context.ts'
import { badRequest, tooLarge, unsupportedMediaType } from '../../../platform/kernel/errors.ts'
import { LARGEST_MAIL } from '../../../platform/mail/incoming/message.ts'
import { detached, type SpooledMail, withSpooled } from '../spool.ts'

/** Fields that hold a whole mail: of SendGrid, Mailgun, Postal and CloudMailin in their raw form. */
const MAIL_FIELDS = ['email', 'body-mime', 'message', 'mime', 'raw']

/** Fields with the addresses of the envelope. */
const ENVELOPE_FIELDS = ['recipient', 'envelope', 'to', 'rcpt_to', 'envelope[to]', 'envelope[recipients]', 'envelope[recipients][]']

/** Bytes of another field that are looked at. */
const LARGEST_FIELD = 64 * 1024

/** A mail of a service, with the addresses that it names. */
export interface HandedIn {
  readonly spooled: SpooledMail
  readonly envelope: readonly string[]
}

const addressesIn = (text: string): string[] =>
  text
    .split(/[\s<>,;:"'()[\]{}\\]/)
    .filter(word => /.@./.test(word))
    .slice(0, 100)

/** Does `work` with the mail in a request. @throws Refusal 400 where there is none, 413 for one that is too large, 415 for another form */
export async function withHandedIn<T>(
  deps: Pick<Deps, 'config'>,
  headers: IncomingHttpHeaders,
  body: Readable,
  work: (mail: HandedIn) => Promise<T>,
): Promise<T> {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (['message/rfc822', 'text/plain', 'application/octet-stream'].includes(type))
    return withSpooled(deps, detached(body), spooled => work({ spooled, envelope: [] }))
  if (type !== 'multipart/form-data' && type !== 'application/x-www-form-urlencoded') throw unsupportedMediaType(type)
  const envelope: string[] = []
  const { mail, ended } = mailIn(headers, detached(body), envelope)
  // What comes after the mail in the form is read before the mail is looked at.
  return withSpooled(deps, mail, async spooled => {
    await ended
    return work({ spooled, envelope })
  })
}

/** The mail of a form as a stream, which fails where the form has none; `ended` when all of the form was read. */
function mailIn(headers: IncomingHttpHeaders, form: Readable, envelope: string[]): { mail: Readable; ended: Promise<void> } {
  const mail = new PassThrough()
  let isFound = false
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  ended.catch(() => {})
  const fail = (error: Error) => {
    reject(error)
    mail.destroy(error)
    form.destroy()
  }
  const parser = new Busboy({
    headers: headers as { 'content-type': string },
    limits: { fieldSize: LARGEST_MAIL + 1, fields: 200, files: 100, parts: 300, fieldNameSize: 200 },
    isPartAFile: name => name !== undefined && !ENVELOPE_FIELDS.includes(name),
  })
  parser.on('file', (name, part) => {
    if (isFound || !MAIL_FIELDS.includes(name)) return void part.resume()
    isFound = true
    part.on('error', fail)
    part.pipe(mail)
  })
  parser.on('field', (name, value) => {
    if (ENVELOPE_FIELDS.includes(name)) envelope.push(...addressesIn(value.slice(0, LARGEST_FIELD)))
    // A form without parts has it as a text.
    else if (!isFound && MAIL_FIELDS.includes(name)) {
      isFound = true
      mail.end(Buffer.from(value, 'utf8'))
    }
  })
  parser.on('finish', () => {
    if (!isFound) fail(badRequest(`the form has no mail: it is looked for in the fields ${MAIL_FIELDS.join(', ')}`))
    resolve()
  })
  parser.on('error', () => fail(badRequest('the form is malformed')))
  // Too large, or nobody reads it any more.
  mail.on('error', fail)
  let size = 0
  form.on('data', (chunk: Buffer) => {
    size += chunk.length
    // The other fields of the form and its encoding count too.
    if (size > 4 * LARGEST_MAIL) fail(tooLarge(LARGEST_MAIL))
  })
  form.on('error', fail)
  form.pipe(parser)
  return { mail, ended }
}
