/** The view of the members of a place. */
import { roles } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { AccessRequestRow } from '../../spaces/access_requests/queries.ts'
import type { InvitationRow } from '../../spaces/invitations/queries.ts'
import type { MemberRow } from '../../spaces/members/queries.ts'

/** What roles are called. */
export const roleNames: Readonly<Record<number, string>> = {
  [roles.minimal]: 'Minimal access',
  [roles.guest]: 'Guest',
  [roles.reporter]: 'Reporter',
  [roles.developer]: 'Developer',
  [roles.maintainer]: 'Maintainer',
  [roles.owner]: 'Owner',
}

/** Role levels as the choices of a field. */
export const roleChoices = (levels: readonly number[]): readonly (readonly [string, string])[] =>
  levels.map(level => [String(level), roleNames[level] ?? String(level)] as const)

/** What the view needs of the place and the caller. */
export interface MembersView {
  readonly ctx: Context
  /** The address of the page; its actions are below it. */
  readonly base: string
  readonly levels: readonly number[]
  readonly mayManage: boolean
}

const person = ({ name, username, avatar_url }: Pick<MemberRow, 'name' | 'username' | 'avatar_url'>): Html =>
  html`${avatar({ name, avatar_url }, 32)}<div class="main"><div class="title"><a href="/${username}">${name}</a></div><div class="muted small">@${username}</div></div>`

/** The members of the place itself, with what the caller may do with each. */
export const memberList = (view: MembersView, members: readonly MemberRow[]): Html =>
  html`<ul class="list" data-list>${members.map(member => memberItem(view, member))}</ul>`

function memberItem({ ctx, base, levels, mayManage }: MembersView, member: MemberRow): Html {
  const isSelf = member.id === ctx.actor.user?.id
  const until = member.expires_at?.slice(0, 10)
  const terms = mayManage
    ? html`<form method="post" action="${base}/${member.id}" class="row">${csrfField(ctx)}
<label class="sr-only" for="level-${member.id}">Role of ${member.name}</label><select class="form-control form-select input-sm" id="level-${member.id}" name="access_level">${levels.map(level => html`<option value="${level}"${level === member.access_level && html` selected`}>${roleNames[level]}</option>`)}</select>
<label class="sr-only" for="until-${member.id}">Last day of ${member.name}</label><input class="form-control input-sm" type="date" id="until-${member.id}" name="expires_at" value="${until ?? ''}">
<button class="btn btn-sm">Save<span class="sr-only"> ${member.name}</span></button></form>`
    : html`${chip(roleNames[member.access_level] ?? String(member.access_level))}${until !== undefined && html` <span class="muted small">until ${until}</span>`}`
  const mayRemove = mayManage || isSelf
  return html`<li>${person(member)}<div class="row">${terms}${mayRemove && actionButton(ctx, { to: `${base}/${member.id}/remove`, face: isSelf ? 'Leave' : 'Remove', look: 'danger', label: isSelf ? 'Leave' : `Remove ${member.name}`, asks: isSelf ? 'Leave?' : `Remove ${member.name}?` })}</div></li>`
}

/** Members by way of a group above; they are changed there. */
export const inheritedList = (members: readonly MemberRow[]): Html =>
  html`<ul class="list">${members.map(member => html`<li>${person(member)}<div class="row">${chip(roleNames[member.access_level] ?? String(member.access_level))}</div></li>`)}</ul>`

/** Addresses that were invited and have no account yet. */
export const invitationList = ({ ctx, base }: MembersView, invitations: readonly InvitationRow[]): Html =>
  html`<ul class="list">${invitations.map(
    ({ email, access_level, created_at, created_by_name }) =>
      html`<li><div class="main"><div class="title">${email}</div><div class="muted small">Invited${created_by_name !== null && html` by ${created_by_name}`} ${time(created_at)}</div></div><div class="row">${chip(roleNames[access_level] ?? String(access_level))}${actionButton(ctx, { to: `${base}/invitations/${encodeURIComponent(email)}/remove`, face: 'Take back', label: `Take back the invitation of ${email}` })}</div></li>`,
  )}</ul>`

/** Those who ask for access. */
export const requestList = ({ ctx, base }: MembersView, requests: readonly AccessRequestRow[]): Html =>
  html`<ul class="list">${requests.map(
    asking =>
      html`<li>${person(asking)}<div class="row"><span class="muted small">Asked ${time(asking.requested_at)}</span>${actionButton(ctx, { to: `${base}/requests/${asking.id}/approve`, face: 'Approve', look: 'primary', label: `Approve ${asking.name}` })}${actionButton(ctx, { to: `${base}/requests/${asking.id}/deny`, face: 'Deny', label: `Deny ${asking.name}` })}</div></li>`,
  )}</ul>`
