/** The page that the link of an invitation opens: for people with an account and without one. */
import { waysIn } from '../../identity/sessions/ways_in.ts'
import { roleName } from '../../platform/events/audit/entry.ts'
import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound, unauthenticated } from '../../platform/kernel/errors.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { acceptByLink, declineByLink } from '../../spaces/invitations/accept.ts'
import { INVITES } from '../../spaces/invitations/mail.ts'
import { invitationByLink } from '../../spaces/invitations/queries.ts'

/** `:invite_token` becomes the invitation of a link, or 404. */
const inInvite = within(inInstance, {
  name: 'inInvite',
  path: { invite_token: text('The secret of the link', { maxLength: 255 }) },
  async load({ db, now }, { invite_token }) {
    const invitation = await invitationByLink(db, invite_token, now)
    if (!invitation) throw notFound('Invitation')
    return { invitation, inviteToken: invite_token, link: `${INVITES}/${encodeURIComponent(invite_token)}` }
  },
})

export const showInvite = pageEndpoint({
  route: `GET ${INVITES}/:invite_token`,
  summary: 'Show the invitation of a link',
  scope: inInvite,
  can: 'read_instance',
  async run(ctx) {
    const { invitation, link, actor } = ctx
    const { email, path, full_name, access_level, expires_at, inviter_name, inviter_username } = invitation
    const mayMake = !actor.user && (await waysIn(ctx)).isOpen
    const decline = actionButton(ctx, { to: `${link}/decline`, face: 'Decline', asks: 'Decline? The link does not work any more then.' })
    const signIn = html`<a class="btn" href="/users/sign_in?${new URLSearchParams({ redirect: link }).toString()}">Sign in</a>`
    return page(ctx, {
      title: 'You are invited',
      width: 'narrow',
      body: html`<dl class="facts-list"><dt>To</dt><dd class="break">${full_name} <span class="muted">${path}</span></dd><dt>Role</dt><dd>${roleName(access_level)}</dd>${inviter_username !== null && html`<dt>By</dt><dd><bdi>${inviter_name}</bdi> (@${inviter_username})</dd>`}${expires_at !== null && html`<dt>Until</dt><dd>${expires_at}</dd>`}</dl>
${
  actor.user
    ? html`<p class="section">You accept as <strong>@${actor.user.username}</strong>.</p><div class="row">${actionButton(ctx, { to: `${link}/accept`, face: 'Accept', look: 'primary' })}${decline}</div>`
    : html`${mayMake && html`<p class="section">Make an account with <strong class="break">${email}</strong>: you become a member with it.</p>`}<div class="row">${mayMake && html`<a class="btn btn-primary" href="/users/sign_up?${new URLSearchParams({ email, invitation: ctx.inviteToken }).toString()}">Create an account</a>`}${signIn}${decline}</div><p class="muted small">With an account that you have, sign in and accept.</p>`
}`,
    })
  },
})

export const acceptInvite = formEndpoint({
  route: `POST ${INVITES}/:invite_token/accept`,
  summary: 'Accept the invitation of a link',
  scope: inInvite,
  can: 'use_instance',
  errors: ['conflict'],
  async run(ctx) {
    const { user } = ctx.actor
    if (!user) throw unauthenticated()
    await acceptByLink(ctx, ctx.invitation, user.id)
    return done(ctx, `/${ctx.invitation.path}`, 'You are a member now.')
  },
})

export const declineInvite = formEndpoint({
  route: `POST ${INVITES}/:invite_token/decline`,
  summary: 'Decline the invitation of a link',
  scope: inInvite,
  can: 'read_instance',
  anonymous: true,
  async run(ctx) {
    await declineByLink(ctx, ctx.invitation)
    return done(ctx, ctx.actor.user ? '/' : '/users/sign_in', 'The invitation was declined.')
  },
})
