/** Reads of SCIM tokens: one for each group with SCIM enabled. */
import { isInForce } from '../../platform/access/credentials/lifetimes.ts'
import type { Db } from '../../platform/db/connection.ts'

const scimTokens = (db: Db) =>
  db.selectFrom('scim_tokens').select(['group_id', 'default_membership_role', 'enabled_by_admin', 'created_at'])

export type ScimTokenRow = Awaited<ReturnType<ReturnType<typeof scimTokens>['executeTakeFirstOrThrow']>>

/** The token of a group; undefined while its SCIM is disabled. */
export const scimTokenOf = (db: Db, groupId: number) => scimTokens(db).where('group_id', '=', groupId).executeTakeFirst()

/** The token with this digest, unless it has expired. */
export const scimTokenByDigest = (db: Db, digest: string, now: Date) =>
  scimTokens(db)
    .where('digest', '=', digest)
    .where(isInForce('scim_tokens.digest', 'scim_tokens', now))
    .executeTakeFirst()
