/** One's own preferences (users API). */
import { sql } from 'kysely'
import { defaultPreferences, type Preferences } from '../../../platform/access/preferences.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { endpoint, one } from '../../../platform/kernel/declaration/endpoint.ts'
import { optional } from '../../../platform/kernel/declaration/types.ts'
import { type UserRow, userById } from '../queries.ts'
import { inSelf } from '../scope.ts'
import { preferenceFields, UserPreferences } from './entity.ts'

export const getPreferences = endpoint({
  route: 'GET /user/preferences',
  summary: 'Get one’s own preferences',
  scope: inSelf,
  can: 'update_own',
  scopes: ['read_user'],
  answers: one(UserPreferences),
  run: ({ user }) => user,
})

export const setPreferences = endpoint({
  route: 'PUT /user/preferences',
  summary: 'Change one’s own preferences',
  scope: inSelf,
  can: 'update_own',
  params: {
    view_diffs_file_by_file: optional(preferenceFields.view_diffs_file_by_file),
    show_whitespace_in_diffs: optional(preferenceFields.show_whitespace_in_diffs),
    diff_view: optional(preferenceFields.diff_view),
    tab_width: optional(preferenceFields.tab_width),
    home_page: optional(preferenceFields.home_page),
    project_page: optional(preferenceFields.project_page),
    time_display_relative: optional(preferenceFields.time_display_relative),
    first_day_of_week: optional(preferenceFields.first_day_of_week),
    layout: optional(preferenceFields.layout),
    notified_of_own_activity: optional(preferenceFields.notified_of_own_activity),
    mail_digest: optional(preferenceFields.mail_digest),
    preferred_language: optional(preferenceFields.preferred_language),
    timezone: optional(preferenceFields.timezone),
  },
  rules: [
    {
      says: 'timezone is a name of the IANA database',
      check: ({ timezone }) => (typeof timezone !== 'string' || isTimeZone(timezone) ? undefined : { timezone: ['is unknown'] }),
    },
  ],
  answers: one(UserPreferences),
  run: ctx => keepPreferences(ctx, ctx.user, ctx.params),
})

/** Does the server know a time zone of this name? */
function isTimeZone(name: string): boolean {
  try {
    // Offsets such as `+01:00` are no zones: they know no summer.
    return /^[a-z]/i.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** Keeps what differs from the defaults; what is not given stays. */
async function keepPreferences({ db }: Context, user: UserRow, given: Partial<Preferences>): Promise<UserRow> {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const usual = Object.entries(set).flatMap(([name, value]) => (defaultPreferences[name as keyof Preferences] === value ? [name] : []))
  await db
    .updateTable('users')
    .set({ preferences: sql`(preferences || ${JSON.stringify(set)}::jsonb) - ${usual}::text[]` })
    .where('id', '=', user.id)
    .execute()
  return (await userById(db, user.id)) as UserRow
}
