/** The preferences of an account as JSON (users API; what the API has no name for is Ingot's own). */
import Type from 'typebox'
import {
  diffViews,
  homePages,
  languages,
  layouts,
  MOST_TAB_COLUMNS,
  mailDigests,
  projectPages,
  weekdays,
  withDefaults,
} from '../../../platform/access/preferences.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { flag, integer, Nullable, OneOf, text } from '../../../platform/kernel/declaration/types.ts'
import type { UserRow } from '../queries.ts'

/** The preferences, as they are answered and taken. */
export const preferenceFields = {
  view_diffs_file_by_file: flag('Whether the pages of diffs have one file each'),
  show_whitespace_in_diffs: flag('Whether diffs show lines that differ in white space alone'),
  diff_view: OneOf(diffViews, { description: 'Old and new lines below each other, or beside each other' }),
  tab_width: integer('Columns of a tab in code', { minimum: 1, maximum: MOST_TAB_COLUMNS }),
  home_page: OneOf(homePages, { description: 'What the first page shows' }),
  project_page: OneOf(projectPages, { description: 'What the page of a project shows of it' }),
  time_display_relative: flag('Whether times are said as people say them, and not by day and hour'),
  first_day_of_week: OneOf(weekdays, { description: 'The day on which weeks begin' }),
  notified_of_own_activity: flag('Whether there are notifications about what one does oneself'),
  mail_digest: OneOf(mailDigests, { description: 'Whether notifications are mailed each by itself, or together once an hour or a day' }),
  preferred_language: Nullable(OneOf(languages), { description: 'Language of mails; null: `default_preferred_language` of the instance' }),
  timezone: text('Time zone of the times in mails, by its name in the IANA database', { minLength: 1, maxLength: 64 }),
  layout: OneOf(layouts, { description: 'Whether pages have a fixed width or fill the window' }),
}

export const UserPreferences = entity({
  name: 'UserPreferences',
  schema: Type.Object({
    id: integer('ID of the preferences: that of their user'),
    user_id: integer('ID of the user'),
    ...preferenceFields,
  }),
  present: (row: UserRow) => ({ id: row.id, user_id: row.id, ...withDefaults(row.preferences) }),
})
