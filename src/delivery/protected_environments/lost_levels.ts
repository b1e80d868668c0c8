/** What becomes of deploy levels when the user or group that they name loses access to the project or group that protects. */
import { sql } from 'kysely'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Db } from '../../platform/db/connection.ts'
import { isHomeReachedBy, isLookedAt, isLostInProject, isOfEnded, type LostAccess } from '../../spaces/members/named_rights.ts'

/**
 * Is any of these users named by a level of a protected branch, tag or environment? Few are, and no new account is: the statements that look for lost
 * levels take longer to be planned than a membership takes to be made.
 */
export async function namesSome(db: Db, userIds: readonly number[]): Promise<boolean> {
  const named = (table: string) => sql`select from ${sql.table(table)} levels where levels.user_id = any(${userIds}::bigint[])`
  const { rows } = await sql<{ found: boolean }>`
    select exists (${named('protected_branch_access_levels')}) or exists (${named('protected_tag_access_levels')})
        or exists (${named('protected_environment_access_levels')}) as found`.execute(db)
  return rows[0]?.found === true
}

/** Deletes the levels of users and groups that have lost access. A protection without a level lets no one deploy but administrators. */
export const dropLostDeployLevels = (db: Db, lost: LostAccess) =>
  Promise.all([dropLevelsInProjects(db, lost), 'namespace_id' in lost.place && dropLevelsInGroups(db, lost, lost.place.namespace_id)])

const dropLevelsInProjects = (db: Db, lost: LostAccess) =>
  sql`delete from protected_environment_access_levels levels using protected_environments, projects, namespaces home
     where protected_environments.id = levels.protected_environment_id and projects.id = protected_environments.project_id
       and home.id = projects.namespace_id and ${isLostInProject(lost)}`.execute(db)

/** The levels of protections that groups have of tiers: a group, those below it, and those that they are invited to. Users have a role there; groups are below the one that protects. */
const dropLevelsInGroups = (db: Db, lost: LostAccess, groupId: number) =>
  sql`delete from protected_environment_access_levels levels using protected_environments, namespaces home
     where protected_environments.id = levels.protected_environment_id and home.id = protected_environments.namespace_id
       and ${isHomeReachedBy(groupId)} and not home.deleting and ${isLookedAt(lost)}
       and ((home.id = ${groupId} and ${isOfEnded(lost)})
         or (levels.user_id is not null and not exists (
           select from memberships m
            where m.user_id = levels.user_id and m.namespace_id = any(home.traversal_ids) and ${isCurrentMembership()}))
         or (levels.group_id is not null and not exists (
           select from namespaces named where named.id = levels.group_id and named.traversal_ids @> array[home.id])))`.execute(db)
