/** The pages of one's own settings: profile, password, sessions. */

import { changeEmail } from '../../identity/emails/endpoints.ts'
import { PRIVATE } from '../../identity/emails/private_email.ts'
import { emailsOf } from '../../identity/emails/queries.ts'
import { located, placeText } from '../../identity/places/places.ts'
import { changePassword } from '../../identity/sessions/endpoints.ts'
import { endOtherSessionsOf, endSessionOf, type SessionRow, sessionsOf } from '../../identity/sessions/own_password.ts'
import { browserName } from '../../identity/users/activity/browser_name.ts'
import { updateSelf } from '../../identity/users/endpoints.ts'
import type { UserRow } from '../../identity/users/queries.ts'
import { inSelf } from '../../identity/users/scope.ts'
import { appearanceOf } from '../../platform/appearance/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { guidelines } from '../appearance/shown.ts'
import { pictureNow } from '../settings_pages/picture.ts'
import { PRIMARY, SETTINGS, settingsPlace } from './place.ts'

/** The addresses that a field offers: those that are confirmed, and the one that it has. */
const addressChoices = (none: string, addresses: readonly string[], now: string | null) =>
  [['', none], ...[...new Set([...addresses, ...(now ? [now] : [])])].map(address => [address, address] as const)] as const

/** The addresses of an account that its owner has confirmed. */
async function confirmedAddresses({ db }: Context, user: UserRow): Promise<readonly string[]> {
  const others = await emailsOf(db, user.id).where('confirmed_at', 'is not', null).execute()
  return [...(user.confirmed_at === null ? [] : [user.email]), ...others.map(({ email }) => email)]
}

const profileFields = (user: UserRow, addresses: readonly string[]): readonly FieldSpec[] => [
  { name: 'name', hint: 'As others see it.', required: true },
  { name: 'avatar', label: 'Picture', control: 'file', hint: 'An image of up to 200 KB; the one there is stays when empty.' },
  { name: 'bio', hint: 'A line about you.' },
  { name: 'job_title', hint: '' },
  { name: 'organization', hint: '' },
  { name: 'location', hint: '' },
  { name: 'pronouns', hint: '' },
  { name: 'website_url', label: 'Website', hint: '' },
  { name: 'linkedin', label: 'LinkedIn', hint: '' },
  { name: 'twitter', label: 'Twitter', hint: '' },
  { name: 'skype', label: 'Skype', hint: '' },
  {
    name: 'public_email',
    label: 'Public email address',
    control: 'select',
    choices: addressChoices('None', addresses, user.public_email),
    hint: 'Everyone sees it on your profile.',
  },
  {
    name: 'commit_email',
    label: 'Email address of commits',
    control: 'select',
    choices: [
      ...addressChoices('The primary one', addresses, user.commit_email === PRIVATE ? null : user.commit_email),
      [PRIVATE, `One that takes no mail: ${user.private_email}`],
    ],
    hint: 'Of commits that are made here, in the browser or by merging.',
  },
  { name: 'private_profile', label: 'Private profile', hint: 'Your activity is shown to yourself and administrators alone.' },
]

const profile = form({
  path: SETTINGS,
  summary: 'Change one’s own profile',
  scope: inSelf,
  of: updateSelf,
  fields: async ctx => profileFields(ctx.user, await confirmedAddresses(ctx, ctx.user)),
  values: ({ user }) => ({ ...user }),
  next: () => SETTINGS,
  notice: 'Your profile was saved.',
  before: async ctx =>
    html`${pictureNow(ctx, ctx.user, `${SETTINGS}/picture/delete`)}${guidelines((await appearanceOf(ctx.db)).profile_image_guidelines)}`,
  button: 'Save profile',
  cancel: 'stays',
  frame: () => ({ title: 'Profile', place: settingsPlace('profile') }),
})
export const showProfileForm = profile.show
export const submitProfile = profile.submit

export const removeOwnPicture = action({
  route: `POST ${SETTINGS}/picture/delete`,
  of: updateSelf,
  scope: inSelf,
  instead: { params: {}, adapt: async () => ({ avatar: null }) },
  next: () => SETTINGS,
  notice: 'Your picture was removed.',
})

const password = form({
  path: `${SETTINGS}/password/edit`,
  summary: 'Change one’s own password',
  scope: inSelf,
  of: changePassword,
  fields: () => [
    { name: 'current_password', control: 'password', autocomplete: 'current-password', hint: '' },
    {
      name: 'password',
      label: 'New password',
      control: 'password',
      autocomplete: 'new-password',
      hint: 'At least 8 characters, and not one that is easily guessed.',
    },
  ],
  next: () => '/users/sign_in',
  notice: 'Your password was changed and all sessions ended: sign in with the new one.',
  button: 'Change password',
  cancel: 'stays',
  frame: () => ({ title: 'Password', place: settingsPlace('password') }),
})
export const showPasswordForm = password.show
export const submitPassword = password.submit

