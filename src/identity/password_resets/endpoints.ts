/** The pages on which a forgotten password is set again. The API at 14.0 has none. */
import Type from 'typebox'
import { plain } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, nothing, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { sendsMail } from '../../platform/mail/outbox.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pages } from '../../platform/pages/dialect.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { EDIT, isOpenLink, requestPasswordReset, setForgottenPassword, TOKEN } from './commands.ts'

const open = { dialect: pages, scope: inInstance, can: 'read_instance', anonymous: true } as const

const NEW = '/users/password/new'

const askForLink = endpoint({
  ...open,
  route: 'POST /users/password',
  summary: 'Ask for a link to set a forgotten password again',
  params: { email: text('Email address of the account', { minLength: 3, maxLength: 254, examples: ['ida@example.com'] }) },
  answers: one(plain('IsMailSent', Type.Boolean())),
  async run(ctx) {
    await requestPasswordReset(ctx, ctx.params.email)
    return sendsMail(ctx)
  },
})

/** The same for every address: nobody learns who has an account. */
const noticeOf = (isSent: boolean): string =>
  isSent
    ? 'If an account has this address, the mail with the link is on its way. It works for two hours.'
    : 'If an account has this address, the administrators have a link for it: ask one of them for the link. It works for two hours.'

const askForm = form({
  path: NEW,
  summary: 'Ask for a link to set a forgotten password again',
  scope: inInstance,
  of: askForLink,
  fields: () => [
    { name: 'email', label: 'Email', hint: 'An address of your account that is confirmed.', autofocus: true, autocomplete: 'email' },
  ],
  before: ctx =>
    sendsMail(ctx)
      ? html`<p class="muted">You get a mail with a link, on which you set a new password.</p>`
      : html`<div class="notice attention">${icon('alert')}<span>This server sends no mail. It keeps the mail with your link for its administrators: send this form, then ask one of them for the link.</span></div>`,
  after: () => html`<p class="section">You know it after all? <a href="/users/sign_in">Sign in</a></p>`,
  next: () => '/users/sign_in',
  notice: noticeOf,
  button: 'Send me the link',
  cancel: 'stays',
  frame: () => ({ title: 'Forgot your password?', width: 'narrow' }),
})

export const showPasswordRequest = askForm.show
export const submitPasswordRequest = askForm.submit

const setPassword = endpoint({
  ...open,
  route: 'PUT /users/password',
  summary: 'Set a forgotten password again',
  params: {
    [TOKEN]: text('The secret of the link', { maxLength: 255, examples: ['0123456789abcdef'] }),
    password: text('The new password, at least 8 characters', { maxLength: 128, examples: ['another long pass phrase'] }),
  },
  answers: nothing,
  run: ctx => setForgottenPassword(ctx, ctx.params[TOKEN], ctx.params.password),
})

/** The secret in the address of the page. */
const tokenOf = ({ request }: Pick<Context, 'request'>): string =>
  new URLSearchParams(request.address.split('?', 2)[1] ?? '').get(TOKEN)?.slice(0, 255) ?? ''

const setForm = form({
  path: EDIT,
  summary: 'Set a forgotten password again',
  scope: inInstance,
  of: setPassword,
  fields: () => [
    {
      name: 'password',
      label: 'New password',
      hint: 'At least 8 characters; a few words that do not belong together are best.',
      control: 'password',
      autofocus: true,
      autocomplete: 'new-password',
    },
  ],
  // The secret stays in the address: a password that is refused shows the same page again.
  action: ctx => `${EDIT}?${new URLSearchParams({ [TOKEN]: tokenOf(ctx) })}`,
  before: async ctx =>
    (await isOpenLink(ctx, tokenOf(ctx)))
      ? html`<p class="muted">You are signed out everywhere when the password is set.</p>`
      : html`<div class="notice danger" role="alert">${icon('alert')}<span>This link was used before, or has ended. <a href="${NEW}">Ask for another one</a>.</span></div>`,
  next: () => '/users/sign_in',
  notice: 'Your password is changed. Sign in with it.',
  button: 'Set the password',
  cancel: 'stays',
  frame: () => ({ title: 'Set a new password', width: 'narrow' }),
})

export const showNewPassword = setForm.show
export const submitNewPassword = setForm.submit
