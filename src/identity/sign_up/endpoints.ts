/** The page on which people make an account of their own. The API at 14.0 has none: administrators create accounts there. */
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { pages } from '../../platform/pages/dialect.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { html } from '../../platform/pages/html.ts'
import { UserSummary } from '../users/entity.ts'
import type { UserRow } from '../users/queries.ts'
import { openSignUp, signUp } from './commands.ts'

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
  },
  answers: one(UserSummary),
  run: ctx => signUp(ctx, ctx.params),
})

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
  // The link of an invitation brings its address.
  values: ({ request }) => ({ email: new URLSearchParams(request.address.split('?', 2)[1] ?? '').get('email')?.slice(0, 254) }),
  async before(ctx) {
    const { require_admin_approval_after_user_signup: waits } = await openSignUp(ctx)
    return waits ? html`<p class="muted">An administrator approves new accounts: you can sign in as soon as that is done.</p>` : undefined
  },
  after: () => html`<p class="section">You have an account? <a href="/users/sign_in">Sign in</a></p>`,
  next: () => '/users/sign_in',
  notice: (user: UserRow) =>
    user.state === 'active' ? 'Your account is there. Sign in to it.' : 'Your account waits for the approval of an administrator.',
  button: 'Create account',
  frame: () => ({ title: 'Create an account', width: 'narrow' }),
})

export const showSignUp = signUpForm.show
export const submitSignUp = signUpForm.submit
