/** The pages of members of projects and groups: the same for both. */
import { userByUsername } from '../../identity/users/queries.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { sendsMail } from '../../platform/mail/outbox.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { groupAccessRequests, projectAccessRequests } from '../../spaces/access_requests/endpoints.ts'
import { accessRequestsOf } from '../../spaces/access_requests/queries.ts'
import { inAccessRequest } from '../../spaces/access_requests/scope.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { groupInvitations, projectInvitations } from '../../spaces/invitations/endpoints.ts'
import { invitationsOf } from '../../spaces/invitations/queries.ts'
import { inInvitation } from '../../spaces/invitations/scope.ts'
import { groupMembers, projectMembers } from '../../spaces/members/endpoints.ts'
import { allMembersOf, membersOf } from '../../spaces/members/queries.ts'
import { type InPlace, inMember } from '../../spaces/members/scope.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { shareGroup, shareProject, unshareGroup, unshareProject } from '../../spaces/shares/endpoints.ts'
import { type SharedGroup, sharedGroupsOf } from '../../spaces/shares/queries.ts'
import { groupField, groupParam, groupTyped } from '../places/named.ts'
import { askedIn, candidates, findPeople } from './candidates.ts'
import { inheritedList, invitationList, type MembersView, memberList, requestList, roleChoices, shareList } from './members_view.ts'
import { inGroupMembersPage, inProjectMembersPage, inShare } from './scope.ts'

/** Entries of the lists besides that of members. */
const MOST = 100

interface Kind<S extends InPlace> {
  /** The address of the page, as a route. */
  readonly path: `/${string}`
  readonly scope: Scope<S>
  readonly levels: readonly number[]
  readonly read: Ability
  readonly manage: Ability
  readonly declarations: {
    readonly members: readonly Endpoint[]
    readonly invitations: readonly Endpoint[]
    readonly requests: readonly Endpoint[]
    readonly share: Endpoint
    readonly unshare: Endpoint
  }
  /** The roles that a share gives at most. */
  readonly shareLevels: readonly number[]
  readonly addressOf: (subjects: S) => string
  readonly placeOf: (ctx: Context & S) => Place
}

/** Invites all addresses or none: those that cannot be invited stay in the form, with the others. The API invites the others. */
const allOrNone = (invite: Endpoint): Endpoint => ({
  ...invite,
  async run(ctx) {
    const { message = {} } = (await invite.run(ctx)) as Invitations
    const refused = Object.entries(message).map(([email, reason]) => `${email} (${reason})`)
    if (refused.length > 0) throw invalid({ email: [`cannot all be invited, so nobody was: ${refused.join(', ')}`] })
    return { status: 'success' }
  },
})

/** What the API answers. `message`: why an address was not invited. */
interface Invitations {
  readonly message?: Readonly<Record<string, string>>
}

