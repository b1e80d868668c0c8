/** The pages of accounts, for administrators. */
import { lockOf } from '../../../identity/sessions/locks/locks.ts'
import * as users from '../../../identity/users/endpoints.ts'
import { type UserRow, usersMatching } from '../../../identity/users/queries.ts'
import { inUserById } from '../../../identity/users/scope.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { avatar } from '../../../platform/pages/components/avatar.ts'
import { chip, type Tone } from '../../../platform/pages/components/chip.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import type { FieldSpec } from '../../../platform/pages/forms/fields.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { referringPath } from '../../../platform/pages/frame/local_path.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { adminPlace } from '../place.ts'
import { administered, inAdministration } from '../scope.ts'

/** Where the pages of accounts are. */
export const LIST = '/admin/users'

const inOne = administered(inUserById)

/** What the list can be narrowed to, with the filters of the API that do so. */
const kinds = {
  all: { label: 'All', filters: {} },
  active: { label: 'Active', filters: { active: true } },
  blocked: { label: 'Blocked', filters: { blocked: true } },
  waiting: { label: 'Waiting for approval', filters: { state: 'blocked_pending_approval' } },
  deactivated: { label: 'Deactivated', filters: { state: 'deactivated' } },
  banned: { label: 'Banned', filters: { state: 'banned' } },
  admins: { label: 'Administrators', filters: { admins: true } },
  two_factor: { label: 'With two factors', filters: { two_factor: 'enabled' } },
  without_two_factor: { label: 'Without two factors', filters: { two_factor: 'disabled' } },
  external: { label: 'External', filters: { external: true } },
} as const

type UserKind = keyof typeof kinds

export const showUsers = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show the accounts',
  scope: inAdministration,
  can: 'admin_instance',
  params: {
    ...listParams,
    search: optional(text('Part of the name, username or email', { maxLength: 255 })),
    filter: OneOf(Object.keys(kinds) as [UserKind, ...UserKind[]], { description: 'Which accounts', default: 'all' }),
  },
  async run(ctx) {
    const { search, filter } = ctx.params
    const found = await listPage(ctx, usersMatching(ctx.db, { search: search || undefined, ...kinds[filter].filters }, true), ctx.params)
    const to = (kind: string) => `${LIST}?${new URLSearchParams({ filter: kind, ...(search ? { search } : {}) }).toString()}`
    return page(ctx, {
      title: 'People',
      place: adminPlace('users', ctx),
      heading: 'own',
      body: html`<div class="heading"><h1>People</h1><a class="btn btn-primary" href="${LIST}/new">New account</a></div>
<form class="filter-bar" action="${LIST}"><label class="sr-only" for="search">Search</label><input class="form-control" type="search" id="search" name="search" value="${search ?? ''}" placeholder="Name, username or email"><input type="hidden" name="filter" value="${filter}"><button class="btn">Search</button></form>
<nav class="subnav" aria-label="Which accounts">${Object.entries(kinds).map(([kind, { label }]) => html`<a href="${to(kind)}"${kind === filter && html` aria-current="page"`}>${label}</a>`)}</nav>
${found.rows.length > 0 ? html`<ul class="list" data-list>${found.rows.map(user => userItem(ctx, user))}</ul>` : empty({ icon: 'people', title: 'No accounts', says: 'No account matches.' })}${found.links}`,
    })
  },
})

/** Colours of the states of accounts. */
const tones: Readonly<Record<string, Tone>> = {
  active: 'success',
  blocked: 'danger',
  banned: 'danger',
  deactivated: 'attention',
  blocked_pending_approval: 'attention',
}

/** What the states are called. */
const stateNames: Readonly<Record<string, string>> = {
  blocked: 'Blocked',
  banned: 'Banned',
  deactivated: 'Deactivated',
  blocked_pending_approval: 'Waiting for approval',
}

/** The moves that make sense in a state: the name of the move and what its button says. */
const moves: Readonly<Record<string, readonly (readonly [move: string, face: string])[]>> = {
  active: [
    ['block', 'Block'],
    ['deactivate', 'Deactivate'],
    ['ban', 'Ban'],
  ],
  blocked: [['unblock', 'Unblock']],
  banned: [['unban', 'Lift the ban']],
  deactivated: [['activate', 'Activate']],
  blocked_pending_approval: [['approve', 'Approve']],
}

function userItem(ctx: Context, user: UserRow): Html {
  return html`<li>${avatar(user, 32)}<div class="main"><div class="title"><a href="${LIST}/${user.username}">${user.name}</a> ${userChips(user, ctx.now)}</div><div class="facts"><span>@${user.username}</span><span>${user.email}</span>${user.last_activity_on !== null && html`<span>active ${user.last_activity_on.slice(0, 10)}</span>`}</div></div>
${userButtons(ctx, user)}</li>`
}

/** Does the account take no passwords for now? */
const isLocked = (user: UserRow, now: Date): boolean => lockOf(user, now) > 0

/** What an account is, besides active and a person's. */
export const userChips = (user: UserRow, now: Date): Html =>
  html`${isLocked(user, now) && chip('Locked', 'attention')}${user.state !== 'active' && chip(stateNames[user.state] ?? user.state, tones[user.state])}${user.admin && chip('Administrator', 'accent')}${user.external && chip('External')}${user.kind !== 'human' && chip('Bot')}`