const email = form({
  path: PRIMARY,
  summary: 'Change one’s own primary email address',
  scope: inSelf,
  of: changeEmail,
  fields: () => [
    {
      name: 'email',
      label: 'Primary email address',
      hint: 'A link is sent to it: it takes effect when you open the link. The present address gets a mail, too.',
      autocomplete: 'email',
    },
  ],
  values: ({ user }) => ({ email: user.unconfirmed_email ?? user.email }),
  next: () => `${SETTINGS}/emails`,
  notice: ({ unconfirmed_email }: UserRow) =>
    unconfirmed_email === null ? 'Your primary address was saved.' : 'Now open the link that is sent to the address.',
  confirms: true,
  button: 'Save address',
  cancel: () => `${SETTINGS}/emails`,
  frame: () => ({ title: 'Primary email address', place: settingsPlace('emails') }),
})
export const showEmailForm = email.show
export const submitEmail = email.submit

const SESSIONS = `${SETTINGS}/active_sessions` as const

/** Sessions that the page shows. */
const MOST_SESSIONS = 100

export const showSessions = pageEndpoint({
  route: `GET ${SESSIONS}`,
  summary: 'Show one’s own sessions',
  scope: inSelf,
  can: 'update_own',
  async run(ctx) {
    const rows = await sessionsOf(ctx.db, ctx.user.id, ctx.now).limit(MOST_SESSIONS).execute()
    const places = await Promise.all(rows.map(async ({ ip_address }) => ip_address && (await located(ctx.deps, ip_address)).place))
    return page(ctx, {
      title: 'Sessions',
      place: settingsPlace('sessions'),
      width: 'medium',
      body: html`<p class="muted">Browsers in which you are signed in. End what you do not know, and change your password.</p>
${ctx.deps.config.placesFile === undefined && ctx.user.admin && html`<p class="muted">Where addresses are is not known here: <code>INGOT_PLACES_FILE</code> names a file that says it.</p>`}
<ul class="list">${rows.map((row, n) => sessionItem(ctx, row, placeText(places[n] || undefined, 'en', 'this network')))}</ul>
${rows.some(({ id }) => id !== sessionIdOf(ctx)) && html`<div class="section">${actionButton(ctx, { to: `${SESSIONS}/end_others`, face: 'Sign out all others', look: 'danger', asks: 'Sign out everywhere but here?' })}</div>`}`,
    })
  },
})

/** The session that the caller acts by. */
const sessionIdOf = ({ actor }: Context): number | undefined => (actor.credential?.kind === 'session' ? actor.credential.id : undefined)

function sessionItem(ctx: Context, { id, ip_address, user_agent, created_at }: SessionRow, place: string | undefined): Html {
  const isThis = sessionIdOf(ctx) === id
  return html`<li>${icon('globe')}<div class="main"><div class="break"${user_agent && html` title="${user_agent}"`}>${browserName(user_agent ?? '') ?? (user_agent || 'Unknown browser')} ${isThis && chip('This one', 'success')}</div><div class="facts"><span>${ip_address}${place && ` (${place})`}</span><span>signed in ${time(created_at)}</span></div></div>${!isThis && actionButton(ctx, { to: `${SESSIONS}/${id}/end`, face: 'Sign out', look: 'danger', label: `Sign out the session from ${ip_address}` })}</li>`
}

const inOwnSession = within(inSelf, {
  name: 'inOwnSession',
  path: { session_id: integer('ID of a session of one’s own') },
  async load({ db, user, now }, { session_id }) {
    const session = await sessionsOf(db, user.id, now).where('id', '=', session_id).executeTakeFirst()
    if (!session) throw notFound('Session')
    return { session }
  },
})

export const endOtherSession = formEndpoint({
  route: `POST ${SESSIONS}/:session_id/end`,
  summary: 'End one of one’s own sessions',
  scope: inOwnSession,
  can: 'update_own',
  async run(ctx) {
    await endSessionOf(ctx, ctx.user.id, ctx.session.id)
    return done(ctx, SESSIONS, 'The session has ended.')
  },
})

export const endOtherSessions = formEndpoint({
  route: `POST ${SESSIONS}/end_others`,
  summary: 'End all of one’s own sessions but this one',
  scope: inSelf,
  can: 'update_own',
  async run(ctx) {
    const count = await endOtherSessionsOf(ctx, ctx.user.id, sessionIdOf(ctx))
    return done(ctx, SESSIONS, count === 1 ? 'The other session has ended.' : `${count} other sessions have ended.`)
  },
})
