/** The HTML of signing in and out. */
import { type AppearanceRow, appearanceOf } from '../../platform/appearance/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { plainText } from '../../platform/pages/frame/plain_text.ts'
import { shortMarkdown } from '../../platform/pages/frame/short_markdown.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { directoryNote, NOTE } from '../ldap/pages.ts'
import { providerButtons } from '../providers/pages.ts'
import { waysIn } from './ways_in.ts'

export interface SignInForm {
  /** Local path to go to afterwards. */
  readonly back: string
  readonly login?: string
  /** Was "Stay signed in" chosen? */
  readonly isRemembered?: boolean
  /** Why the last attempt failed. */
  readonly refused?: string
  /** Is the form for a password shown although only administrators use one? */
  readonly forAdministrators?: boolean
}

/** The sign-in page; 401 when it is shown again after a failed attempt. */
export async function signInPage(ctx: Context, form: SignInForm): Promise<ByteAnswer> {
  const { back, refused } = form
  const { isOpen, byPassword, providers, says } = await waysIn(ctx)
  const note = directoryNote(ctx.deps.config)
  const appearance = await appearanceOf(ctx.db)
  const takesPasswords = byPassword || note !== false
  const hasForm = takesPasswords || form.forAdministrators === true || form.login !== undefined
  const buttons = providerButtons(providers, back)
  return page(ctx, {
    title: 'Sign in',
    ...(refused === undefined ? {} : { status: 401 }),
    // An application that needs no consent redirects the browser to its own site immediately.
    formLeadsAway: back.startsWith('/oauth/'),
    width: 'narrow',
    body: html`${introduction(appearance)}${refused !== undefined && html`<div class="notice danger" role="alert">${icon('alert')}<span>${refused}</span></div>`}
${plainText(says)}
${buttons}
${takesPasswords && buttons && html`<p class="divided muted">or with a password</p>`}
${hasForm && !takesPasswords && html`<p class="muted">Only administrators sign in with a password.</p>`}
${hasForm && passwordForm(form, note)}
${isOpen && html`<p>No account yet? <a href="/users/sign_up">Create one</a></p>`}
${!hasForm && html`<p class="section muted small">An administrator, and none of these works? <a href="/users/sign_in?${new URLSearchParams({ by: 'password', redirect: back }).toString()}">Sign in with a password</a></p>`}`,
  })
}

/** What the instance says of itself above the form. */
const introduction = ({ title, description, logo }: AppearanceRow): Html | false =>
  (title !== '' || description !== '' || logo !== null) &&
  html`<div class="section introduction">${logo !== null && html`<img src="${logo}" alt="">`}${title !== '' && html`<p class="title" dir="auto">${title}</p>`}${description !== '' && html`<div dir="auto">${shortMarkdown(description)}</div>`}</div>`

const passwordForm = ({ back, login = '', isRemembered = false }: SignInForm, note: Html | false): Html =>
  html`<form method="post" action="/users/sign_in" data-turbo="false">
<input type="hidden" name="redirect" value="${back}">
<div class="field"><label for="login">Username or email</label>
<input class="form-control" id="login" name="login" value="${login}" autocomplete="username" autocapitalize="none" spellcheck="false"${note && html` aria-describedby="${NOTE}"`} required autofocus>
${note}</div>
<div class="field"><label for="password">Password</label>
<input class="form-control" id="password" name="password" type="password" autocomplete="current-password" required></div>
<div class="field"><label class="choice"><input type="checkbox" name="remember_me" value="1"${isRemembered && html` checked`}> <span>Stay signed in<br><span class="muted small">Also when this browser is closed. Not on a computer that others use.</span></span></label></div>
<button class="btn btn-primary btn-block">Sign in</button>
</form>
<p class="section"><a href="/users/passkeys?${new URLSearchParams({ redirect: back }).toString()}">Sign in with a passkey</a></p>
<p class="section"><a href="/users/password/new">Forgot your password?</a> · <a href="/users/confirmation/new">Confirm your address</a></p>`

/** The page after an account became active again by signing in. */
export const welcomeBackPage = (ctx: Context, back: string): Promise<ByteAnswer> =>
  page(ctx, {
    title: 'Welcome back',
    body: html`<p>Your account was deactivated and is active again.</p><p><a href="${back}">Continue</a></p>`,
  })

/** Asks for confirmation when another site sent the user to sign out. */
export const signOutPage = (ctx: Context): Promise<ByteAnswer> =>
  page(ctx, { title: 'Sign out?', body: html`<p>Another site sent you here.</p>${signOutForm(ctx)}` })

/** A button that signs out. */
export const signOutForm = (ctx: Context): Html =>
  html`<form method="post" action="/users/sign_out" data-turbo="false">${csrfField(ctx)}<button class="btn">Sign out</button></form>`
