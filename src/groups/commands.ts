/** Writes of groups. */
import { sql } from 'kysely'
import { allows, type Role, roles, type Visibility } from '../access/abilities.ts'
import { isAdmin } from '../access/actor.ts'
import type { Db } from '../db/connection.ts'
import { recordEvent } from '../events/events.ts'
import type { Context } from '../kernel/context.ts'
import { forbidden, invalid, notFound } from '../kernel/errors.ts'
import { addMember } from '../members/commands.ts'
import { type Above, movePath, namespacePathFailures, takePath } from '../namespaces/paths.ts'
import { removeProject } from '../projects/removal.ts'
import { type GroupRow, groups, visibleGroup } from './queries.ts'

/** The columns that create and update can set. */
export interface GroupAttributes {
  name?: string | undefined
  path?: string | undefined
  description?: string | undefined
  visibility?: Visibility | undefined
  share_with_group_lock?: boolean | undefined
  require_two_factor_authentication?: boolean | undefined
  two_factor_grace_period?: number | undefined
  project_creation_level?: 'noone' | 'maintainer' | 'developer' | undefined
  subgroup_creation_level?: 'owner' | 'maintainer' | undefined
  auto_devops_enabled?: boolean | undefined
  emails_disabled?: boolean | undefined
  mentions_disabled?: boolean | undefined
  lfs_enabled?: boolean | undefined
  request_access_enabled?: boolean | undefined
  default_branch_protection?: number | undefined
  membership_lock?: boolean | undefined
  prevent_forking_outside_group?: boolean | undefined
  file_template_project_id?: number | null | undefined
  shared_runners_minutes_limit?: number | undefined
  extra_shared_runners_minutes_limit?: number | undefined
}

const openness: Record<Visibility, number> = { private: 0, internal: 1, public: 2 }

/** May something with visibility `inner` be inside something with visibility `outer`? */
export const fitsInside = (inner: Visibility, outer: Visibility): boolean => openness[inner] <= openness[outer]