function memberPages<S extends InPlace>(kind: Kind<S>) {
  const { path, scope, levels, shareLevels, read, manage, declarations, addressOf, placeOf } = kind
  const { members, invitations, requests, share, unshare } = declarations
  const inOne = inMember(scope)
  const back = (subjects: S) => addressOf(subjects)
  const may = (ctx: Context & S, ability: Ability) => allows(ctx.actor, ability, scope.subject(ctx)) === 'yes'
  const choices = roleChoices(levels)
  const expiry = { name: 'expires_at', label: 'Until', hint: 'The last day; without one it does not end.' } as const

  const show = pageEndpoint({
    route: `GET ${path}`,
    summary: 'Show the members',
    scope: scope as Scope<S>,
    can: read as never,
    params: listParams,
    async run(input) {
      const ctx = input as unknown as Context & S & { params: { page: number; per_page: number } }
      const { db, place } = ctx
      const view: MembersView = { ctx, base: addressOf(ctx), levels, mayManage: may(ctx, manage) }
      const direct = await listPage(ctx, membersOf(db, place), ctx.params)
      const inherited = await allMembersOf(db, place, { skip_users: direct.rows.map(({ id }) => id) })
        .limit(MOST)
        .execute()
      const invited = view.mayManage ? await invitationsOf(db, place.key).limit(MOST).execute() : []
      const shares = await sharesOf(ctx)
      const mayShare = may(ctx, share.can)
      const asking = view.mayManage ? await accessRequestsOf(db, place.key).limit(MOST).execute() : []
      return page(ctx, {
        title: 'Members',
        place: placeOf(ctx),
        heading: 'own',
        body: html`<div class="heading"><h1>Members</h1>${view.mayManage && html`<div class="row"><a class="btn btn-primary" href="${view.base}/new">Add a member</a><a class="btn" href="${view.base}/invite">Invite by email</a>${mayShare && html`<a class="btn" href="${view.base}/groups/new">Share with a group</a>`}</div>`}</div>
${section('Requests for access', asking.length > 0 && requestList(view, asking))}
${section('Direct members', direct.rows.length > 0 ? html`${memberList(view, direct.rows)}${direct.links}` : empty({ icon: 'people', title: 'No members of its own', says: 'Members are added here, or come from the groups above.' }))}
${section('Invited by email', invited.length > 0 && invitationList(view, invited))}
${section('Groups', shares.length > 0 && shareList(view, shares, mayShare))}
${section('Members by the groups above', place.above.length > 0 && inherited.length > 0 && inheritedList(inherited))}`,
      })
    },
  })

  const add = form<S>({
    path: `${path}/new`,
    summary: 'Add a member',
    scope,
    of: declarationOf(members, 'POST', /\/members$/),
    instead: {
      of: ['user_id'],
      params: { username: text('Of the account to add', { minLength: 1, maxLength: 255, examples: ['root'] }) },
      async adapt({ db }, { username, ...params }) {
        const user = await userByUsername(db, String(username).replace(/^@/, ''))
        if (!user) throw invalid({ username: ['is not the name of an account'] })
        return { ...params, user_id: user.id }
      },
    },
    before: ctx => findPeople(ctx, `${addressOf(ctx)}/new`),
    fields: async ctx => [
      {
        name: 'username',
        label: 'Username',
        hint: 'Part of a name or username finds people.',
        autofocus: true,
        suggested: (await candidates(ctx)).map(({ username, name }) => [username, name] as const),
        suggestedFrom: `${addressOf(ctx)}/new`,
      },
      { name: 'access_level', label: 'Role', control: 'select', choices, hint: '' },
      expiry,
    ],
    values: ctx => ({ access_level: '30', username: askedIn(ctx).username }),
    next: back,
    notice: 'The member was added.',
    button: 'Add member',
    cancel: back,
    frame: ctx => ({ title: 'Add a member', place: placeOf(ctx) }),
  })

  const inviting = form<S>({
    path: `${path}/invite`,
    summary: 'Invite people by email',
    scope,
    of: allOrNone(declarationOf(invitations, 'POST', /\/invitations$/)),
    fields: () => [
      { name: 'email', label: 'Addresses', hint: 'One, or several with commas.', autofocus: true },
      { name: 'access_level', label: 'Role', control: 'select', choices, hint: '' },
      expiry,
    ],
    values: () => ({ access_level: '30' }),
    next: back,
    before: ctx =>
      sendsMail(ctx)
        ? html`<p class="muted">People without an account get a mail with a link.</p>`
        : html`<p class="muted">This server sends no mail: people without an account learn of it from you. Administrators have the link.</p>`,
    notice: 'Invited: who has an account is a member now, others become members with their account.',
    button: 'Invite',
    cancel: back,
    frame: ctx => ({ title: 'Invite by email', place: placeOf(ctx) }),
  })

  const sharing = form<S>({
    path: `${path}/groups/new`,
    summary: 'Share with a group',
    scope,
    of: share,
    instead: {
      of: ['group_id'],
      params: groupParam,
      adapt: async (ctx, { group, ...params }) => ({ ...params, group_id: await groupTyped(ctx, group) }),
    },
    fields: async ctx => [
      { ...(await groupField(ctx)), hint: 'Its members get what their role there allows, up to the role below.' },
      { name: 'group_access', label: 'Role at most', control: 'select', choices: roleChoices(shareLevels), hint: '' },
      expiry,
    ],
    values: () => ({ group_access: '30' }),
    next: back,
    notice: 'The members of the group have access now.',
    button: 'Share',
    cancel: back,
    frame: ctx => ({ title: 'Share with a group', place: placeOf(ctx) }),
  })
  const endShare = action({
    route: `POST ${path}/groups/:group_id/remove`,
    of: unshare,
    scope: inShare(scope),
    next: back,
    notice: 'The group has no access any more.',
  })
  const changeInvitation = action({
    route: `POST ${path}/invitations/:email`,
    of: declarationOf(invitations, 'PUT', /\/:email$/),
    scope: inInvitation(scope),
    next: back,
    notice: 'The invitation was changed.',
  })
  const change = action({
    route: `POST ${path}/:user_id`,
    of: declarationOf(members, 'PUT', /\/:user_id$/),
    scope: inOne,
    next: back,
    notice: 'The role was changed.',
  })
  const remove = action({
    route: `POST ${path}/:user_id/remove`,
    of: declarationOf(members, 'DELETE', /\/:user_id$/),
    scope: inOne,
    // Who has left may see less than the place.
    next: ctx => (ctx.actor.user?.id === ctx.member.id ? '/' : back(ctx)),
    notice: 'The membership has ended.',
  })
  const takeBack = action({
    route: `POST ${path}/invitations/:email/remove`,
    of: declarationOf(invitations, 'DELETE', /\/:email$/),
    scope: inInvitation(scope),
    next: back,
    notice: 'The invitation was taken back.',
  })
  const approve = action({
    route: `POST ${path}/requests/:user_id/approve`,
    of: declarationOf(requests, 'PUT', /\/approve$/),
    scope: inAccessRequest(scope),
    next: back,
    notice: 'The request was approved.',
  })
  const deny = action({
    route: `POST ${path}/requests/:user_id/deny`,
    of: declarationOf(requests, 'DELETE', /\/:user_id$/),
    scope: inAccessRequest(scope),
    // Who takes their own request back came from the page of the place, and may see less of its members.
    next: ctx => (ctx.actor.user?.id === ctx.accessRequest.id ? back(ctx).replace(/\/-\/[^/]*$/, '') : back(ctx)),
    notice: 'The request for access was removed.',
  })
  return {
    show,
    showAdd: add.show,
    add: add.submit,
    showInvite: inviting.show,
    invite: inviting.submit,
    change,
    remove,
    showShare: sharing.show,
    share: sharing.submit,
    endShare,
    changeInvitation,
    takeBack,
    approve,
    deny,
  }
}

