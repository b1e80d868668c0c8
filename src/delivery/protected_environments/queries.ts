/** Reads of protected environments. */
import { type SelectQueryBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { isMemberOfGroup } from '../../code/protected_branches/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/** One deploy access level: a role, a user or a group. */
export interface DeployLevel {
  readonly id: number
  readonly access_level: number
  readonly user_id: number | null
  readonly group_id: number | null
}

/** Protections with their levels, in the order of the request. */
const protectedEnvironments = (db: Db) =>
  db
    .selectFrom('protected_environments')
    .selectAll('protected_environments')
    .select(({ selectFrom }) =>
      jsonArrayFrom(
        selectFrom('protected_environment_access_levels as levels')
          .select(['levels.id', 'levels.access_level', 'levels.user_id', 'levels.group_id'])
          .whereRef('levels.protected_environment_id', '=', 'protected_environments.id')
          .orderBy('levels.id'),
      )
        .$castTo<DeployLevel[]>()
        .as('levels'),
    )

export type ProtectedEnvironmentRow = Awaited<ReturnType<ReturnType<typeof protectedEnvironments>['executeTakeFirstOrThrow']>>

/** The protections of one owner, by name. */
// biome-ignore lint/suspicious/noExplicitAny: which tables they come from does not matter
export type Protections = SelectQueryBuilder<any, any, ProtectedEnvironmentRow>

/** Protections of a project. */
export const protectionsOfProject = (db: Db, projectId: number): Protections =>
  protectedEnvironments(db).where('project_id', '=', projectId).orderBy('name')

/** Protections of a group itself. */
export const protectionsOfGroup = (db: Db, groupId: number): Protections =>
  protectedEnvironments(db).where('namespace_id', '=', groupId).orderBy('name')

/** The protections of a tier in these groups. */
export const protectionsOfTier = (db: Db, groupIds: readonly number[], tier: string) =>
  protectedEnvironments(db).where('namespace_id', '=', anyOf(groupIds)).where('name', '=', tier).orderBy('protected_environments.id')

/** The protections of all tiers in these groups. */
export const protectionsOfGroups = (db: Db, groupIds: readonly number[]) =>
  protectedEnvironments(db).where('namespace_id', '=', anyOf(groupIds)).orderBy('protected_environments.id')

/**
 * The groups of a user that these protections of groups name, by the id of the protection. A group counts while it is below the one that protects. One
 * statement, none without groups.
 */
export async function memberGroupsBelow(
  db: Db,
  userId: number,
  protections: readonly Pick<ProtectedEnvironmentRow, 'id' | 'levels'>[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const naming = protections.filter(({ levels }) => levels.some(({ group_id }) => group_id !== null))
  if (naming.length === 0) return new Map()
  const rows = await db
    .selectFrom('protected_environments')
    .innerJoin('protected_environment_access_levels as levels', 'levels.protected_environment_id', 'protected_environments.id')
    .innerJoin('namespaces', 'namespaces.id', 'levels.group_id')
    .where('protected_environments.id', '=', anyOf(naming.map(({ id }) => id)))
    .where(sql<boolean>`namespaces.traversal_ids @> array[protected_environments.namespace_id]`)
    .where(isMemberOfGroup(userId))
    .select(['protected_environments.id', 'namespaces.id as group_id'])
    .execute()
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, found]) => [id, new Set(found.map(({ group_id }) => group_id))]))
}
