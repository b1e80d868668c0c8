/** Reads of exports of accounts. */
import type { Db } from '../../platform/db/connection.ts'

/** The export of a user that was asked for last; undefined where there is none, or not any more. */
export const accountExportOf = (db: Db, userId: number) =>
  db
    .selectFrom('account_exports')
    .leftJoin('stored_objects', 'stored_objects.id', 'account_exports.object_id')
    .select([
      'account_exports.state',
      'account_exports.error',
      'account_exports.created_at',
      'account_exports.finished_at',
      'stored_objects.size',
    ])
    .where('account_exports.user_id', '=', userId)
    .executeTakeFirst()

/** The archive that a user can download. */
export const accountArchiveOf = (db: Db, userId: number) =>
  db
    .selectFrom('account_exports')
    .innerJoin('stored_objects', 'stored_objects.id', 'account_exports.object_id')
    .select(['account_exports.filename', 'stored_objects.key', 'stored_objects.size', 'stored_objects.sha256'])
    .where('account_exports.user_id', '=', userId)
    .where('account_exports.state', '=', 'finished')
    .executeTakeFirst()
