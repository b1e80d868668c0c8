/** Writes of groups. */

import { sql } from 'kysely'
import { storeAvatar } from '../../identity/avatars/commands.ts'
import { failuresOf, groupNameProblems, pathProblems } from '../../identity/paths/names.ts'
import { createRoute, lockNamespace, lockNamespaceShared, moveRoute } from '../../identity/paths/routes.ts'
import { roles, type Visibility } from '../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import { allowedLevel, assertLevelAllowed } from '../../platform/application_settings/restricted_levels.ts'
import type { Db } from '../../platform/db/connection.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { changesExcept } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Upload } from '../../platform/kernel/declaration/types.ts'
import { badRequest, conflict, forbidden, invalid, notFound } from '../../platform/kernel/errors.ts'
import { addMember, changeMember } from '../members/commands.ts'
import { namedRights } from '../members/named_rights.ts'
import { hasOtherOwner, type MemberPlace, membersOf } from '../members/queries.ts'
import { setLfsOfProjectsIn } from '../projects/attributes/lfs.ts'
import { projectLifecycle } from '../projects/lifecycle/lifecycle.ts'
import { visibleProject } from '../projects/queries.ts'
import { addRunnersTokens } from '../runners_tokens/commands.ts'
import { type GroupRow, groups, lockedGroup, visibleGroup } from './queries.ts'
import { mayCreateSubgroup } from './scope.ts'
import { applySharedRunners, isMoreOpen, type SharedRunnersSetting, sharedRunnersOfGroup } from './shared_runners.ts'

/** The columns that create and update can set. */
export interface GroupAttributes {
  name?: string | undefined
  path?: string | undefined
  description?: string | undefined
  visibility?: Visibility | undefined
  share_with_group_lock?: boolean | undefined
  require_two_factor_authentication?: boolean | undefined
  two_factor_grace_period?: number | undefined
  shared_runners_setting?: SharedRunnersSetting | undefined
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
  /** Null removes it. */
  avatar?: Upload | null | undefined
}

const openness: Record<Visibility, number> = { private: 0, internal: 1, public: 2 }

/** May a place with visibility `inner` be inside a place with visibility `outer`? */
export const fitsInside = (inner: Visibility, outer: Visibility): boolean => openness[inner] <= openness[outer]

