/** Writes of shares. */

import { sql } from 'kysely'
import type { Role } from '../../platform/access/abilities.ts'
import type { Place, Places } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, conflict, invalid, notFound } from '../../platform/kernel/errors.ts'
import { visibleGroup } from '../groups/queries.ts'
import { namedRights } from '../members/named_rights.ts'
import type { ProjectRow } from '../projects/queries.ts'
import { isCurrentShare, type ShareRow } from './queries.ts'

/** The terms of a share. */
export interface ShareTerms {
  readonly group_id: number
  /** The highest level of an invited member. */
  readonly group_access: Role
  /** The expiry day; absent for never. */
  readonly expires_at?: string | null | undefined
}

/**
 * Shares a project with a group. 404 for a group that the caller may not see, 400 where the project's group locks sharing, 409 for a group
 * that it is shared with already, and for its ancestor groups, whose members are members anyway.
 */
export async function shareProject(ctx: Context, project: ProjectRow, terms: ShareTerms): Promise<ShareRow & { project_id: number }> {
  const { share_with_group_lock } = await ctx.db
    .selectFrom('namespaces')
    .select('share_with_group_lock')
    .where('id', '=', project.namespace_id)
    // Waits for a concurrent request that locks sharing.
    .forShare()
    .executeTakeFirstOrThrow()
  if (share_with_group_lock) throw badRequest('sharing this project with groups is disabled')
  if (project.namespace_traversal_ids.includes(terms.group_id))
    throw conflict('The project cannot be shared with the group it is in or one of its ancestors')
  return { ...(await addShare(ctx, { project_id: project.id }, terms)), project_id: project.id }
}

/**
 * Shares a group, and everything below it, with another. 404 for one that the caller may not see, 409 for itself and for an existing share.
 */
export async function shareGroup(ctx: Context, group: { readonly id: number }, terms: ShareTerms): Promise<void> {
  if (terms.group_id === group.id) throw conflict('The group cannot be shared with itself')
  await addShare(ctx, { namespace_id: group.id }, terms)
}

async function addShare(ctx: Context, place: Place, { group_id, group_access, expires_at = null }: ShareTerms): Promise<ShareRow> {
  const { db, actor, now } = ctx
  if (expires_at && expires_at <= now.toISOString().slice(0, 10)) throw invalid({ expires_at: ['cannot be a date in the past'] })
  const guests = await visibleGroup(db, actor, String(group_id))
  if (!guests) throw notFound('Group')
  const terms = { access_level: group_access, expires_at, created_at: now }
  // Before the members of the group have access again: what they were given by name while they had it earlier has ended.
  await namedRights.value.dropLost(db, { place })
  const added = await db
    .insertInto('shares')
    .values({ ...place, group_id, ...terms })
    // An expired share does not count, so a new one takes its row.
    .onConflict(conflict =>
      conflict
        .columns(['project_id' in place ? 'project_id' : 'namespace_id', 'group_id'])
        .doUpdateSet(terms)
        .where(sql<boolean>`not ${isCurrentShare}`),
    )
    .returningAll()
    .executeTakeFirst()
  if (!added) throw conflict('Already shared with this group')
  const payload = { id: group_id, name: guests.full_path, access_level: group_access }
  await recordEvent(ctx, { kind: 'share.created', payload, ...inPlace(place) })
  return added
}

/** Ends a share: access that members had only by it ends immediately, and with it what they or the group were given by name. */
export async function removeShare(ctx: Context, share: ShareRow): Promise<void> {
  await ctx.db.deleteFrom('shares').where('id', '=', share.id).returning('id').executeTakeFirstOrThrow()
  const place = share.project_id === null ? { namespace_id: share.namespace_id as number } : { project_id: share.project_id }
  await namedRights.value.dropLost(ctx.db, { place, ended: { group_id: share.group_id } })
  await recordEvent(ctx, { kind: 'share.deleted', payload: { id: share.group_id }, ...inPlace(share) })
}

/**
 * Ends all shares of a group that is being deleted, and of the places below it, and all shares with the groups among them; with these shares what the
 * invited members were given by name. `places` are the group and what is below it.
 */
export async function removeSharesOf(db: Db, groupId: number, { namespaceIds, projectIds }: Places): Promise<void> {
  await db.deleteFrom('shares').where('namespace_id', '=', anyOf(namespaceIds)).execute()
  // They expire before they are deleted: an expired share gives nothing, and still says where the group was invited.
  await db.updateTable('shares').set({ expires_at: sql<string>`current_date` }).where('group_id', '=', anyOf(namespaceIds)).execute()
  await namedRights.value.dropLost(db, { place: { namespace_id: groupId } })
  await db.deleteFrom('shares').where('group_id', '=', anyOf(namespaceIds)).execute()
  await db.deleteFrom('shares').where('project_id', '=', anyOf(projectIds)).execute()
}
