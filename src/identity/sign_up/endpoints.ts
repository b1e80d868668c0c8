/** The page on which people make an account of their own. The API at 14.0 has none: administrators create accounts there. */
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { pages } from '../../platform/pages/dialect.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { wantsConfirmation } from '../email_confirmations/links.ts'
import { UserSummary } from '../users/entity.ts'
import { openSignUp, type SignedUp, signUp } from './commands.ts'

/** The parameter with the secret of an invitation. */
const INVITATION = 'invitation'

/** What the form sends to. */
const makeAccount = endpoint({
  route: 'POST /users/sign_up',
  summary: 'Make an account of one’s own',
  dialect: pages,
  scope: inInstance,
  can: 'read_instance',
  anonymous: true,
  params: {
    name: text('Full name', { minLength: 1, maxLength: 255, examples: ['Ida Example'] }),
    username: text('Username', { minLength: 1, maxLength: 255, examples: ['ida'] }),
    email: text('Email address', { minLength: 3, maxLength: 254, examples: ['ida@example.com'] }),
    password: text('Password, at least 8 characters', { maxLength: 128, examples: ['correct horse battery staple'] }),
    [INVITATION]: optional(text('The secret of the link of an invitation: its address is confirmed by it', { maxLength: 255 })),
  },
  answers: one(UserSummary),
  run: ctx => signUp(ctx, ctx.params, ctx.params[INVITATION]),
})

/** The secret of an invitation in the address of the page. */
const invitationOf = ({ request }: Pick<Context, 'request'>): string | undefined => queryOf(request).get(INVITATION)?.slice(0, 255)

const queryOf = ({ address }: Context['request']): URLSearchParams => new URLSearchParams(address.split('?', 2)[1] ?? '')

const saidOf = ({ state, isMailed }: SignedUp): string => {
  const waits = state === 'blocked_pending_approval'
  if (isMailed)
    return `Now open the link that was mailed to you: it confirms your address.${waits ? ' An administrator approves the account, too.' : ''}`
  return waits ? 'Your account waits for the approval of an administrator.' : 'Your account is there. Sign in to it.'
}

const signUpForm = form({
  path: '/users/sign_up',
  summary: 'Make an account of one’s own',
  scope: inInstance,
  of: makeAccount,
  fields: () => [
    { name: 'name', label: 'Full name', hint: '', autofocus: true, autocomplete: 'name' },
    { name: 'username', label: 'Username', hint: 'Part of the addresses of your projects.', autocomplete: 'username' },
    { name: 'email', label: 'Email', hint: '', autocomplete: 'email' },
    {
      name: 'password',
      label: 'Password',
      hint: 'At least 8 characters; a few words that do not belong together are best.',
      control: 'password',
      autocomplete: 'new-password',
    },
  ],
  // The link of an invitation brings its address, and its secret, which stays in the address of the page.
  values: ({ request }) => ({ email: queryOf(request).get('email')?.slice(0, 254) }),
  action: ctx =>
    `/users/sign_up${invitationOf(ctx) === undefined ? '' : `?${new URLSearchParams({ [INVITATION]: invitationOf(ctx) as string })}`}`,
  async before(ctx) {
    const settings = await openSignUp(ctx)
    const says = [
      wantsConfirmation(ctx, settings) && invitationOf(ctx) === undefined && 'You get a mail with a link that confirms your address.',
      settings.require_admin_approval_after_user_signup &&
        'An administrator approves new accounts: you can sign in as soon as that is done.',
    ].filter(said => said !== false)
    return says.length > 0 ? html`<p class="muted">${says.join(' ')}</p>` : undefined
  },
  after: () => html`<p class="section">You have an account? <a href="/users/sign_in">Sign in</a></p>`,
  next: () => '/users/sign_in',
  notice: saidOf,
  button: 'Create account',
  cancel: 'stays',
  frame: () => ({ title: 'Create an account', width: 'narrow' }),
})

export const showSignUp = signUpForm.show
export const submitSignUp = signUpForm.submit
