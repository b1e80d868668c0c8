/**
 * Groups that require a second factor of their members. Who is in one may leave it from here, also in place of setting a factor up: anyone may have added
 * them to a group, and no other page opens until then.
 */
import { sql } from 'kysely'
import { isCurrentMembership } from '../../../platform/access/memberships.ts'
import { roles } from '../../../platform/access/open_to.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { actionButton } from '../../../platform/pages/forms/action.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { type GroupRow, groups } from '../../../spaces/groups/queries.ts'
import { removeMember } from '../../../spaces/members/commands.ts'
import { membersOf } from '../../../spaces/members/queries.ts'
import { memberPlaceOfGroup } from '../../../spaces/members/scope.ts'

/** The groups in which the user is a member themselves, and which, or one above or below which, requires a second factor (second_factor.ts). */
export const requiringGroups = (db: Db, userId: number): Promise<readonly GroupRow[]> =>
  groups(db)
    .where(
      sql<boolean>`exists (select from members m where m.namespace_id = namespaces.id and m.user_id = ${userId} and ${isCurrentMembership()})
        and exists (select from namespaces g where g.require_two_factor_authentication
                       and (namespaces.traversal_ids @> array[g.id] or g.traversal_ids @> array[namespaces.id]))`,
    )
    .orderBy('namespaces.id')
    .limit(MOST)
    .execute()

/** Groups that the page names. */
const MOST = 100

/** What the page says of them; nothing where there are none. @param leavePath the address of the button */
export const requiringSection = (ctx: Context, requiring: readonly GroupRow[], leavePath: string): Html | undefined =>
  requiring.length === 0
    ? undefined
    : html`<section class="section"><h2>Groups that require it</h2>
<p class="muted">Their members must have two-factor authentication. Leaving a group ends that.</p>
<ul class="list">${requiring.map(
        ({ id, full_name, full_path }) =>
          html`<li><div class="main"><div class="title">${full_name}</div><div class="facts"><span>${full_path}</span></div></div>${actionButton(ctx, { to: leavePath, face: 'Leave', label: `Leave ${full_name}`, look: 'danger', asks: `Leave ${full_name}? Others must let you in again.`, sends: { group_id: id } })}</li>`,
      )}</ul></section>`

/** Ends the user's own membership in one of these groups. @throws Refusal 404 for another group, 403 for its last owner */
export async function leaveRequiringGroup(ctx: Context, userId: number, groupId: number): Promise<void> {
  const group = (await requiringGroups(ctx.db, userId)).find(({ id }) => id === groupId)
  const place = group && memberPlaceOfGroup({ ...group, role: roles.none })
  const member = place && (await membersOf(ctx.db, place, { user_ids: [userId] }).executeTakeFirst())
  if (!member) throw notFound('Group')
  await removeMember(ctx, place, member, false)
}
