/** Writes of protected environments. */

import { type Allowed, type LevelChange, levelRow, levelsAfter, plannedLevels } from '../../code/protected_branches/level_changes.ts'
import { roles } from '../../platform/access/abilities.ts'
import type { Db } from '../../platform/db/connection.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { grantsOf, inPlace as idsOf } from '../../platform/events/audit/entry.ts'
import type { ChangeSet } from '../../platform/events/audit/kinds.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict, unprocessable } from '../../platform/kernel/errors.ts'
import { allMembersOf } from '../../spaces/members/queries.ts'
import { groupsWithAccess } from '../../spaces/shares/queries.ts'
import type { ProtectedEnvironmentRow } from './queries.ts'
import type { InProtectingPlace } from './scope.ts'

/** Developers, Maintainers, administrators (document 2). */
const assignableLevels: readonly number[] = [roles.developer, roles.maintainer, 60]

/** The users among these who can be named. In a group: Maintainers and above (document 2); in a project: users who can deploy at all. */
async function assignableUsers(db: Db, { place }: InProtectingPlace, user_ids: number[]): Promise<ReadonlySet<number>> {
  if (user_ids.length === 0) return new Set()
  const lowest = 'namespace_id' in place.key ? roles.maintainer : roles.developer
  const members = await allMembersOf(db, place, { user_ids }).execute()
  return new Set(members.filter(member => member.access_level >= lowest).map(member => member.id))
}

/** The groups among these that can be named: below the group (document 2); above the project, or invited to it or to a group above. */
async function assignableGroups(db: Db, { place }: InProtectingPlace, groupIds: number[]): Promise<ReadonlySet<number>> {
  if (groupIds.length === 0) return new Set()
  const { key } = place
  if ('namespace_id' in key) {
    const below = await db
      .selectFrom('namespaces')
      .select(['id', 'traversal_ids'])
      .where('id', '=', anyOf(groupIds))
      .where('kind', '=', 'group')
      .execute()
    return new Set(
      below.filter(({ id, traversal_ids }) => id !== key.namespace_id && traversal_ids.includes(key.namespace_id)).map(({ id }) => id),
    )
  }
  return groupsWithAccess(db, key.project_id, groupIds)
}

/** Contract: 422 for a user or group that cannot be named (decision 29). */
async function assertAssignable(db: Db, inPlace: InProtectingPlace, levels: readonly Allowed[]): Promise<void> {
  const distinct = (column: 'user_id' | 'group_id') => [...new Set(levels.flatMap(level => level[column] ?? []))]
  const users = await assignableUsers(db, inPlace, distinct('user_id'))
  const groups = await assignableGroups(db, inPlace, distinct('group_id'))
  const failures = levels.flatMap(({ user_id, group_id, access_level }) => {
    if (user_id !== undefined && !users.has(user_id)) return ['Deploy access levels user may not be assigned']
    if (group_id !== undefined && !groups.has(group_id)) return ['Deploy access levels group may not be assigned']
    if (access_level !== undefined && !assignableLevels.includes(access_level))
      return ['Deploy access levels access level is not included in the list']
    return []
  })
  if (failures.length > 0) throw unprocessable([...new Set(failures)])
}

/** Protects an environment of a project, or a tier of a group; 409 if it is protected already. */
export async function protectEnvironment(
  ctx: Context,
  inPlace: InProtectingPlace,
  { name, deploy_access_levels }: { readonly name: string; readonly deploy_access_levels: readonly Allowed[] },
): Promise<ProtectedEnvironmentRow> {
  const { db, now } = ctx
  await assertAssignable(db, inPlace, deploy_access_levels)
  const levels = deploy_access_levels.map(levelRow)
  const { id } = await db
    .insertInto('protected_environments')
    .values({ ...inPlace.place.key, name, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) === undefined
        ? error
        : conflict(`Protected environment '${name}' already exists`, { name: ['is protected already'] })
    })
  await db
    .insertInto('protected_environment_access_levels')
    .values(levels.map(level => ({ protected_environment_id: id, ...level })))
    .execute()
  const granted = levels.map(level => ({ ...level, action: 'deploy' }))
  await recordEvent(ctx, { kind: 'protected_environment.created', payload: { id, name, levels: granted }, ...idsOf(inPlace.place.key) })
  return inPlace.protections.where('id', '=', id).executeTakeFirstOrThrow()
}

/** Changes who may deploy; at least one must be left. */
export async function updateProtection(
  ctx: Context,
  inPlace: InProtectingPlace,
  { id, name, levels }: ProtectedEnvironmentRow,
  changes: readonly LevelChange[],
): Promise<ProtectedEnvironmentRow> {
  const { db } = ctx
  const planned = plannedLevels(levels, changes)
  const left = levelsAfter(levels, planned)
  if (left.length === 0) throw unprocessable(['Deploy access levels can not be empty'])
  const asGiven = ({ user_id, group_id, access_level }: (typeof left)[number]): Allowed =>
    user_id !== null ? { user_id } : group_id !== null ? { group_id } : { access_level }
  await assertAssignable(db, inPlace, [...planned.added, ...planned.changed].map(asGiven))
  if (planned.removed.length > 0)
    await db.deleteFrom('protected_environment_access_levels').where('id', '=', anyOf(planned.removed)).execute()
  for (const { id, ...level } of planned.changed)
    await db.updateTable('protected_environment_access_levels').set(level).where('id', '=', id).execute()
  if (planned.added.length > 0)
    await db
      .insertInto('protected_environment_access_levels')
      .values(planned.added.map(level => ({ protected_environment_id: id, ...level })))
      .execute()
  const words = (of: readonly (typeof left)[number][]) => grantsOf({ levels: of.map(level => ({ ...level, action: 'deploy' })) })
  const changed: ChangeSet = words(levels) === words(left) ? {} : { deploy_access_levels: { from: words(levels), to: words(left) } }
  await recordEvent(ctx, { kind: 'protected_environment.updated', payload: { id, name, changes: changed }, ...idsOf(inPlace.place.key) })
  return inPlace.protections.where('id', '=', id).executeTakeFirstOrThrow()
}

/** Removes a protection. */
export async function unprotectEnvironment(
  ctx: Context,
  { place }: InProtectingPlace,
  { id, name }: ProtectedEnvironmentRow,
): Promise<void> {
  await ctx.db.deleteFrom('protected_environments').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'protected_environment.deleted', payload: { id, name }, ...idsOf(place.key) })
}
