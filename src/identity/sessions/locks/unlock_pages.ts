/** The pages on which the owner of a locked account unlocks it. The API at 14.0 has none. */
import Type from 'typebox'
import { plain } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { endpoint, one } from '../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { sendsMail } from '../../../platform/mail/outbox.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pages } from '../../../platform/pages/dialect.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { html } from '../../../platform/pages/html.ts'
import { UserSummary } from '../../users/entity.ts'
import { lockedByLink, requestUnlock, TOKEN, UNLOCK, unlockByLink } from './locks.ts'

const open = { dialect: pages, scope: inInstance, can: 'read_instance', anonymous: true } as const

const NEW = `${UNLOCK}/new` as const

const askForUnlock = endpoint({
  ...open,
  route: `POST ${UNLOCK}`,
  summary: 'Ask for a link that unlocks an account',
  params: { email: text('Email address of the account', { minLength: 3, maxLength: 254, examples: ['ida@example.com'] }) },
  answers: one(plain('IsUnlockSent', Type.Boolean())),
  async run(ctx) {
    await requestUnlock(ctx, ctx.params.email)
    return sendsMail(ctx)
  },
})

const askForm = form({
  path: NEW,
  summary: 'Ask for a link that unlocks an account',
  scope: inInstance,
  of: askForUnlock,
  fields: () => [
    { name: 'email', label: 'Email', hint: 'An address of your account that is confirmed.', autofocus: true, autocomplete: 'email' },
  ],
  before: () =>
    html`<p class="muted">After too many wrong passwords an account takes none for up to an hour, but from networks where you signed in. The link ends that. Your sessions and tokens go on.</p>`,
  after: () => html`<p class="section"><a href="/users/sign_in">Sign in</a></p>`,
  next: () => '/users/sign_in',
  // The same for every address: nobody learns who has an account, or a locked one.
  notice: (isSent: boolean) =>
    isSent
      ? 'If an account with this address is locked, the mail with the link is on its way.'
      : 'If an account with this address is locked, the administrators have a link for it, or unlock it: ask one of them.',
  button: 'Send me the link',
  cancel: 'stays',
  frame: () => ({ title: 'Unlock your account', width: 'narrow' }),
})

export const showUnlockRequest = askForm.show
export const submitUnlockRequest = askForm.submit

const unlock = endpoint({
  ...open,
  route: `PUT ${UNLOCK}`,
  summary: 'Unlock an account',
  params: { [TOKEN]: text('The secret of the link', { maxLength: 255, examples: ['0123456789abcdef'] }) },
  answers: one(UserSummary),
  run: ctx => unlockByLink(ctx, ctx.params[TOKEN]),
})

/** The secret in the address of the page. */
const tokenOf = ({ request }: Pick<Context, 'request'>): string =>
  new URLSearchParams(request.address.split('?', 2)[1] ?? '').get(TOKEN)?.slice(0, 255) ?? ''

// Programs that look at mails open their links: a button unlocks, not the page.
const unlockForm = form({
  path: UNLOCK,
  summary: 'Unlock an account',
  scope: inInstance,
  of: unlock,
  fields: () => [],
  action: ctx => `${UNLOCK}?${new URLSearchParams({ [TOKEN]: tokenOf(ctx) })}`,
  async before(ctx) {
    const user = await lockedByLink(ctx, tokenOf(ctx))
    return user
      ? html`<dl class="facts-list"><dt>Account</dt><dd>@${user.username}</dd></dl><p class="muted">Passwords are then taken from your network, whatever others do elsewhere.</p>`
      : html`<div class="notice danger" role="alert">${icon('alert')}<span>This link was used before, or has ended. <a href="${NEW}">Ask for another one</a>, where the account is locked still.</span></div>`
  },
  next: () => '/users/sign_in',
  notice: 'The account is unlocked. Sign in.',
  button: 'Unlock the account',
  cancel: 'stays',
  frame: () => ({ title: 'Unlock your account', width: 'narrow' }),
})

export const showUnlock = unlockForm.show
export const submitUnlock = unlockForm.submit
