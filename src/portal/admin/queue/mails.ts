/** The mails of an instance that sends none, and those that wait where it does: for administrators alone, since links in them open accounts. */
import { createHash } from 'node:crypto'
import { within } from '../../../platform/kernel/declaration/scope.ts'
import { integer } from '../../../platform/kernel/declaration/types.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { MAIL_STYLE } from '../../../platform/mail/content.ts'
import { contentOf, keptMail, MOST_KEPT, mailsThatAre } from '../../../platform/mail/outbox.ts'
import { mailSender } from '../../../platform/mail/send.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { adminPlace } from '../place.ts'
import { administered, inAdministration } from '../scope.ts'

const LIST = '/-/mails'

interface Listed {
  readonly id: number
  readonly kind: string
  readonly recipient: string
  readonly subject: string
  readonly created_at: string
}

const mailItem = ({ id, kind, recipient, subject, created_at }: Listed, isKept: boolean): Html =>
  html`<li><div class="main"><div class="title">${isKept ? html`<a href="${LIST}/${id}">${subject}</a>` : subject}</div><div class="facts"><span>To <bdi>${recipient}</bdi></span><span>${kind.replaceAll('_', ' ')}</span><span>${time(created_at)}</span></div></div></li>`

export const showMails = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'List the mails that are kept, or wait to be sent',
  scope: inAdministration,
  can: 'admin_instance',
  params: listParams,
  async run(ctx) {
    const { config } = ctx.deps
    const { smtpUrl } = config
    const isKept = smtpUrl === undefined
    const { rows, links } = await listPage(ctx, mailsThatAre(ctx.db, isKept ? 'kept' : 'waiting'), ctx.params)
    const { name, address } = mailSender(config)
    const says = smtpUrl
      ? html`<div class="notice">${icon('mail')}<span>Mails are sent by <code>${smtpUrl.host}:${smtpUrl.port}</code>, from <bdi>${name}</bdi> <code>${address}</code>. What waits longer than a moment failed at least once: <a href="/admin/background_jobs?task=send_mail">its jobs</a> say why.</span></div>`
      : html`<div class="notice attention">${icon('alert')}<span><strong>This server sends no mail.</strong> The last ${MOST_KEPT} mails are kept here, so that you can hand on the links in them. Set <code>INGOT_SMTP_URL</code> to send them; the <a href="/help/mail">handbook</a> says how.</span></div>`
    const none = isKept
      ? { title: 'No mails yet', says: 'A mail about a new password or an invitation would stand here.' }
      : { title: 'No mail waits', says: 'All that were written have been sent.' }
    return page(ctx, {
      title: 'Mails',
      place: adminPlace('mails', ctx),
      body: html`${says}<section class="section">${rows.length === 0 ? empty({ icon: 'mail', ...none }) : html`<ul class="list" data-list>${rows.map(row => mailItem(row, isKept))}</ul>`}${links}</section>`,
    })
  },
})

/** `:mail_id` becomes a mail that is kept, or 404. */
const inKeptMail = administered(
  within(inAdministration, {
    name: 'inKeptMail',
    path: { mail_id: integer('ID of a mail that is kept') },
    async load({ db, deps }, { mail_id }) {
      const mail = await keptMail(db, mail_id)
      if (!mail) throw notFound('Mail')
      return { mail: { ...mail, ...contentOf(mail, deps.secrets) } }
    },
  }),
)

export const showMail = pageEndpoint({
  route: `GET ${LIST}/:mail_id`,
  summary: 'Read a mail that is kept',
  scope: inKeptMail,
  can: 'admin_instance',
  run(ctx) {
    const { id, subject, recipient, created_at, text } = ctx.mail
    return page(ctx, {
      title: subject,
      place: adminPlace('mails', ctx),
      body: html`<dl class="facts-list"><dt>To</dt><dd><bdi>${recipient}</bdi></dd><dt>Written</dt><dd>${time(created_at)}</dd></dl>
<p class="section muted">What a link in it opens is meant for the recipient alone.</p>
<pre class="message">${withLinks(text)}</pre>
<p><a href="${LIST}/${id}/html" data-turbo="false">As mail programs show it</a></p><p><a href="${LIST}">All mails</a></p>`,
    })
  },
})

/** A text whose lines that are addresses lead there. */
const withLinks = (text: string): Html[] =>
  text.split('\n').map(line => (/^https?:\/\/\S+$/.test(line) ? html`<a href="${line}">${line}</a>\n` : html`${line}\n`))

/** The page of a mail has its own style, and nothing else. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(MAIL_STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export const showMailAsHtml = pageEndpoint({
  route: `GET ${LIST}/:mail_id/html`,
  summary: 'Show a mail that is kept as mail programs do',
  scope: inKeptMail,
  can: 'admin_instance',
  run: ({ mail }) => ({ body: mail.html ?? '', headers: { 'content-security-policy': POLICY } }),
})
