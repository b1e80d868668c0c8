/** Reads of second factors. */
import type { Db } from '../../platform/db/connection.ts'

/** The app that makes codes; undefined where the account has none. */
export const appOf = (db: Db, userId: number) =>
  db.selectFrom('totp_factors').select(['id', 'created_at']).where('user_id', '=', userId).executeTakeFirst()
