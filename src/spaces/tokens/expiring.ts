/** Personal access tokens that end soon, of which their owners get a mail. */
import { sql } from 'kysely'
import type { Credentials, Ending } from '../../identity/account_mails/expiring.ts'

/** Not those whose whole life is a week or less: their owners know. */
export const expiringTokens: Credentials = {
  what: 'tokens',
  path: '/-/profile/personal_access_tokens',
  async take(db, until, today) {
    const { rows } = await sql<Ending>`
      update personal_access_tokens set expiry_mailed = true
       where not revoked and not impersonation and not expiry_mailed
         and expires_at > ${today}::date and expires_at <= ${until}::date and expires_at - created_at::date > 7
      returning user_id, name, expires_at::text as day`.execute(db)
    return rows
  },
}