/** What can be done with the account of a person; none for bots. */
export function userButtons(ctx: Context, user: UserRow, first?: Html): Html | undefined {
  if (user.kind !== 'human') return undefined
  const isSelf = user.id === ctx.actor.user?.id
  return html`<div class="row">${first}<a class="btn btn-sm" href="${LIST}/${user.id}/edit">Edit<span class="sr-only"> ${user.name}</span></a>${!isSelf && (moves[user.state] ?? []).map(([move, face]) => actionButton(ctx, { to: `${LIST}/${user.id}/${move}`, face, label: `${face}: ${user.name}` }))}${!isSelf && user.state === 'blocked_pending_approval' && actionButton(ctx, { to: `${LIST}/${user.id}/reject`, face: 'Refuse', label: `Refuse ${user.name}`, asks: `Refuse ${user.name}? The account is deleted, and its address gets a mail.` })}${!isSelf && isLocked(user, ctx.now) && actionButton(ctx, { to: `${LIST}/${user.id}/unlock`, face: 'Unlock', label: `Unlock ${user.name}` })}${!isSelf && actionButton(ctx, { to: `${LIST}/${user.id}/delete`, face: 'Delete', look: 'danger', label: `Delete ${user.name}`, asks: `Delete ${user.name}? Groups that they alone own stay without an owner until others are.` })}</div>`
}

const attributes: readonly FieldSpec[] = [
  { name: 'admin', label: 'Administrator', hint: 'May do everything on this instance.' },
  { name: 'external', label: 'External', hint: 'Sees no internal projects without a membership.' },
  { name: 'can_create_group', label: 'May create groups', hint: '' },
  { name: 'projects_limit', label: 'Projects that they may create', hint: '' },
  { name: 'note', label: 'Note for administrators', control: 'textarea', hint: '' },
]

const named: readonly FieldSpec[] = [
  { name: 'name', hint: '' },
  { name: 'username', hint: '' },
  { name: 'email', label: 'Email', hint: '' },
]

const password = { name: 'password', control: 'password', autocomplete: 'new-password' } as const

const newUser = form({
  path: `${LIST}/new`,
  summary: 'Create an account',
  scope: inAdministration,
  of: users.createUser,
  fields: () => [
    ...named,
    { ...password, required: true, hint: 'At least 8 characters. No mail has it: hand it to them yourself.' },
    ...attributes,
  ],
  values: () => ({ can_create_group: true }),
  next: () => LIST,
  notice: 'The account was created.',
  confirms: true,
  button: 'Create account',
  cancel: () => LIST,
  frame: ctx => ({ title: 'New account', place: adminPlace('users', ctx) }),
})
export const showNewUser = newUser.show
export const submitNewUser = newUser.submit

const editUser = form({
  path: `${LIST}/:id/edit`,
  summary: 'Change an account',
  scope: inOne,
  of: users.updateUser,
  fields: () => [...named, { ...password, hint: 'At least 8 characters; empty to keep the one that there is.' }, ...attributes],
  values: ({ user }) => ({ ...user, password: undefined }),
  // An empty password is none; a note is cleared by the API.
  empty: 'left_out',
  next: () => LIST,
  notice: 'The account was changed.',
  confirms: true,
  button: 'Save',
  cancel: () => LIST,
  frame: ctx => ({ title: `Edit ${ctx.user.name}`, place: adminPlace('users', ctx) }),
})
export const showEditUser = editUser.show
export const submitEditUser = editUser.submit

/** The page that the button stands on: the list with its filter, or the account's own page, where there still is one. */
function backFrom({ request, deps }: Pick<Context, 'request' | 'deps'>, isThereStill: boolean): string {
  const from = referringPath(request.headers, deps.config)
  const isList = from === LIST || from?.startsWith(`${LIST}?`)
  return from !== undefined && (isList || (isThereStill && from.startsWith(`${LIST}/`))) ? from : LIST
}
const back = (ctx: Context) => backFrom(ctx, true)
const backToList = (ctx: Context) => backFrom(ctx, false)

const button = (move: string, of: typeof users.blockUser, notice: string, next = back) =>
  action({ route: `POST ${LIST}/:id/${move}`, of, scope: inOne, next, notice })

export const block = button('block', users.blockUser, 'The account is blocked.')
export const unblock = button('unblock', users.unblockUser, 'The account is active again.')
export const ban = button('ban', users.banUser, 'The account is banned.')
export const unban = button('unban', users.unbanUser, 'The ban was lifted.')
export const deactivate = button('deactivate', users.deactivateUser, 'The account is deactivated; signing in makes it active again.')
export const activate = button('activate', users.activateUser, 'The account is active again.')
export const approve = button('approve', users.approveUser, 'The account was approved.')
export const reject = button('reject', users.rejectUser, 'The account was refused, and is deleted.', backToList)
export const unlock = button('unlock', users.unlockUser, 'The account takes passwords again.')
export const remove = action({
  route: `POST ${LIST}/:id/delete`,
  of: users.deleteUser,
  scope: inOne,
  next: backToList,
  notice: 'The account is being deleted.',
  confirms: true,
})
