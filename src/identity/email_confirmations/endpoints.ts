/** The pages on which an address is confirmed, and a link for it asked for again. The API at 14.0 has none. */
import Type from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { sendsMail } from '../../platform/mail/outbox.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pages } from '../../platform/pages/dialect.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { UserSummary } from '../users/entity.ts'
import type { UserRow } from '../users/queries.ts'
import { confirmByLink, openConfirmation, requestConfirmation } from './commands.ts'
import { CONFIRM, TOKEN } from './links.ts'

const open = { dialect: pages, scope: inInstance, can: 'read_instance', anonymous: true } as const

const NEW = `${CONFIRM}/new` as const

const askForLink = endpoint({
  ...open,
  route: `POST ${CONFIRM}`,
  summary: 'Ask for a link that confirms an address',
  params: { email: text('The address', { minLength: 3, maxLength: 254, examples: ['ida@example.com'] }) },
  answers: one(plain('IsMailSent', Type.Boolean())),
  async run(ctx) {
    await requestConfirmation(ctx, ctx.params.email)
    return sendsMail(ctx)
  },
})

const queryOf = ({ request }: Pick<Context, 'request'>): URLSearchParams => new URLSearchParams(request.address.split('?', 2)[1] ?? '')

const askForm = form({
  path: NEW,
  summary: 'Ask for a link that confirms an address',
  scope: inInstance,
  of: askForLink,
  fields: () => [{ name: 'email', label: 'Email', hint: 'The address that is to be confirmed.', autofocus: true, autocomplete: 'email' }],
  values: ctx => ({ email: queryOf(ctx).get('email')?.slice(0, 254) }),
  before: ctx =>
    sendsMail(ctx)
      ? html`<p class="muted">You get a mail with a link that confirms the address. It works once, for three days.</p>`
      : html`<div class="notice attention">${icon('alert')}<span>This server sends no mail. It keeps the mail with your link for its administrators: send this form, then ask one of them for the link.</span></div>`,
  after: ctx =>
    html`<p class="section">${ctx.actor.user ? html`<a href="/-/profile/emails">Your addresses</a>` : html`<a href="/users/sign_in">Sign in</a>`}</p>`,
  next: ctx => (ctx.actor.user ? '/-/profile/emails' : '/users/sign_in'),
  // The same for every address: nobody learns who has an account.
  notice: (isSent: boolean) =>
    isSent
      ? 'If an account waits with this address, the mail with the link is on its way.'
      : 'If an account waits with this address, the administrators have a link for it: ask one of them for the link.',
  button: 'Send me the link',
  cancel: 'stays',
  frame: () => ({ title: 'Confirm your address', width: 'narrow' }),
})

export const showConfirmationRequest = askForm.show
export const submitConfirmationRequest = askForm.submit

const confirmAddress = endpoint({
  ...open,
  route: `PUT ${CONFIRM}`,
  summary: 'Confirm an address',
  params: { [TOKEN]: text('The secret of the link', { maxLength: 255, examples: ['0123456789abcdef'] }) },
  answers: one(UserSummary),
  run: ctx => confirmByLink(ctx, ctx.params[TOKEN]),
})

/** The secret in the address of the page. */
const tokenOf = (ctx: Pick<Context, 'request'>): string => queryOf(ctx).get(TOKEN)?.slice(0, 255) ?? ''

// Programs that look at mails open their links: a button confirms, not the page.
const confirmForm = form({
  path: CONFIRM,
  summary: 'Confirm an address',
  scope: inInstance,
  of: confirmAddress,
  fields: () => [],
  // The secret stays in the address of the page.
  action: ctx => `${CONFIRM}?${new URLSearchParams({ [TOKEN]: tokenOf(ctx) })}`,
  async before(ctx) {
    const found = await openConfirmation(ctx, tokenOf(ctx))
    return found
      ? html`<dl class="facts-list"><dt>Address</dt><dd class="break">${found.email}</dd><dt>Account</dt><dd>@${found.username}</dd></dl><p class="muted">Do not confirm it if the account is not yours.</p>`
      : html`<div class="notice danger" role="alert">${icon('alert')}<span>This link was used before, or has ended. <a href="${NEW}">Ask for another one</a>.</span></div>`
  },
  next: ctx => (ctx.actor.user ? '/-/profile/emails' : '/users/sign_in'),
  notice: ({ state }: UserRow) =>
    state === 'blocked_pending_approval' ? 'The address is confirmed. An administrator approves the account.' : 'The address is confirmed.',
  button: 'Confirm the address',
  cancel: 'stays',
  frame: () => ({ title: 'Confirm your address', width: 'narrow' }),
})

export const showConfirmation = confirmForm.show
export const submitConfirmation = confirmForm.submit
