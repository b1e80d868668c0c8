/** Deletes the rows of ended codes and tokens, once a day. */
import { type RawBuilder, sql } from 'kysely'
import { endOf } from '../../../platform/access/credentials/lifetimes.ts'
import type { Db } from '../../../platform/db/connection.ts'

/** Milliseconds that rows are kept after their end: clocks differ, and a lifetime may be extended again. */
const KEPT = 24 * 60 * 60 * 1000

/**
 * Had the row ended at `instant`? A used or revoked refresh token counts until its regular end: if it is used again, its whole family is
 * revoked (grants.ts).
 */
function wasOver(alias: string, instant: Date): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const accessEnd = endOf('oauth_access_tokens.digest', alias)
  const refreshEnd = sql`least(${column('created_at')} + (select oauth_refresh_token_lifetime from application_settings) * interval '1 day',
    ${endOf('oauth_access_tokens.refresh_digest', alias)})`
  const end = sql`case when ${column('refresh_digest')} is null then coalesce(${column('revoked_at')}, ${accessEnd})
    else greatest(${accessEnd}, ${refreshEnd}) end`
  return sql`coalesce(${end} < ${instant}, false)`
}

/**
 * Deletes ended codes and tokens. The first token of a grant stays while the grant has a valid one: its id is the grant's (`GET
 * /user/oauth_grants`).
 */
export async function sweepOAuthTokens(db: Db, now: Date): Promise<void> {
  const instant = new Date(now.getTime() - KEPT)
  await db.deleteFrom('oauth_authorization_codes').where('expires_at', '<', instant.toISOString()).execute()
  await sql`
    delete from oauth_access_tokens t
     where ${wasOver('t', instant)}
       and (exists (select from oauth_access_tokens earlier where earlier.family_id = t.family_id and earlier.id < t.id)
            or not exists (select from oauth_access_tokens other where other.family_id = t.family_id and not ${wasOver('other', instant)}))`.execute(
    db,
  )
}
