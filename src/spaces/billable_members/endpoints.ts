/** Members that count in the tree of a top-level group (members API at 14.0). */
import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, nothing, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { badRequest, notFound } from '../../platform/kernel/errors.ts'
import type { GroupRow } from '../groups/queries.ts'
import { inGroup } from '../groups/scope.ts'
import { removeFromTree } from './commands.ts'
import { BillableMember, TreeMembership } from './entity.ts'
import { billableMembersOf, billableOrders, membershipsInTree } from './queries.ts'

/** Contract: groups below others have no such list (members API). */
function assertAtTop(group: GroupRow): void {
  if (group.parent_id !== null) throw badRequest('Only a top-level group has billable members')
}

/**
 * `:user_id` stays a number: what a scope loads is loaded before it is known whether the caller is an owner, and 404 beside 403 would say to everyone who
 * is a member of the private groups and projects below.
 */
const inBillableMember = within(inGroup, {
  name: 'inBillableMember',
  path: { user_id: integer('ID of a user') },
  load: async (_ctx, { user_id }) => ({ userId: user_id }),
})

/** The user who counts in a top-level group, or 404. */
async function billableIn({ db, group, userId }: Context & { readonly group: GroupRow; readonly userId: number }) {
  assertAtTop(group)
  const billable = await billableMembersOf(db, group.id, { user_id: userId }).executeTakeFirst()
  if (!billable) throw notFound('User')
  return billable
}

export const listBillableMembers = endpoint({
  route: 'GET /groups/:id/billable_members',
  summary: 'List who counts as a member of a group, of the groups below it and of their projects',
  scope: inGroup,
  can: 'admin_group_member',
  params: {
    search: optional(text('Part of the name or username, or a whole email address', { maxLength: 255 })),
    sort: optional(OneOf(billableOrders, { description: 'What the list is ordered by' })),
  },
  answers: pageOf(BillableMember),
  run({ db, group, params }) {
    assertAtTop(group)
    return billableMembersOf(db, group.id, params)
  },
})

export const listMembershipsOfBillableMember = endpoint({
  route: 'GET /groups/:id/billable_members/:user_id/memberships',
  summary: 'List the direct memberships of a user in a group, the groups below it and their projects',
  scope: inBillableMember,
  can: 'admin_group_member',
  answers: pageOf(TreeMembership),
  async run(ctx) {
    const { id } = await billableIn(ctx)
    return membershipsInTree(ctx.db, ctx.group.id, id)
  },
})

export const removeBillableMember = endpoint({
  route: 'DELETE /groups/:id/billable_members/:user_id',
  summary: 'Remove a user from a group, the groups below it and their projects',
  scope: inBillableMember,
  can: 'admin_group_member',
  answers: nothing,
  run: async ctx => removeFromTree(ctx, ctx.group, (await billableIn(ctx)).id),
})
