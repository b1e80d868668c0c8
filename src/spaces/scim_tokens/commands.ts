/** Enables and disables the SCIM API of a group by creating and deleting its token. */

import { type Role, roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, forbidden } from '../../platform/kernel/errors.ts'
import { digestOf, newToken } from '../../platform/kernel/secrets.ts'
import type { Secret } from '../../platform/secret.ts'
import type { GroupRow } from '../groups/queries.ts'
import { type ScimTokenRow, scimTokenOf } from './queries.ts'

/** A token of a group with the fields shown for both. */
export type ScimToken = ScimTokenRow & { readonly full_path: string }

/** A token with its secret, which is known only at this moment. */
export type FreshScimToken = ScimToken & { readonly token: Secret }

/** The default role of provisioned members. */
const DEFAULT_ROLE = roles.guest

/** Why the instance does not let SCIM be turned on, in words; undefined where it does. */
export async function provisioningRefusal(
  db: Db,
  { enabled_by_admin }: { readonly enabled_by_admin: boolean },
): Promise<string | undefined> {
  const { scim_provisioning: who } = await applicationSettings(db)
  if (who === 'disabled') return 'SCIM is turned off on this instance'
  if (who === 'administrators' && !enabled_by_admin) return 'An administrator has to turn on the SCIM of this group'
  return undefined
}

/** 403 unless administrators have enabled SCIM for the group of the token. */
export async function requireProvisioning(db: Db, enabled: { readonly enabled_by_admin: boolean }): Promise<void> {
  const refusal = await provisioningRefusal(db, enabled)
  if (refusal !== undefined) throw forbidden(refusal)
}

const record = (ctx: Context, group: GroupRow, custom_message: string) =>
  recordEvent(ctx, {
    kind: 'scim_token.changed',
    payload: { id: group.id, name: group.full_path, details: { custom_message } },
    actorId: ctx.actor.user?.id,
    namespaceId: group.id,
  })

/**
 * Enables SCIM for a top-level group, or gives it a new token: the old one is invalid immediately. The role of users who will be
 * provisioned stays unless given. If an administrator has enabled it, it stays enabled when an owner renews the token. 400 for a subgroup,
 * 403 where the instance restricts this to administrators, and for bots: the token would outlive theirs, and no user would be responsible
 * for the accounts that it creates.
 */
export async function issueScimToken(ctx: Context, group: GroupRow, role: Role | undefined): Promise<FreshScimToken> {
  if (group.parent_id !== null) throw badRequest('SCIM can be turned on for a top-level group only')
  if (ctx.actor.user?.kind === 'project_bot') throw forbidden()
  const before = await scimTokenOf(ctx.db, group.id)
  const enabled_by_admin = before?.enabled_by_admin === true || isAdmin(ctx.actor)
  await requireProvisioning(ctx.db, { enabled_by_admin })
  const token = newToken()
  const enabled_by = ctx.actor.user?.id ?? null
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

/** Disables a group's SCIM. Its identities stay, in case it is enabled again. */
export async function removeScimToken(ctx: Context, group: GroupRow): Promise<void> {
  await ctx.db.deleteFrom('scim_tokens').where('group_id', '=', group.id).execute()
  await record(ctx, group, 'SCIM token deleted')
}

/** Deletes the SCIM tokens of groups that are being deleted. */
export async function removeScimTokensOf(db: Db, groupIds: readonly number[]): Promise<void> {
  await db.deleteFrom('scim_tokens').where('group_id', '=', anyOf(groupIds)).execute()
}
