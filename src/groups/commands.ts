/** Writes of groups. */
import { sql } from 'kysely'
import { allows, type Role, roles, type Visibility } from '../access/abilities.ts'
import { isAdmin } from '../access/actor.ts'
import type { Db } from '../db/connection.ts'
import { uniqueViolation } from '../db/errors.ts'
import { recordEvent } from '../events/events.ts'
import type { Context } from '../kernel/context.ts'
import { badRequest, conflict, forbidden, invalid, notFound } from '../kernel/errors.ts'
import { addMember } from '../members/commands.ts'
import { failuresOf, groupNameProblems, pathProblems } from '../namespaces/paths.ts'
import { holdNamespace, movePath, takePath } from '../namespaces/routes.ts'
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
  refuseNames(attributes, parent?.id)
  const visibility = attributes.visibility ?? (parent ? (parent.visibility as Visibility) : 'private')
  if (parent && !fitsInside(visibility, parent.visibility as Visibility))
    throw invalid({ visibility_level: [`${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`] })

  const { id } = await db
    .insertInto('namespaces')
    .values({ ...columns, visibility, kind: 'group', parent_id: parent?.id ?? null, created_at: ctx.now, updated_at: ctx.now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(refuseTakenName)
  await db
    .updateTable('namespaces')
    .set({ traversal_ids: [...(parent?.traversal_ids ?? []), id] })
    .where('id', '=', id)
    .execute()
  await takePath(db, { namespace_id: id }, parent?.id, attributes)
  // Contract: whoever creates a subgroup and is not its owner by inheritance becomes one.
  if ((parent?.role ?? 0) < roles.owner || !parent)
    await addMember(ctx, { namespace_id: id }, { user_id: creator.id, access_level: roles.owner })
  await recordEvent(db, { kind: 'group.created', payload: { group_id: id }, actorId: creator.id, namespaceId: id })
  return groups(db).where('namespaces.id', '=', id).executeTakeFirstOrThrow()
}

/** A name or path that no group can have is a 400. */
function refuseNames({ name, path }: Pick<GroupAttributes, 'name' | 'path'>, parentId: number | null | undefined): void {
  const failures = failuresOf({
    name: name === undefined ? [] : groupNameProblems(name),
    path: path === undefined ? [] : pathProblems(path, parentId ? 'below' : 'top'),
  })
  if (failures) throw invalid(failures)
}

/** A name that another group of the parent has is a 409 (decision 13). */
function refuseTakenName(error: unknown): never {
  if (uniqueViolation(error) === 'namespaces_group_name_key') throw conflict('Name has already been taken')
  throw error
}

/** The group to put another one into, if this caller may. */
async function parentFor(ctx: Context, parentId: number) {
  await holdNamespace(ctx.db, parentId)
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
  refuseNames(changes, group.parent_id)
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
    .catch(refuseTakenName)
  if (changes.path !== undefined || changes.name !== undefined)
    await movePath(db, { namespace_id: group.id }, group.parent_id ?? undefined, {
      path: changes.path ?? group.path,
      name: changes.name ?? group.name,
    })
  return groups(db).where('namespaces.id', '=', group.id).executeTakeFirstOrThrow()
}

/** Keeps everybody else from adding, renaming or moving anything at or below a group until the transaction ends. */
const lockGroup = (db: Db, id: number) => db.selectFrom('namespaces').select('id').where('id', '=', id).forUpdate().execute()

/**
 * Puts a group with everything below it into another group, or at the top without `parentId`. 400 for a move to where
 * it is, into itself or into a group that is not as open; 409 when name or path are taken there.
 */
export async function transferGroup(ctx: Context, group: GroupRow, parentId: number | undefined): Promise<GroupRow> {
  const { db, actor } = ctx
  await lockGroup(db, group.id)
  const parent = parentId === undefined ? undefined : await parentFor(ctx, parentId)
  if (parent?.traversal_ids.includes(group.id)) throw badRequest('a group cannot be moved into itself or a group below it')
  if ((parent?.id ?? null) === group.parent_id) throw badRequest('the group is there already')
  if (!parent && !isAdmin(actor) && !(await mayCreateTopGroup(db, actor.user?.id as number))) throw forbidden()
  if (parent) await refuseVisibility(db, group, parent, group.visibility as Visibility)
  refuseNames(group, parent?.id)
  await db
    .updateTable('namespaces')
    .set({ parent_id: parent?.id ?? null, updated_at: ctx.now })
    .where('id', '=', group.id)
    .execute()
    .catch(refuseTakenName)
  await sql`update namespaces set traversal_ids = ${parent?.traversal_ids ?? []}::bigint[] || traversal_ids[array_position(traversal_ids, ${group.id}):]
             where traversal_ids @> array[${group.id}::bigint]`.execute(db)
  await movePath(db, { namespace_id: group.id }, parent?.id, group)
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
  // First the group itself: whoever is adding something below it holds it, and is waited for before the list is made.
  await lockGroup(db, group.id)
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