/** Creates a group, at the top or below `parent_id`, with the caller as its owner. */
export async function createGroup(
  ctx: Context,
  attributes: GroupAttributes & { name: string; path: string; parent_id?: number | undefined },
): Promise<GroupRow> {
  const { db, actor } = ctx
  const creator = actor.user
  if (!creator) throw forbidden()
  const { parent_id, avatar, ...columns } = attributes
  const parent = await placeForGroup(ctx, parent_id)
  assertNames(attributes, parent?.id)
  if (parent?.share_with_group_lock && attributes.share_with_group_lock === false) assertMayUnlock(actor, parent.role)
  await assertTemplates(ctx, attributes)
  const settings = await applicationSettings(db)
  const standard = (parent?.visibility ?? settings.default_group_visibility) as Visibility
  const visibility = attributes.visibility ?? allowedLevel(actor, settings, standard)
  assertLevelAllowed(actor, settings, visibility)
  if (parent && !fitsInside(visibility, parent.visibility as Visibility))
    throw invalid({ visibility_level: [`${visibility} is not allowed since the parent group has a ${parent.visibility} visibility.`] })

  const { id } = await db
    .insertInto('namespaces')
    .values({
      share_with_group_lock: parent?.share_with_group_lock ?? false,
      default_branch_protection: settings.default_branch_protection,
      project_creation_level: creationLevels[settings.default_project_creation],
      ...(Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as typeof columns),
      shared_runners_setting: sharedRunnersOfGroup(parent, attributes.shared_runners_setting),
      visibility,
      kind: 'group',
      parent_id: parent?.id ?? null,
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(rethrowTakenName)
  await db
    .updateTable('namespaces')
    .set({ traversal_ids: [...(parent?.traversal_ids ?? []), id], ...(await avatarColumn(ctx, id, avatar)) })
    .where('id', '=', id)
    .execute()
  await createRoute(db, { namespace_id: id }, parent?.id, attributes)
  await addRunnersTokens(ctx, 'namespace_id', [id])
  // Contract: a user who creates a subgroup without being its owner by inheritance becomes one.
  if ((parent?.role ?? 0) < roles.owner || !parent)
    await addMember(ctx, { namespace_id: id }, { user_id: creator.id, access_level: roles.owner })
  await recordEvent(ctx, { kind: 'group.created', payload: { group_id: id, visibility }, actorId: creator.id, namespaceId: id })
  return groups(db).where('namespaces.id', '=', id).executeTakeFirstOrThrow()
}

/** The levels that `default_project_creation` numbers. */
const creationLevels = ['noone', 'maintainer', 'developer'] as const

/** Stores a new avatar, or removes the old one; nothing if none is given. */
const avatarColumn = async (ctx: Context, id: number, avatar: GroupAttributes['avatar']) =>
  avatar === undefined ? {} : { avatar_url: await storeAvatar(ctx, { namespace_id: id }, avatar) }

/** 400 for an invalid name or path. */
function assertNames({ name, path }: Pick<GroupAttributes, 'name' | 'path'>, parentId: number | null | undefined): void {
  const failures = failuresOf({
    name: name === undefined ? [] : groupNameProblems(name),
    path: path === undefined ? [] : pathProblems(path, parentId ? 'below' : 'top'),
  })
  if (failures) throw invalid(failures)
}

/** 409 for a name that another group of the parent has (decision 13). */
function rethrowTakenName(error: unknown): never {
  if (uniqueViolation(error) === 'namespaces_group_name_key') throw conflict('Name has already been taken')
  throw error
}

/**
 * Where a group is to be created or moved to: the parent group, locked against its removal, or undefined for the top.
 * @throws Refusal 404 for a parent that the caller may not see, 403 where they may not create groups
 */
export async function placeForGroup({ db, actor }: Context, parentId: number | undefined) {
  if (parentId === undefined) {
    if (!(await mayCreateTopGroup(db, actor))) throw forbidden()
    return undefined
  }
  await lockNamespaceShared(db, parentId)
  const parent = await visibleGroup(db, actor, String(parentId))
  if (!parent) throw notFound('Group')
  if (!mayCreateSubgroup(actor, parent)) throw forbidden()
  return parent
}

/** May the caller create groups in no other? */
export async function mayCreateTopGroup(db: Db, actor: Actor): Promise<boolean> {
  if (!actor.user) return false
  if (isAdmin(actor)) return true
  const columns = ['can_create_group', 'external'] as const
  const user = await db.selectFrom('users').select(columns).where('id', '=', actor.user.id).executeTakeFirstOrThrow()
  return user.can_create_group && !user.external
}

/** Updates a group; a new name or path moves the routes of everything below it. */
export async function updateGroup(ctx: Context, { id }: Pick<GroupRow, 'id'>, attributes: GroupAttributes): Promise<GroupRow> {
  const { db } = ctx
  // It may be elsewhere, or called otherwise, since the request has read it.
  const group = await lockedGroup(db, id)
  const { avatar, ...rest } = attributes
  const changes = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as Omit<GroupAttributes, 'avatar'>
  const parent =
    group.parent_id === null ? undefined : await groups(db).where('namespaces.id', '=', group.parent_id).executeTakeFirstOrThrow()
  assertNames(changes, group.parent_id)
  await assertTemplates(ctx, changes)
  if (parent?.share_with_group_lock && changes.share_with_group_lock === false && group.share_with_group_lock)
    assertMayUnlock(ctx.actor, (await visibleGroup(db, ctx.actor, String(parent.id)))?.role)
  if (changes.visibility !== undefined) await assertVisibility(db, group, parent, changes.visibility)
  if (changes.visibility !== undefined && changes.visibility !== group.visibility)
    assertLevelAllowed(ctx.actor, await applicationSettings(db), changes.visibility)
  const sharedRunners = changes.shared_runners_setting
  const movesSharedRunners = sharedRunners !== undefined && sharedRunners !== group.shared_runners_setting
  const movesLfs = changes.lfs_enabled !== undefined && changes.lfs_enabled !== group.lfs_enabled
  if (movesSharedRunners) sharedRunnersOfGroup(parent, sharedRunners)
  // Projects that come into the group meanwhile would keep what it gave them before.
  if (movesSharedRunners || movesLfs) await lockNamespace(db, group.id)
  // What rested on shares that were locked has ended, and does not come back with them.
  if (group.share_with_group_lock && changes.share_with_group_lock === false)
    await namedRights.value.dropLost(db, { place: { namespace_id: group.id } })
  await db
    .updateTable('namespaces')
    .set({ ...changes, ...(await avatarColumn(ctx, group.id, avatar)), updated_at: ctx.now })
    .where('id', '=', group.id)
    .execute()
    .catch(rethrowTakenName)
  if (changes.share_with_group_lock) await lockSharingBelow(db, group.id)
  if (movesLfs) await setLfsOfProjectsIn(db, group.id, changes.lfs_enabled === true)
  // Contract: from `disabled_and_unoverridable` to `disabled_with_override` nothing below changes (groups API, shared_runners_setting).
  if (movesSharedRunners && (group.shared_runners_setting === 'enabled' || sharedRunners === 'disabled_and_unoverridable'))
    await applySharedRunners(db, group.id, sharedRunners)
  if (changes.path !== undefined || changes.name !== undefined)
    await moveRoute(db, { namespace_id: group.id }, group.parent_id ?? undefined, {
      path: changes.path ?? group.path,
      name: changes.name ?? group.name,
    })
  await recordEvent(ctx, {
    kind: 'group.updated',
    payload: { id: group.id, name: group.full_path, changes: changesExcept(group, changes, ['description']) },
    namespaceId: group.id,
  })
  return groups(db).where('namespaces.id', '=', group.id).executeTakeFirstOrThrow()
}

/**
 * Moves a group with everything below it into another group, or to the top without `parentId`. 400 for a move to its present place, into
 * itself or into a less visible group; 409 when name or path are taken there. A top-level group inherits no owners, so a group without an
 * own one gets the caller as owner.
 */
export async function transferGroup(ctx: Context, { id }: Pick<GroupRow, 'id'>, parentId: number | undefined): Promise<GroupRow> {
  const { db } = ctx
  await lockNamespace(db, id)
  const group = await lockedGroup(db, id)
  const parent = await placeForGroup(ctx, parentId)
  if (parent?.traversal_ids.includes(group.id)) throw badRequest('a group cannot be moved into itself or a group below it')
  if ((parent?.id ?? null) === group.parent_id) throw badRequest('the group is there already')
  if (parent) await assertVisibility(db, group, parent, group.visibility as Visibility)
  assertNames(group, parent?.id)
  // Before members of the new place have access: what they were given by name while they had it earlier has ended.
  await namedRights.value.dropLost(db, { place: { namespace_id: group.id } })
  await db
    .updateTable('namespaces')
    .set({ parent_id: parent?.id ?? null, updated_at: ctx.now })
    .where('id', '=', group.id)
    .execute()
    .catch(rethrowTakenName)
  await sql`update namespaces set traversal_ids = ${parent?.traversal_ids ?? []}::bigint[] || traversal_ids[array_position(traversal_ids, ${group.id}):]
             where traversal_ids @> array[${group.id}::bigint]`.execute(db)
  // And those of the group, and of the groups in it, in what was above them.
  const [top] = group.traversal_ids
  if (top !== undefined && top !== group.id) await namedRights.value.dropLost(db, { place: { namespace_id: top } })
  if (parent?.share_with_group_lock) await lockSharingBelow(db, group.id)
  if (parent && isMoreOpen(group, parent)) await applySharedRunners(db, group.id, parent.shared_runners_setting)
  await moveRoute(db, { namespace_id: group.id }, parent?.id, group)
  if (!parent) await ensureOwner(ctx, group.id)
  await projectLifecycle.value.onTransferred(ctx, { namespace_id: group.id }, top)
  const moved = await groups(db).where('namespaces.id', '=', group.id).executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'group.transferred', payload: { from: group.full_path, to: moved.full_path }, namespaceId: group.id })
  return moved
}

