/** Reads of exports and imports of groups. */

import { sql } from 'kysely'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { ShownExport } from '../project_archives/queries.ts'

/**
 * The archive of a group that this user can download; undefined where there is none. It has what the user may read who asked for it, as private
 * addresses of members for an administrator, so that others have none; administrators read all of them.
 */
export const archiveOf = (db: Db, groupId: number, actor: Actor) =>
  db
    .selectFrom('group_exports')
    .innerJoin('stored_objects', 'stored_objects.id', 'group_exports.object_id')
    .select(['group_exports.filename', 'stored_objects.key', 'stored_objects.size', 'stored_objects.sha256'])
    .where('group_exports.namespace_id', '=', groupId)
    .$if(!isAdmin(actor), query => query.where('group_exports.user_id', '=', actor.user?.id ?? null))
    .executeTakeFirst()

/** What is known of the import of a group; undefined where it was not imported. */
export const importOf = (db: Db, groupId: number) =>
  db
    .selectFrom('group_imports')
    .leftJoin('stored_objects', 'stored_objects.id', 'group_imports.object_id')
    .select(['group_imports.user_id', 'group_imports.state', 'group_imports.error', 'group_imports.failures', 'stored_objects.key'])
    .where('group_imports.namespace_id', '=', groupId)
    .executeTakeFirst()

/** How the last export of a group goes; undefined where there is none. */
export const shownExportOf = (db: Db, groupId: number): Promise<ShownExport | undefined> =>
  db
    .selectFrom('group_exports')
    .select(['state', 'error', 'created_at', 'finished_at'])
    .select(({ eb }) => [sql<boolean>`false`.as('is_sent'), eb('object_id', 'is not', null).as('is_kept')])
    .where('namespace_id', '=', groupId)
    .$castTo<ShownExport>()
    .executeTakeFirst()
