/** What becomes of levels of protected tags when the user or group that they name loses access to the project. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { isLostInProject, type LostAccess } from '../../spaces/members/named_rights.ts'

/** Deletes the levels of users and groups that have lost access. A protection without a level lets no one create the tag. */
export const dropLostTagLevels = (db: Db, lost: LostAccess) =>
  sql`delete from protected_tag_access_levels levels using protected_tags, projects, namespaces home
   where protected_tags.id = levels.protected_tag_id and projects.id = protected_tags.project_id and home.id = projects.namespace_id
     and ${isLostInProject(lost)}`.execute(db)
