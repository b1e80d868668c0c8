/** SSH keys that end soon, of which their owners get a mail. */
import { sql } from 'kysely'
import type { Credentials, Ending } from '../account_mails/expiring.ts'

/** Not those whose whole life is a week or less: their owners know. Deploy keys are nobody's. */
export const expiringKeys: Credentials = {
  what: 'keys',
  path: '/-/profile/keys',
  async take(db, until, today) {
    const { rows } = await sql<Ending>`
      update keys set expiry_mailed = true
       where user_id is not null and not expiry_mailed and expires_at > ${today}::date and expires_at < ${until}::date + 1
         and expires_at - created_at > interval '7 days'
      returning user_id, title as name, (expires_at at time zone 'UTC')::date::text as day`.execute(db)
    return rows
  },
}
