/** Reads of GPG keys. */
import type { Db } from '../../platform/db/connection.ts'

/** The GPG keys of a user. */
export const gpgKeysOf = (db: Db, userId: number) => db.selectFrom('gpg_keys').selectAll().where('user_id', '=', userId).orderBy('id')

export type GpgKeyRow = Awaited<ReturnType<ReturnType<typeof gpgKeysOf>['executeTakeFirstOrThrow']>>

/** One GPG key of a user. */
export const gpgKeyOf = (db: Db, userId: number, id: number) => gpgKeysOf(db, userId).where('id', '=', id).executeTakeFirst()