/** The groups that the place is shared with, as far as the caller sees them. */
async function sharesOf(ctx: Context & InPlace): Promise<readonly SharedGroup[]> {
  const { key } = ctx.place
  const [kind, id] = 'project_id' in key ? (['project_id', key.project_id] as const) : (['namespace_id', key.namespace_id] as const)
  return (await sharedGroupsOf(ctx, kind, [id])).get(id) ?? []
}

const section = (title: string, body: Html | false): Html | false =>
  body && html`<section class="section stack"><h2>${title}</h2>${body}</section>`

export const projectMemberPages = memberPages({
  path: '/:project_path/-/project_members',
  scope: inProjectMembersPage,
  levels: [10, 20, 30, 40],
  read: 'read_project_members',
  manage: 'admin_project_member',
  declarations: {
    members: projectMembers,
    invitations: projectInvitations,
    requests: projectAccessRequests,
    share: shareProject,
    unshare: unshareProject,
  },
  shareLevels: [10, 20, 30, 40],
  addressOf: ({ project }) => projectPath(project, '/-/project_members'),
  placeOf: ctx => projectPlace(ctx.actor, ctx.project, 'members'),
})

export const groupMemberPages = memberPages({
  path: '/groups/:group_path/-/group_members',
  scope: inGroupMembersPage,
  levels: [10, 20, 30, 40, 50],
  read: 'read_group_members',
  manage: 'admin_group_member',
  declarations: {
    members: groupMembers,
    invitations: groupInvitations,
    requests: groupAccessRequests,
    share: shareGroup,
    unshare: unshareGroup,
  },
  shareLevels: [10, 20, 30, 40, 50],
  addressOf: ({ group }) => groupPath(group, '/-/group_members'),
  placeOf: ctx => groupPlace(ctx.actor, ctx.group, 'members'),
})
