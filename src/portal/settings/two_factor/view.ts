/** The HTML of one's own second factors. */
import type { TotpSetup } from '../../../identity/two_factor/totp.ts'
import type { CredentialRow } from '../../../identity/two_factor/webauthn/queries.ts'
import type { UserRow } from '../../../identity/users/queries.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { Secret } from '../../../platform/secret.ts'
import type { GroupRow } from '../../../spaces/groups/queries.ts'
import { SETTINGS, settingsPlace } from '../place.ts'
import { requiringSection } from './groups.ts'

export const TWO_FACTOR = `${SETTINGS}/two_factor` as const
export const APP = `${TWO_FACTOR}/app` as const
export const KEYS = `${TWO_FACTOR}/keys` as const
export const GROUPS = `${TWO_FACTOR}/groups` as const
export const RECOVERY = `${TWO_FACTOR}/recovery_codes` as const

/** What the overview shows. */
export interface Factors {
  readonly user: UserRow
  readonly app: { readonly created_at: string } | undefined
  readonly keys: readonly CredentialRow[]
  readonly codesLeft: number
  /** Those that require a second factor of a user who has none. */
  readonly groups: readonly GroupRow[]
}

/** Codes below which the page says so. */
const FEW = 4

export const overview = (ctx: Context, { user, app, keys, codesLeft, groups }: Factors): Html => html`
<p>${user.two_factor_enabled ? html`${chip('On', 'success')} You sign in with your password and a second factor.` : html`${chip('Off')} Your password alone opens your account. With a second factor a stolen password is not enough.`}</p>
<section class="section"><h2>App for codes</h2>
${
  app
    ? html`<div class="row"><span>${icon('device-mobile')} Added ${time(app.created_at)}</span>${actionButton(ctx, { to: `${APP}/remove`, face: 'Remove', label: 'Remove the app for codes', look: 'danger', asks: 'Remove the app for codes?' })}</div>`
    : html`<p class="muted">An app on your phone, or a password manager, shows a new code every 30 seconds.</p><p><a class="btn${!user.two_factor_enabled && ' btn-primary'}" href="${APP}">Add an app</a></p>`
}</section>
${keySection(ctx, { title: 'Security keys', says: 'A key on USB or NFC, or the computer itself, answers in place of a code.', add: 'Add a security key', href: `${TWO_FACTOR}/security_keys/new`, keys: keys.filter(({ passkey }) => !passkey) })}
${keySection(ctx, { title: 'Passkeys', says: 'A passkey signs you in by itself, without a password and a second step: the device checks that it is you.', add: 'Add a passkey', href: `${TWO_FACTOR}/passkeys/new`, keys: keys.filter(({ passkey }) => passkey) })}
${
  user.two_factor_enabled &&
  html`<section class="section"><h2>Recovery codes</h2>
${codesLeft < FEW && html`<div class="notice attention">${icon('alert')}<span>${codesLeft === 0 ? 'You have no recovery codes left.' : `You have ${codesLeft} recovery ${codesLeft === 1 ? 'code' : 'codes'} left.`} Make new ones before you need them.</span></div>`}
<p>${codesLeft} of 10 left. Each opens your account once in place of the second factor. New ones replace those that are left.</p>
${actionButton(ctx, { to: RECOVERY, face: 'Make new recovery codes', whole: true })}</section>`
}
${requiringSection(ctx, groups, `${GROUPS}/leave`)}
${user.two_factor_enabled && html`<p class="muted small">git over HTTPS takes no password while two factors are on: use an <a href="${SETTINGS}/personal_access_tokens">access token</a> or an <a href="${SETTINGS}/keys">SSH key</a>.</p>`}`

interface KeySection {
  readonly title: string
  readonly says: string
  readonly add: string
  readonly href: string
  readonly keys: readonly CredentialRow[]
}

const keySection = (ctx: Context, { title, says, add, href, keys }: KeySection): Html => html`<section class="section"><h2>${title}</h2>
${keys.length > 0 ? html`<ul class="list">${keys.map(key => keyItem(ctx, key))}</ul>` : html`<p class="muted">${says}</p>`}
<p><a class="btn" href="${href}">${add}</a></p></section>`

const keyItem = (ctx: Context, { id, name, created_at, last_used_at }: CredentialRow): Html =>
  html`<li>${icon('key')}<div class="main"><div class="title">${name}</div><div class="facts"><span>added ${time(created_at)}</span><span>${last_used_at === null ? 'never used' : html`last used ${time(last_used_at)}`}</span></div></div>${actionButton(ctx, { to: `${KEYS}/remove`, face: 'Remove', label: `Remove ${name}`, look: 'danger', asks: `Remove ${name}?`, sends: { key_id: id } })}</li>`

/** The secret of a set-up, for a camera and for typing. */
export const setupView = ({ sealed, typed, address, picture }: TotpSetup): Html => html`
<p>Scan this picture with your app. On a phone, <a href="${address}">open it in the app</a> instead.</p>
<p><img class="qr-code" src="${picture}" alt="QR code with the secret for the app" width="200" height="200"></p>
<div class="field"><span id="typed-secret">Or type this secret</span><div class="row"><code aria-labelledby="typed-secret">${typed}</code>${copyButton('Copy the secret', typed.replaceAll(' ', ''))}</div></div>
<input type="hidden" name="setup" value="${sealed}">`

/** The recovery codes, shown this once. */
export function codesPage(ctx: Context, codes: readonly Secret[]): Promise<ByteAnswer> {
  const shown = codes.map(code => code.reveal())
  return page(ctx, {
    title: 'Your recovery codes',
    place: settingsPlace('two_factor'),
    width: 'medium',
    body: html`<div class="notice success" role="status">${icon('check-circle')}<span>Two-factor authentication is on. Keep these codes now: they are not shown again.</span></div>
<p>Each code opens your account once, in place of the second factor: if your phone is lost, they are the way back in. Print them, or keep them in a password manager.</p>
<ul class="recovery-codes mono">${shown.map(code => html`<li>${code}</li>`)}</ul>
<div class="row">${copyButton('Copy the codes', shown.join('\n'))}<a class="btn btn-primary" href="${TWO_FACTOR}">I have kept them</a></div>`,
  })
}
