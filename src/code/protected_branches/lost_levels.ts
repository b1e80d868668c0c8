/** What becomes of levels of protected branches when the user or group that they name loses access to the project, or is deleted. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { type DeletedHolders, isLostInProject, type LostAccess } from '../../spaces/members/named_rights.ts'
import { ADMINISTRATORS } from './branch_rights.ts'

/**
 * Deletes the levels of users and groups that have lost access. Without a level for pushing or merging no one may do that; without one for unprotecting
 * every Maintainer could, so the last of these stay: who has no access does not unprotect by them.
 */
export const dropLostBranchLevels = (db: Db, lost: LostAccess) =>
  sql`with lost as (
    select levels.id from protected_branch_access_levels levels
      join protected_branches on protected_branches.id = levels.protected_branch_id
      join projects on projects.id = protected_branches.project_id
      join namespaces home on home.id = projects.namespace_id
     where ${isLostInProject(lost)}
  )
  delete from protected_branch_access_levels gone
   where gone.id in (select id from lost)
     and (gone.action <> 'unprotect' or exists (
       select from protected_branch_access_levels kept
        where kept.protected_branch_id = gone.protected_branch_id and kept.action = 'unprotect' and kept.id not in (select id from lost)))`.execute(
    db,
  )

/**
 * Lets only administrators unprotect where those who are deleted are the last who may: their levels go with their rows, and without a level for
 * unprotecting every Maintainer could. `db` is a transaction.
 */
export async function keepUnprotectLevels(db: Db, { userIds = [], groupIds = [] }: DeletedHolders): Promise<void> {
  const isGoing = sql`(levels.user_id = any(${userIds}::bigint[]) or levels.group_id = any(${groupIds}::bigint[]))`
  // Locked by a statement of its own: of two who are deleted at the same time, the next statement of the second sees that the first is gone.
  const { rows } = await sql<{ id: number }>`select id from protected_branches
     where id in (select levels.protected_branch_id from protected_branch_access_levels levels where levels.action = 'unprotect' and ${isGoing})
     order by id for update`.execute(db)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await sql`insert into protected_branch_access_levels (protected_branch_id, action, access_level)
    select protected.id, 'unprotect', ${ADMINISTRATORS} from unnest(${ids}::bigint[]) protected (id)
     where not exists (
       select from protected_branch_access_levels levels
        where levels.protected_branch_id = protected.id and levels.action = 'unprotect' and ${isGoing} is not true)`.execute(db)
}