/** Creates a group, at the top or below `parent_id`, with the caller as its owner. */
export async function createGroup(
  ctx: Context,
  attributes: GroupAttributes & { name: string; path: string; parent_id?: number | undefined },
): Promise<GroupRow> {
  const { db, actor } = ctx
  const creator = actor.user
  if (!creator) throw forbidden()
  const { parent_id, ...columns } = attributes
  const parent = parent_id === undefined ? undefined : await parentFor(ctx, parent_id)
  if (!parent && !creator.admin && !(await mayCreateTopGroup(db, creator.id))) throw forbidden()
  const failures = namespacePathFailures(attributes.path, parent === undefined)
  if (failures) throw invalid(failures)
  const visibility = attributes.visibility ?? (parent ? (parent.visibility as Visibility) : 'private')
  if (parent && !fitsInside(visibility, parent.visibility as Visibility))
    throw invalid({ visibility_level: [`${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`] })

  const { id } = await db
    .insertInto('namespaces')
    .values({ ...columns, visibility, kind: 'group', parent_id: parent?.id ?? null, created_at: ctx.now, updated_at: ctx.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('namespaces')
    .set({ traversal_ids: [...(parent?.traversal_ids ?? []), id] })
    .where('id', '=', id)
    .execute()
  await takePath(db, { namespace_id: id }, parent && aboveOf(parent), attributes)
  // Contract: whoever creates a subgroup and is not its owner by inheritance becomes one.
  if ((parent?.role ?? 0) < roles.owner || !parent)
    await addMember(ctx, { namespace_id: id }, { user_id: creator.id, access_level: roles.owner })
  await recordEvent(db, { kind: 'group.created', payload: { group_id: id }, actorId: creator.id, namespaceId: id })
  return groups(db).where('namespaces.id', '=', id).executeTakeFirstOrThrow()
}

const aboveOf = (parent: GroupRow): Above => ({ path: parent.full_path, name: parent.full_name })

async function parentFor(ctx: Context, parentId: number) {
  const parent = await visibleGroup(ctx.db, ctx.actor, String(parentId))
  if (!parent) throw notFound('Group')
  const subject = { on: 'group', role: parent.role as Role, visibility: parent.visibility as Visibility } as const
  const ability = parent.subgroup_creation_level === 'owner' ? 'admin_group' : 'create_subgroup'
  if (allows(ctx.actor, ability, subject) !== 'yes') throw forbidden()
  return parent
}

async function mayCreateTopGroup(db: Db, userId: number): Promise<boolean> {
  const user = await db.selectFrom('users').select(['can_create_group', 'external']).where('id', '=', userId).executeTakeFirstOrThrow()
  return user.can_create_group && !user.external
}

/** Changes a group; a new name or path moves the routes of everything below it. */
export async function updateGroup(ctx: Context, group: GroupRow, attributes: GroupAttributes): Promise<GroupRow> {
  const { db } = ctx
  const changes = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as GroupAttributes
  const parent =
    group.parent_id === null ? undefined : await groups(db).where('namespaces.id', '=', group.parent_id).executeTakeFirstOrThrow()
  if (changes.path !== undefined) {
    const failures = namespacePathFailures(changes.path, parent === undefined)
    if (failures) throw invalid(failures)
  }
  if (changes.visibility !== undefined) await refuseVisibility(db, group, parent, changes.visibility)
  // Minute limits are the instance's to give.
  if (!isAdmin(ctx.actor)) {
    delete changes.shared_runners_minutes_limit
    delete changes.extra_shared_runners_minutes_limit
  }
  await db
    .updateTable('namespaces')
    .set({ ...changes, updated_at: ctx.now })
    .where('id', '=', group.id)
    .execute()
  if (changes.path !== undefined || changes.name !== undefined)
    await movePath(db, { namespace_id: group.id }, parent && aboveOf(parent), {
      path: changes.path ?? group.path,
      name: changes.name ?? group.name,
    })
  return groups(db).where('namespaces.id', '=', group.id).executeTakeFirstOrThrow()
}

/** A group is never more open than its parent nor less open than what it holds. */
async function refuseVisibility(db: Db, group: GroupRow, parent: GroupRow | undefined, visibility: Visibility): Promise<void> {
  if (parent && !fitsInside(visibility, parent.visibility as Visibility))
    throw invalid({ visibility_level: [`${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`] })
  const inside = await db
    .selectFrom('namespaces')
    .select('visibility')
    .where('parent_id', '=', group.id)
    .unionAll(db.selectFrom('projects').select('visibility').where('namespace_id', '=', group.id))
    .execute()
  if (inside.some(row => !fitsInside(row.visibility as Visibility, visibility)))
    throw invalid({
      visibility_level: [`${visibility} is not allowed since this group contains projects or subgroups with higher visibility.`],
    })
}

/** Deletes a group with every group and project below it; their repositories go with the worker. */
export async function removeGroup(ctx: Context, group: GroupRow): Promise<void> {
  const { db } = ctx
  const below = await db
    .selectFrom('namespaces')
    .select('id')
    .where(sql<boolean>`traversal_ids @> ${[group.id]}`)
    // The deepest first, so that no parent goes before its children.
    .orderBy(sql`cardinality(traversal_ids)`, 'desc')
    .forUpdate()
    .execute()
  const ids = below.map(row => row.id)
  const projects = await db.selectFrom('projects').select(['id', 'repository_storage']).where('namespace_id', 'in', ids).execute()
  for (const project of projects) await removeProject(ctx, project)
  await recordEvent(db, { kind: 'group.deleted', payload: { group_id: group.id, full_path: group.full_path }, actorId: ctx.actor.user?.id })
  await db.deleteFrom('namespaces').where('id', 'in', ids).execute()
}
