/** The page that the link of a notification opens: its recipient unsubscribes from the item without signing in. */

import { itemKindOf, wordsOf } from '../../collaboration/item_kinds/item_kind.ts'
import { columnOf } from '../../collaboration/item_kinds/kinds.ts'
import { setSubscription } from '../../collaboration/subscriptions/commands.ts'
import { readToken, SENT_NOTIFICATIONS } from '../../integrations/notifications/unsubscribing.ts'
import { participantById, readLeavingToken, removeParticipant } from '../../integrations/service_desk/participants.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'

/** `:notification_token` becomes what a link in a mail is about, or 404. Nothing of the item is shown: who has the link may not see it any more. */
const inSentNotification = within(inInstance, {
  name: 'inSentNotification',
  path: { notification_token: text('The signed text of the link', { maxLength: 255 }) },
  async load({ db, deps }, { notification_token }) {
    const link = `${SENT_NOTIFICATIONS}/${encodeURIComponent(notification_token)}/unsubscribe`
    const participantId = readLeavingToken(deps, notification_token)
    if (participantId !== undefined && (await participantById(db, participantId)))
      return { what: 'request', byMail: true, link, leave: (by: Context) => removeParticipant(by.db, participantId) }
    const about = readToken(deps, notification_token)
    const kind = about && itemKindOf(about.key)[0]
    const [, id] = about ? columnOf(about.key) : [undefined, 0]
    const item = kind && (await db.selectFrom(kind.table).select('id').where('id', '=', id).executeTakeFirst())
    const user = about && (await db.selectFrom('users').select('id').where('id', '=', about.userId).executeTakeFirst())
    if (!about || !kind || !item || !user) throw notFound('Notification')
    return {
      what: wordsOf(kind),
      byMail: false,
      link,
      leave: (by: Context) => setSubscription(by.db, about.userId, about.key, false, by.now),
    }
  },
})

export const showUnsubscribe = pageEndpoint({
  route: `GET ${SENT_NOTIFICATIONS}/:notification_token/unsubscribe`,
  summary: 'Ask whether to unsubscribe by the link of a mail',
  scope: inSentNotification,
  can: 'read_instance',
  run: async ctx =>
    page(ctx, {
      title: 'Unsubscribe',
      width: 'narrow',
      body: html`<p>You get no more mails about this ${ctx.what} then${!ctx.byMail && ', even where you are mentioned, until you subscribe to it again on its page'}.</p>
<div class="row">${actionButton(ctx, { to: ctx.link, face: 'Unsubscribe', look: 'primary', whole: true })}<a class="btn btn-sm" href="/">Keep the mails</a></div>
${!ctx.byMail && html`<p class="muted small section">To get fewer mails about everything, <a href="/-/profile/notifications">choose your notifications</a>.</p>`}`,
    }),
})

/** Also what mail programs send by one click (RFC 8058), which follow no redirects: the answer is the page itself. */
export const unsubscribe = formEndpoint({
  route: `POST ${SENT_NOTIFICATIONS}/:notification_token/unsubscribe`,
  summary: 'Unsubscribe by the link of a mail',
  scope: inSentNotification,
  can: 'read_instance',
  anonymous: true,
  async run(ctx) {
    const { what, leave, byMail } = ctx
    await leave(ctx)
    return page(ctx, {
      title: 'You are unsubscribed',
      width: 'narrow',
      body: html`<p role="status">You get no more mails about this ${what}.${!byMail && ' Subscribe again on its page.'}</p>`,
    })
  },
})
