/** How a person prefers pages to be. It is kept with the account and comes with the actor of a session, so that a view can ask without a statement. */

/** The languages that mails are written in. A new one has a catalogue in src/platform/mail/words (docs/adding-a-language.md). */
export const languages = ['en', 'de', 'fr'] as const
export type Language = (typeof languages)[number]

/** Their names, each in itself. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch', fr: 'Français' }

/** Old and new lines below each other, or beside each other. */
export const diffViews = ['inline', 'parallel'] as const

/** What `/` shows. */
export const homePages = ['home', 'projects', 'starred', 'activity', 'groups', 'todos', 'issues', 'merge_requests'] as const

/** What the page of a project shows of it. */
export const projectPages = ['files', 'readme', 'activity'] as const

export const weekdays = ['sunday', 'monday', 'saturday'] as const
export type Weekday = (typeof weekdays)[number]

/** `fixed`: pages are as wide as lines are read well; `fluid`: as wide as the window. */
export const layouts = ['fixed', 'fluid'] as const

/** When notifications are mailed: each by itself, or together at the end of the hour or day. */
export const mailDigests = ['off', 'hourly', 'daily'] as const
export type Gathering = Exclude<(typeof mailDigests)[number], 'off'>

/** Columns that a tab may have at most. */
export const MOST_TAB_COLUMNS = 12

export interface Preferences {
  /** A page of a diff has one file. */
  readonly view_diffs_file_by_file: boolean
  readonly show_whitespace_in_diffs: boolean
  readonly diff_view: (typeof diffViews)[number]
  /** In columns, from 1. */
  readonly tab_width: number
  readonly home_page: (typeof homePages)[number]
  readonly project_page: (typeof projectPages)[number]
  /** False: the exact day and time. */
  readonly time_display_relative: boolean
  readonly first_day_of_week: Weekday
  readonly layout: (typeof layouts)[number]
  /** Mails about what they do themselves. */
  readonly notified_of_own_activity: boolean
  readonly mail_digest: (typeof mailDigests)[number]
  /** Of mails; null: that of the instance. */
  readonly preferred_language: Language | null
  /** Of the times in mails, by its name in the IANA database. */
  readonly timezone: string
}

/** What holds where an account says nothing, and for visitors. */
export const defaultPreferences: Preferences = {
  view_diffs_file_by_file: false,
  show_whitespace_in_diffs: true,
  diff_view: 'inline',
  tab_width: 4,
  home_page: 'home',
  project_page: 'files',
  time_display_relative: true,
  first_day_of_week: 'monday',
  layout: 'fixed',
  notified_of_own_activity: false,
  mail_digest: 'off',
  preferred_language: null,
  timezone: 'UTC',
}

/** What the caller prefers. */
export const preferencesOf = ({ user }: { readonly user: { readonly preferences?: unknown } | undefined }): Preferences =>
  withDefaults(user?.preferences)

/** All preferences of an account. `kept`: the column of its row, which `setPreferences` alone writes. */
export const withDefaults = (kept: unknown): Preferences => ({ ...defaultPreferences, ...(kept as Partial<Preferences> | undefined) })

const numbers: Readonly<Record<Weekday, number>> = { sunday: 0, monday: 1, saturday: 6 }

/** Days that have passed since the week of a day began. Pure. */
export const daysIntoWeek = (day: Date, first: Weekday): number => (day.getUTCDay() - numbers[first] + 7) % 7
