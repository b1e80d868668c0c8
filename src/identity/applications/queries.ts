/** Reads of applications. */
import type { Db } from '../../platform/db/connection.ts'

/** Every application, oldest first. */
export const applications = (db: Db) => db.selectFrom('oauth_applications').selectAll('oauth_applications').orderBy('oauth_applications.id')

export type ApplicationRow = Awaited<ReturnType<ReturnType<typeof applications>['executeTakeFirstOrThrow']>>

/** The application with this id. */
export const applicationById = (db: Db, id: number) => applications(db).where('oauth_applications.id', '=', id).executeTakeFirst()

/** The application that OAuth knows under this client id. */
export const applicationByUid = (db: Db, uid: string) => applications(db).where('oauth_applications.uid', '=', uid).executeTakeFirst()
