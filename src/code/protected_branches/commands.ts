/** Writes of protected branches. */

import { type Role, roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { changesExcept } from '../../platform/events/audit/changes.ts'
import { grantsOf } from '../../platform/events/audit/entry.ts'
import type { NewEvent } from '../../platform/events/catalog.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict, forbidden, unprocessable } from '../../platform/kernel/errors.ts'
import { allMembersOf } from '../../spaces/members/queries.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { groupsWithAccess } from '../../spaces/shares/queries.ts'
import { defaultProtection, mayFitBoth, NO_ONE } from './branch_rights.ts'
import { type Allowed, type LevelChange, levelRow, levelsAfter, type PlannedLevels, plannedLevels } from './level_changes.ts'
import {
  type AccessLevel,
  memberGroupsIn,
  type ProtectedAction,
  type ProtectedBranchRow,
  protectedActions,
  protectedBranchByName,
  protectedBranches,
} from './queries.ts'
import { firstBranchProtection } from './rights.ts'

export interface NewProtection {
  readonly name: string
  readonly push_access_level?: number | undefined
  readonly merge_access_level?: number | undefined
  readonly unprotect_access_level?: number | undefined
  readonly allowed_to_push?: readonly Allowed[] | undefined
  readonly allowed_to_merge?: readonly Allowed[] | undefined
  readonly allowed_to_unprotect?: readonly Allowed[] | undefined
  readonly allow_force_push?: boolean | undefined
  readonly code_owner_approval_required?: boolean | undefined
}

/** The access levels of an action: the given ones, or Maintainers by default. */
function levelsFor(action: ProtectedAction, given: NewProtection) {
  const level = given[`${action}_access_level`]
  const allowed = given[`allowed_to_${action}`] ?? []
  const levels: readonly Allowed[] = level === undefined ? allowed : [{ access_level: level }, ...allowed]
  return (levels.length === 0 ? [{ access_level: roles.maintainer }] : levels).map(level => ({ action, ...levelRow(level) }))
}

/** A level to store. `action` is used in the text of a refusal. */
export interface NewLevel {
  readonly action: string
  readonly user_id: number | null
  readonly group_id: number | null
}

/** 422 unless users are members of the project, and groups contain it or are invited to it. */
export async function assertLevelsAreMembers(db: Db, project: ProjectWithRole, levels: readonly NewLevel[]): Promise<void> {
  const userIds = [...new Set(levels.flatMap(level => level.user_id ?? []))]
  const place = {
    key: { project_id: project.id },
    above: project.namespace_traversal_ids,
    ownerId: project.namespace_owner_id,
    role: project.role as Role,
  }
  const members = userIds.length === 0 ? [] : await allMembersOf(db, place, { user_ids: userIds }).execute()
  const known = new Set(members.map(member => member.id))
  const groups = await groupsWithAccess(db, project.id, [...new Set(levels.flatMap(level => level.group_id ?? []))])
  const failures = levels.flatMap(({ action, user_id, group_id }) => {
    const name = `${action[0]?.toUpperCase()}${action.slice(1)} access levels`
    if (user_id !== null && !known.has(user_id)) return [`${name} user is not a member of the project`]
    if (group_id !== null && !groups.has(group_id)) return [`${name} group does not have access to the project`]
    return []
  })
  if (failures.length > 0) throw unprocessable(failures)
}

/**
 * Protects a branch or a pattern; 409 if this name is protected already, 403 if it would let the caller into what another protection keeps them out of.
 */
export async function protectBranch(ctx: Context, project: ProjectWithRole, given: NewProtection): Promise<ProtectedBranchRow> {
  const { db, now } = ctx
  const levels = protectedActions.flatMap(action => levelsFor(action, given))
  await assertLevelsAreMembers(db, project, levels)
  await assertOpensNoOther(ctx, project, given.name)
  try {
    const { id } = await db
      .insertInto('protected_branches')
      .values({
        project_id: project.id,
        name: given.name,
        allow_force_push: given.allow_force_push ?? false,
        code_owner_approval_required: given.code_owner_approval_required ?? false,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('protected_branch_access_levels')
      .values(levels.map(level => ({ protected_branch_id: id, ...level })))
      .execute()
  } catch (error) {
    if (uniqueViolation(error) !== undefined)
      throw conflict(`Protected branch '${given.name}' already exists`, { name: ['is protected already'] })
    throw error
  }
  const made = (await protectedBranchByName(db, project.id, given.name)) as ProtectedBranchRow
  const payload = { id: made.id, name: given.name, levels, allow_force_push: given.allow_force_push }
  await recordEvent(ctx, { kind: 'protected_branch.created', payload, projectId: project.id })
  return made
}

/** What a change of a protection has. */
export interface ProtectionChanges {
  readonly code_owner_approval_required?: boolean | undefined
  readonly allow_force_push?: boolean | undefined
  readonly allowed_to_push?: readonly LevelChange[] | undefined
  readonly allowed_to_merge?: readonly LevelChange[] | undefined
  readonly allowed_to_unprotect?: readonly LevelChange[] | undefined
}

/** Changes a protection and its levels; 403 for users whom its `unprotect` levels exclude: they could let themselves in. */
export async function updateProtection(
  ctx: Context,
  project: ProjectWithRole,
  branch: ProtectedBranchRow,
  { code_owner_approval_required, allow_force_push, ...given }: ProtectionChanges,
): Promise<ProtectedBranchRow> {
  const { db } = ctx
  await assertMayUnprotect(ctx, project, branch)
  await assertOpensNoOther(ctx, project, branch.name)
  const attributes = { code_owner_approval_required, allow_force_push }
  const levelChanges: Record<string, { from: string; to: string }> = {}
  for (const action of protectedActions) {
    const changes = given[`allowed_to_${action}`]
    if (!changes) continue
    const current = branch.levels.filter(level => level.action === action)
    const planned = plannedLevels(current, changes)
    const written = [...planned.added, ...planned.changed].map(level => ({ action, ...level }))
    await assertLevelsAreMembers(db, project, written)
    await writeLevels(db, branch.id, action, planned)
    const words = (levels: readonly Omit<AccessLevel, 'id' | 'action'>[]) =>
      grantsOf({ levels: levels.map(level => ({ ...level, action })) })
    const [from, to] = [words(current), words(levelsAfter(current, planned))]
    if (from !== to) levelChanges[`${action}_access_levels`] = { from, to }
  }
  if (code_owner_approval_required !== undefined || allow_force_push !== undefined)
    await db.updateTable('protected_branches').set(attributes).where('id', '=', branch.id).execute()
  await recordEvent(ctx, {
    kind: 'protected_branch.updated',
    payload: { id: branch.id, name: branch.name, changes: { ...changesExcept(branch, attributes, []), ...levelChanges } },
    projectId: project.id,
  })
  return (await protectedBranchByName(db, project.id, branch.name)) as ProtectedBranchRow
}

async function writeLevels(
  db: Db,
  protected_branch_id: number,
  action: ProtectedAction,
  { added, changed, removed }: PlannedLevels,
): Promise<void> {
  if (removed.length > 0) await db.deleteFrom('protected_branch_access_levels').where('id', '=', anyOf(removed)).execute()
  for (const { id, ...level } of changed) await db.updateTable('protected_branch_access_levels').set(level).where('id', '=', id).execute()
  if (added.length > 0)
    await db
      .insertInto('protected_branch_access_levels')
      .values(added.map(level => ({ protected_branch_id, action, ...level })))
      .execute()
}

/** Is the caller among those who may remove a protection? */
export const mayUnprotect = async (
  ctx: Pick<Context, 'db' | 'actor'>,
  project: ProjectWithRole,
  branch: ProtectedBranchRow,
): Promise<boolean> => (await unprotectableAmong(ctx, project, [branch])).length === 1

/** Those of these protections that the caller may remove. One statement for all. */
async function unprotectableAmong(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  project: ProjectWithRole,
  branches: readonly ProtectedBranchRow[],
): Promise<readonly ProtectedBranchRow[]> {
  if (isAdmin(actor)) return branches
  const levelsOf = (branch: ProtectedBranchRow) => branch.levels.filter(level => level.action === 'unprotect')
  const named = branches.flatMap(branch => levelsOf(branch).flatMap(level => level.group_id ?? []))
  const groups = actor.user ? await memberGroupsIn(db, actor.user.id, project.id, named) : new Set<number>()
  return branches.filter(branch => {
    const levels = levelsOf(branch)
    return (
      levels.length === 0 ||
      levels.some(({ user_id, group_id, access_level }) => {
        if (user_id !== null) return user_id === actor.user?.id && project.role > roles.none
        if (group_id !== null) return groups.has(group_id) && project.role >= roles.maintainer
        return access_level !== NO_ONE && project.role >= access_level
      })
    )
  })
}

async function assertMayUnprotect(ctx: Context, project: ProjectWithRole, branch: ProtectedBranchRow): Promise<void> {
  if (!(await mayUnprotect(ctx, project, branch))) throw forbidden()
}

/**
 * 403 where a branch may fit this name and another protection as well, whose `unprotect` levels exclude the caller: of all protections of a branch any one
 * lets in, so that they could let themselves in by this one.
 */
async function assertOpensNoOther(ctx: Context, project: ProjectWithRole, name: string): Promise<void> {
  if (isAdmin(ctx.actor)) return
  const others = await protectedBranches(ctx.db, project.id).where('protected_branches.name', '!=', name).execute()
  const overlapping = others.filter(other => mayFitBoth(name, other.name))
  const own = await unprotectableAmong(ctx, project, overlapping)
  const closed = overlapping.find(other => !own.includes(other))
  if (closed) throw forbidden(`Branches of '${closed.name}' are protected against you`)
}

/** Removes a protection; 403 for users whom its `unprotect` levels exclude. */
export async function unprotectBranch(ctx: Context, project: ProjectWithRole, branch: ProtectedBranchRow): Promise<void> {
  await assertMayUnprotect(ctx, project, branch)
  await ctx.db.deleteFrom('protected_branches').where('id', '=', branch.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'protected_branch.deleted', payload: { id: branch.id, name: branch.name }, projectId: project.id })
}

/**
 * Protects the first branch of a repository as its namespace specifies.
 * @returns the event to record on behalf of the user who created the branch; none if nothing was protected
 */
export async function protectFirstBranch(
  db: Db,
  project: { id: number; namespace_id: number },
  branch: string,
  now: Date,
): Promise<readonly NewEvent<'protected_branch.created'>[]> {
  const protection = await firstBranchProtection(db, project.namespace_id)
  if (protection === defaultProtection.none) return []
  const protectedBranch = await db
    .insertInto('protected_branches')
    .values({ project_id: project.id, name: branch, created_at: now })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  // A protection that existed before the branch is kept.
  if (!protectedBranch) return []
  const push = protection === defaultProtection.developersPush ? roles.developer : roles.maintainer
  const merge = protection === defaultProtection.developersMerge ? roles.developer : roles.maintainer
  const levels = (['push', 'merge', 'unprotect'] as const).map(action => ({
    action,
    access_level: { push, merge, unprotect: roles.maintainer }[action],
  }))
  await db
    .insertInto('protected_branch_access_levels')
    .values(levels.map(level => ({ protected_branch_id: protectedBranch.id, ...level })))
    .execute()
  return [{ kind: 'protected_branch.created', payload: { id: protectedBranch.id, name: branch, levels }, projectId: project.id }]
}
