/** Reads of applications. */
import { endOf } from '../../platform/access/credentials/lifetimes.ts'
import type { Db } from '../../platform/db/connection.ts'

/** When the secret of an application expires; null for never. */
export const secretEnd = endOf('oauth_applications.secret_digest', 'oauth_applications').as('secret_expires_at')

/** Every application, oldest first. */
export const applications = (db: Db) =>
  db.selectFrom('oauth_applications').selectAll('oauth_applications').select(secretEnd).orderBy('oauth_applications.id')

export type ApplicationRow = Awaited<ReturnType<ReturnType<typeof applications>['executeTakeFirstOrThrow']>>

/** The application with this id. */
export const applicationById = (db: Db, id: number) => applications(db).where('oauth_applications.id', '=', id).executeTakeFirst()

/** The application with this OAuth client id. */
export const applicationByUid = (db: Db, uid: string) => applications(db).where('oauth_applications.uid', '=', uid).executeTakeFirst()
