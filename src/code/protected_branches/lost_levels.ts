/** What becomes of levels of protected branches when the user or group that they name loses access to the project. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { isLostInProject, type LostAccess } from '../../spaces/members/named_rights.ts'

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
