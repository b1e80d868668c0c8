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
import type { SharedGroup } from '../../spaces/shares/queries.ts'

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

function memberItem(view: MembersView, member: MemberRow): Html {
  const { ctx, base, mayManage } = view
  const isSelf = member.id === ctx.actor.user?.id
  const until = member.expires_at?.slice(0, 10)
  const terms = mayManage
    ? termsForm(view, {
        to: `${base}/${member.id}`,
        key: String(member.id),
        of: member.name,
        level: member.access_level,
        until: until ?? null,
      })
    : html`${chip(roleNames[member.access_level] ?? String(member.access_level))}${until !== undefined && html` <span class="muted small">until ${until}</span>`}`
  const mayRemove = mayManage || isSelf
  return html`<li>${person(member)}<div class="row">${terms}${mayRemove && actionButton(ctx, { to: `${base}/${member.id}/remove`, face: isSelf ? 'Leave' : 'Remove', look: 'danger', label: isSelf ? 'Leave' : `Remove ${member.name}`, asks: isSelf ? 'Leave?' : `Remove ${member.name}?` })}</div></li>`
}

/** Members by way of a group above; they are changed there. */
export const inheritedList = (members: readonly MemberRow[]): Html =>
  html`<ul class="list">${members.map(member => html`<li>${person(member)}<div class="row">${chip(roleNames[member.access_level] ?? String(member.access_level))}</div></li>`)}</ul>`

/** The fields that change a role and its end, as one line. `key`: of the ids of its fields. */
const termsForm = (
  { ctx, levels }: MembersView,
  { to, key, of, level, until }: { to: string; key: string; of: string; level: number; until: string | null },
): Html => html`<form method="post" action="${to}" class="row">${csrfField(ctx)}
<label class="sr-only" for="level-${key}">Role of ${of}</label><select class="form-control form-select input-sm" id="level-${key}" name="access_level">${levels.map(each => html`<option value="${each}"${each === level && html` selected`}>${roleNames[each]}</option>`)}</select>
<label class="word-before" for="until-${key}"><span aria-hidden="true">until</span><span class="sr-only">Last day of ${of}</span></label><input class="form-control input-sm" type="date" id="until-${key}" name="expires_at" value="${until?.slice(0, 10) ?? ''}">
<button class="btn btn-sm">Save<span class="sr-only"> ${of}</span></button></form>`

/** Addresses that were invited and have no account yet. */
export const invitationList = (view: MembersView, invitations: readonly InvitationRow[]): Html =>
  html`<ul class="list">${invitations.map(({ id, email, access_level, created_at, created_by_name, expires_at }) => {
    const at = `${view.base}/invitations/${encodeURIComponent(email)}`
    return html`<li><div class="main"><div class="title">${email}</div><div class="muted small">Invited${created_by_name !== null && html` by ${created_by_name}`} ${time(created_at)}</div></div><div class="row">${termsForm(view, { to: at, key: `invited-${id}`, of: email, level: access_level, until: expires_at })}${actionButton(view.ctx, { to: `${at}/remove`, face: 'Take back', look: 'danger', label: `Take back the invitation of ${email}` })}</div></li>`
  })}</ul>`

/** The groups that the place is shared with: their members are members here, up to a role. */
export const shareList = ({ ctx, base }: MembersView, shares: readonly SharedGroup[], mayShare: boolean): Html =>
  html`<ul class="list">${shares.map(
    ({ group_id, group_name, group_full_path, group_access_level, expires_at }) =>
      html`<li>${avatar({ name: group_name, avatar_url: null }, 32, 'square')}<div class="main"><div class="title"><a href="/${group_full_path}">${group_name}</a></div><div class="muted small break">${group_full_path}</div></div><div class="row">${chip(`At most ${roleNames[group_access_level] ?? group_access_level}`)}${expires_at !== null && html`<span class="muted small">until ${expires_at.slice(0, 10)}</span>`}${mayShare && actionButton(ctx, { to: `${base}/groups/${group_id}/remove`, face: 'Remove', look: 'danger', label: `Remove ${group_name}`, asks: `Remove ${group_name}?` })}</div></li>`,
  )}</ul>`

/** Those who ask for access. */
export const requestList = ({ ctx, base }: MembersView, requests: readonly AccessRequestRow[]): Html =>
  html`<ul class="list">${requests.map(
    asking =>
      html`<li>${person(asking)}<div class="row"><span class="muted small">Asked ${time(asking.requested_at)}</span>${actionButton(ctx, { to: `${base}/requests/${asking.id}/approve`, face: 'Approve', look: 'primary', label: `Approve ${asking.name}` })}${actionButton(ctx, { to: `${base}/requests/${asking.id}/deny`, face: 'Deny', label: `Deny ${asking.name}` })}</div></li>`,
  )}</ul>`
