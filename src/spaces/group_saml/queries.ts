/** Reads of the SAML providers of groups: one for each top-level group that has one. */
import type { Db } from '../../platform/db/connection.ts'

const samlProviders = (db: Db) => db.selectFrom('saml_providers').selectAll()

export type SamlProviderRow = Awaited<ReturnType<ReturnType<typeof samlProviders>['executeTakeFirstOrThrow']>>

/** The provider of a group; undefined where it has none. */
export const samlProviderOf = (db: Db, groupId: number) => samlProviders(db).where('group_id', '=', groupId).executeTakeFirst()