/** Makes the caller the owner of a top-level group that has none. */
async function ensureOwner(ctx: Context, groupId: number): Promise<void> {
  const { user } = ctx.actor
  const place: MemberPlace = { key: { namespace_id: groupId }, above: [], ownerId: null, role: roles.owner }
  if (!user || (await hasOtherOwner(ctx.db, place, user.id))) return
  const own = await membersOf(ctx.db, place).where('members.user_id', '=', user.id).executeTakeFirst()
  if (!own) await addMember(ctx, place.key, { user_id: user.id, access_level: roles.owner })
  else if (own.access_level < roles.owner) await changeMember(ctx, place, own, { access_level: roles.owner })
}

/** A lock on sharing applies to everything below, until it is removed there (groups API). */
const lockSharingBelow = (db: Db, groupId: number) =>
  db
    .updateTable('namespaces')
    .set({ share_with_group_lock: true })
    .where(sql<boolean>`traversal_ids @> ${[groupId]}`)
    .execute()

/** Below a lock, only users who could remove it in the parent may remove it; `role` is their role in the parent. */
function assertMayUnlock(actor: Actor, role: number | undefined): void {
  if (!isAdmin(actor) && (role ?? 0) < roles.owner)
    throw invalid({ share_with_group_lock: ['can be taken away below a group that has it only by the owners of that group'] })
}

/** Templates come from a project that the caller may see. */
async function assertTemplates({ db, actor }: Context, { file_template_project_id }: GroupAttributes): Promise<void> {
  if (file_template_project_id == null || (await visibleProject(db, actor, String(file_template_project_id)))) return
  throw invalid({ file_template_project_id: ['does not exist'] })
}

/** A group is never more visible than its parent nor less visible than its contents. */
async function assertVisibility(db: Db, group: GroupRow, parent: GroupRow | undefined, visibility: Visibility): Promise<void> {
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
