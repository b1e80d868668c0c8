/** Turning the SCIM of a group on and off, which is giving and taking its token. */

import { type Role, roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import { anyOf } from '../../platform/db/any.ts'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, forbidden } from '../../platform/kernel/errors.ts'
import { digestOf, newToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'
import type { GroupRow } from '../groups/queries.ts'
import { type ScimTokenRow, scimTokenOf } from './queries.ts'

/** A token of a group with what is shown of both. */
export type ScimToken = ScimTokenRow & { readonly full_path: string }

/** A token at the one moment when it is known. */
export type FreshScimToken = ScimToken & { readonly token: Secret }

/** The role of provisioned members unless the owner says otherwise. */
const DEFAULT_ROLE = roles.guest

/** 403 while administrators have not turned SCIM on for the group whose token it is. */
export async function requireProvisioning(db: Db, { enabled_by_admin }: { readonly enabled_by_admin: boolean }): Promise<void> {
  const { scim_provisioning: who } = await applicationSettings(db)
  if (who === 'disabled') throw forbidden('SCIM is turned off on this instance')
  if (who === 'administrators' && !enabled_by_admin) throw forbidden('An administrator has to turn on the SCIM of this group')
}

const record = (ctx: Context, group: GroupRow, custom_message: string) =>
  recordEvent(ctx, {
    kind: 'scim_token.changed',
    payload: { id: group.id, name: group.full_path, details: { custom_message } },
    actorId: ctx.actor.user?.id,
    namespaceId: group.id,
  })

/**
 * Turns a top-level group's SCIM on, or gives it a new token: the old one is dead at once. The role of those who will
 * be provisioned stays as it is unless given. What an administrator has turned on stays so when an owner renews the token.
 * 400 for a group below another one, 403 where the instance leaves it to administrators to turn SCIM on, and for bots: the token would
 * outlive theirs, and nobody would answer for the accounts that it makes.
 */
export async function issueScimToken(ctx: Context, group: GroupRow, role: Role | undefined): Promise<FreshScimToken> {
  if (group.parent_id !== null) throw badRequest('SCIM can be turned on for a top-level group only')
  if (ctx.actor.user?.kind === 'project_bot') throw forbidden()
  const before = await scimTokenOf(ctx.db, group.id)
  const enabled_by_admin = before?.enabled_by_admin === true || isAdmin(ctx.actor)
  await requireProvisioning(ctx.db, { enabled_by_admin })
  const token = newToken()
  const enabled_by = enabled_by_admin ? null : (ctx.actor.user?.id ?? null)
  const fresh = { digest: digestOf(token), enabled_by_admin, enabled_by, created_at: ctx.now }
  const row = await ctx.db
    .insertInto('scim_tokens')
    .values({ ...fresh, group_id: group.id, default_membership_role: role ?? DEFAULT_ROLE })
    .onConflict(conflict => conflict.column('group_id').doUpdateSet({ ...fresh, ...(role && { default_membership_role: role }) }))
    .returning(['group_id', 'default_membership_role', 'enabled_by_admin', 'created_at'])
    .executeTakeFirstOrThrow()
  await record(ctx, group, before ? 'SCIM token rotated' : 'SCIM token created')
  return { ...row, full_path: group.full_path, token }
}

/** Turns a group's SCIM off. Its identities stay, for the day it is turned on again. */
export async function removeScimToken(ctx: Context, group: GroupRow): Promise<void> {
  await ctx.db.deleteFrom('scim_tokens').where('group_id', '=', group.id).execute()
  await record(ctx, group, 'SCIM token deleted')
}

/** Shuts out the identity providers of groups that are being deleted. */
export async function removeScimTokensOf(db: Db, groupIds: readonly number[]): Promise<void> {
  await db.deleteFrom('scim_tokens').where('group_id', '=', anyOf(groupIds)).execute()
}
