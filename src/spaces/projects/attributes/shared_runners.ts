/** Switches shared runners off in all projects of a tree, for the settings of its group. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'

/** Of the projects of a group and of all groups below it. One statement. */
export const endSharedRunnersBelow = (db: Db, groupId: number) =>
  sql`update projects set shared_runners_enabled = false
       where shared_runners_enabled
         and namespace_id in (select id from namespaces where traversal_ids @> array[${groupId}::bigint])`.execute(db)
