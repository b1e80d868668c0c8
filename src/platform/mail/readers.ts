/** In which language, and with the times of which zone, a mail is written. */
import { sql } from 'kysely'
import { type Language, withDefaults } from '../access/preferences.ts'
import type { Db } from '../db/connection.ts'
import type { Reader } from './words/words.ts'

/** What an account prefers, with the language of the instance where it chose none. `preferences`: the column of its row. */
export function readerWith(preferences: unknown, instance: Language): Reader {
  const { preferred_language, timezone } = withDefaults(preferences)
  return { language: preferred_language ?? instance, timeZone: timezone }
}

interface Row {
  readonly preferences: unknown
  readonly language: Language
}

/** The reader of a mail: the account, or the active one that has confirmed the address. One statement. */
export async function readerOf(db: Db, { userId, address }: { readonly userId?: number | undefined; readonly address: string }) {
  const owner =
    userId === undefined
      ? sql`select users.id from users where lower(users.email) = lower(${address}) and users.confirmed_at is not null and users.state = 'active'
             union all
            select users.id from emails join users on users.id = emails.user_id
             where lower(emails.email) = lower(${address}) and emails.confirmed_at is not null and users.state = 'active'
             limit 1`
      : sql`select ${userId}::bigint`
  const { rows } = await sql<Row>`
    select a.default_preferred_language as language, (select preferences from users where id = (${owner})) as preferences
      from application_settings a`.execute(db)
  const [row] = rows as [Row]
  return readerWith(row.preferences ?? undefined, row.language)
}
