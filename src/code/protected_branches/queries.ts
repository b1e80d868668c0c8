/** Reads of protected branches. */

import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { groupHasAccess } from '../../spaces/shares/queries.ts'

/** The actions that a protection controls: pushing to a branch, merging into it, removing its protection. */
export const protectedActions = ['push', 'merge', 'unprotect'] as const
export type ProtectedAction = (typeof protectedActions)[number]

/** A role, user or group that is allowed an action on a protected branch. */
export interface AccessLevel {
  readonly id: number
  readonly action: ProtectedAction
  readonly access_level: number
  readonly user_id: number | null
  readonly group_id: number | null
}

/** Protected branches and patterns, with their access levels in order of creation. */
const withLevels = (db: Db) =>
  db
    .selectFrom('protected_branches')
    .selectAll('protected_branches')
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom('protected_branch_access_levels as levels')
          .select(['levels.id', 'levels.action', 'levels.access_level', 'levels.user_id', 'levels.group_id'])
          .whereRef('levels.protected_branch_id', '=', 'protected_branches.id')
          .orderBy('levels.id'),
      )
        .$castTo<AccessLevel[]>()
        .as('levels'),
    )

/** The protected branches of a project. */
export const protectedBranches = (db: Db, projectId: number) => withLevels(db).where('protected_branches.project_id', '=', projectId)

/** The protected branches of several projects. */
export const protectedBranchesOf = (db: Db, projectIds: readonly number[]) =>
  withLevels(db).where('protected_branches.project_id', '=', anyOf(projectIds)).execute()

/** Protected branches by id, for other resources. */
export async function protectedBranchesById(db: Db, ids: readonly number[]): Promise<Map<number, ProtectedBranchRow>> {
  if (ids.length === 0) return new Map()
  const rows = await withLevels(db).where('protected_branches.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

export type ProtectedBranchRow = Awaited<ReturnType<ReturnType<typeof protectedBranches>['executeTakeFirstOrThrow']>>

/** The protected branches of a project whose name contains `search`, by name. */
export function protectedBranchesMatching(db: Db, projectId: number, search: string | undefined) {
  const query = protectedBranches(db, projectId).orderBy('protected_branches.name')
  return search ? query.where('protected_branches.name', 'ilike', containing(search)) : query
}

/** The protection with exactly this name or pattern. */
export const protectedBranchByName = (db: Db, projectId: number, name: string) =>
  protectedBranches(db, projectId).where('protected_branches.name', '=', name).executeTakeFirst()

/** Is a user a member of the group `namespaces`, directly or by a group above? */
export const isMemberOfGroup = (userId: number) =>
  sql<boolean>`exists (select from members m where m.user_id = ${userId} and m.namespace_id = any(namespaces.traversal_ids)
                                              and ${isCurrentMembership()})`

/**
 * Those of the groups that the user is a member of, by the projects that they have access to: a group that has lost it does not count, whatever a
 * protection names. One statement, none without groups.
 */
export async function memberGroupsAmong(
  db: Db,
  userId: number,
  projectIds: readonly number[],
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  if (groupIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('projects')
    .innerJoin('namespaces as home', 'home.id', 'projects.namespace_id')
    .innerJoin('namespaces', join => join.on('namespaces.id', '=', anyOf(groupIds)))
    .where('projects.id', '=', anyOf(projectIds))
    .where(isMemberOfGroup(userId))
    .where(groupHasAccess(sql.ref('namespaces.id')))
    .select(['projects.id as project_id', 'namespaces.id'])
    .execute()
  return new Map([...Map.groupBy(rows, row => row.project_id)].map(([id, found]) => [id, new Set(found.map(row => row.id))]))
}

/** The same in one project. */
export const memberGroupsIn = async (
  db: Db,
  userId: number,
  projectId: number,
  groupIds: readonly number[],
): Promise<ReadonlySet<number>> => (await memberGroupsAmong(db, userId, [projectId], groupIds)).get(projectId) ?? new Set()
