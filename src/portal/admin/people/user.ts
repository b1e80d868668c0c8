/** The page of one account, and acting as its user. */
import { beginActingAs, stopActing, whyNotActAs } from '../../../identity/sessions/administrators/impersonation.ts'
import { isOtherAdministrator } from '../../../identity/two_factor/commands.ts'
import { disableTwoFactorOfUser } from '../../../identity/two_factor/endpoints.ts'
import type { UserRow } from '../../../identity/users/queries.ts'
import { inUser, inUserById } from '../../../identity/users/scope.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { tierCovers } from '../../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../../platform/pages/answers.ts'
import { avatar } from '../../../platform/pages/components/avatar.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { formEndpoint, pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { done, page } from '../../../platform/pages/frame/document.ts'
import { STOP_ACTING_PATH } from '../../../platform/pages/frame/frame.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { listAuditEvents } from '../../../spaces/audit_events/endpoints.ts'
import { auditEntries } from '../../audit_events/view.ts'
import { adminPlace } from '../place.ts'
import { administered } from '../scope.ts'
import { identitiesView } from './profile.ts'
import { LIST, userButtons, userChips } from './users.ts'

/** Entries of the audit log that the page shows. */
const MOST_ENTRIES = 20

export const showUser = pageEndpoint({
  route: `GET ${LIST}/:user_id`,
  summary: 'Show an account to administrators',
  scope: administered(inUser),
  can: 'admin_user',
  async run(ctx) {
    const { user } = ctx
    const hasAuditLog = tierCovers(ctx.tier, 'premium')
    const entries = hasAuditLog
      ? (await answerOf(ctx, listAuditEvents, { entity_type: 'User', entity_id: user.id, page: 1, per_page: MOST_ENTRIES })).rows
      : []
    return page(ctx, {
      title: user.name,
      place: adminPlace('users', ctx),
      heading: 'own',
      body: html`<div class="heading"><div class="row">${avatar(user, 48)}<div><h1>${user.name} ${userChips(user, ctx.now)}</h1><a href="/${user.username}">@${user.username}</a></div></div>${userButtons(ctx, user, html`${actingButton(ctx, user)}${twoFactorButton(ctx, user)}`)}</div>
<section class="section">${factsOf(user)}${user.kind === 'human' && html`<p><a href="${LIST}/${user.id}/profile">Change what the profile says</a></p>`}</section>
${user.kind === 'human' && (await identitiesView(ctx, user))}
${hasAuditLog && html`<section class="section"><h2>What was recorded of the account</h2>${entries.length > 0 ? auditEntries(entries, { people: LIST }) : html`<p class="muted">Nothing yet.</p>`}</section>`}`,
    })
  },
})

/** The button that begins to act as the user; what stands in the way of it, where it is worth saying. */
function actingButton(ctx: Context, user: UserRow): Html | undefined {
  if (user.id === ctx.actor.user?.id) return undefined
  const reason = whyNotActAs(ctx, user)
  if (reason !== undefined) return html`<button type="button" class="btn btn-sm" disabled title="${reason}">Impersonate</button>`
  return actionButton(ctx, {
    to: `${LIST}/${user.id}/impersonate`,
    face: html`${icon('eye')} Impersonate`,
    label: `Impersonate ${user.name}`,
  })
}

/** For a lost phone; not for other administrators. */
function twoFactorButton(ctx: Context, user: UserRow): Html | undefined {
  if (!user.two_factor_enabled || isOtherAdministrator(ctx, user)) return undefined
  return actionButton(ctx, {
    to: `${LIST}/${user.id}/disable_two_factor`,
    face: 'Turn off two factors',
    label: `Turn off two-factor authentication of ${user.name}`,
    asks: `Turn off two-factor authentication of ${user.name}? Their password alone opens the account then. Be sure who asks for it.`,
  })
}

export const turnOffTwoFactor = action({
  route: `POST ${LIST}/:id/disable_two_factor`,
  of: disableTwoFactorOfUser,
  scope: administered(inUserById),
  confirms: true,
  next: ({ user }) => `${LIST}/${user.username}`,
  notice: 'Two-factor authentication is off. The owner gets a mail about it.',
})

const factsOf = (user: UserRow): Html => html`<dl class="facts-list">
<dt>ID</dt><dd>${user.id}</dd>
<dt>Email</dt><dd>${user.email}${user.confirmed_at === null && html` <span class="muted">(not confirmed)</span>`}</dd>
<dt>Created</dt><dd>${time(user.created_at)}</dd>
<dt>Sign-ins</dt><dd>${user.sign_in_count}${user.current_sign_in_at !== null && html`, the last ${time(user.current_sign_in_at)} from ${user.current_sign_in_ip}`}</dd>
<dt>Last active</dt><dd>${user.last_activity_on ?? 'never'}</dd>
<dt>Two factors</dt><dd>${user.two_factor_enabled ? 'on' : 'off'}</dd>
<dt>May create groups</dt><dd>${user.can_create_group ? 'yes' : 'no'}</dd>
<dt>Projects that they may create</dt><dd>${user.projects_limit.toLocaleString('en')}</dd>
${user.note && html`<dt>Note</dt><dd>${user.note}</dd>`}
</dl>`

export const impersonate = formEndpoint({
  route: `POST ${LIST}/:id/impersonate`,
  summary: 'Act as a user in the browser',
  scope: inUserById,
  can: 'admin_user',
  confirms: true,
  async run(ctx) {
    await beginActingAs(ctx, ctx.user)
    return done(ctx, '/', `You act as ${ctx.user.name}.`)
  },
})

export const stopImpersonation = formEndpoint({
  route: `POST ${STOP_ACTING_PATH}`,
  summary: 'Stop acting as another user',
  scope: inInstance,
  can: 'use_instance',
  withoutSecondFactor: true,
  async run(ctx) {
    await stopActing(ctx)
    return done(ctx, `${LIST}/${ctx.actor.user?.username}`, 'You are yourself again.')
  },
})
