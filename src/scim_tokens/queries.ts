/** Reads of SCIM tokens: one for each group whose SCIM is on. */
import type { Db } from '../db/connection.ts'

const scimTokens = (db: Db) =>
  db.selectFrom('scim_tokens').select(['group_id', 'default_membership_role', 'enabled_by_admin', 'created_at'])

export type ScimTokenRow = Awaited<ReturnType<ReturnType<typeof scimTokens>['executeTakeFirstOrThrow']>>

/** The token of a group; undefined while its SCIM is off. */
export const scimTokenOf = (db: Db, groupId: number) => scimTokens(db).where('group_id', '=', groupId).executeTakeFirst()

/** The token with this digest. */
export const scimTokenByDigest = (db: Db, digest: string) => scimTokens(db).where('digest', '=', digest).executeTakeFirst()
