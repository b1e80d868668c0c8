/** One's own preferences: of the account, and the colours of this browser. */
import { setPreferences } from '../../identity/users/preferences/endpoints.ts'
import type { UserRow } from '../../identity/users/queries.ts'
import { inSelf } from '../../identity/users/scope.ts'
import { languageNames, languages, MOST_TAB_COLUMNS, withDefaults } from '../../platform/access/preferences.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { OneOf } from '../../platform/kernel/declaration/types.ts'
import { csrfField, formEndpoint } from '../../platform/pages/forms/declare.ts'
import { redirect } from '../../platform/pages/frame/document.ts'
import { THEME_COOKIE, themeNames, themeOf, themes } from '../../platform/pages/frame/theme.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { SettingsPage } from '../settings_pages/declaration.ts'
import { settingsPages } from '../settings_pages/page.ts'
import { SETTINGS, settingsPlace } from './place.ts'

interface InSelf {
  readonly user: UserRow
}

const PREFERENCES = `${SETTINGS}/preferences` as const
const YEAR = 365 * 24 * 60 * 60

const values = ({ user }: InSelf) => ({ ...withDefaults(user.preferences) })

export const preferencesPage: SettingsPage<InSelf> = {
  key: 'preferences',
  title: 'Preferences',
  path: PREFERENCES,
  scope: inSelf,
  can: 'update_own',
  addressOf: (_self, route) => route,
  placeOf: () => settingsPlace('preferences'),
  sections: [
    {
      key: 'beginning',
      title: 'Where you begin',
      of: setPreferences,
      values,
      fields: [
        {
          name: 'home_page',
          label: 'First page',
          control: 'select',
          choices: [
            ['home', 'What waits for you'],
            ['todos', 'To-dos'],
            ['issues', 'Issues assigned to you'],
            ['merge_requests', 'Merge requests assigned to you'],
            ['activity', 'Activity'],
            ['projects', 'Your projects'],
            ['starred', 'Starred projects'],
            ['groups', 'Your groups'],
          ],
          hint: html`What signing in and the mark of Ingot lead to. What waits for you is always at <a href="/dashboard">/dashboard</a>.`,
        },
        {
          name: 'project_page',
          label: 'Page of a project',
          control: 'radio',
          choices: [
            ['files', 'Files and README'],
            ['readme', 'README', 'The files are a tab away; they are shown where there is no README.'],
            ['activity', 'Activity'],
          ],
          hint: '',
        },
      ],
    },
    {
      key: 'changes',
      title: 'Code and changes',
      of: setPreferences,
      values,
      fields: [
        {
          name: 'diff_view',
          label: 'Changes',
          control: 'radio',
          choices: [
            ['inline', 'Unified', 'Old and new lines below each other.'],
            ['parallel', 'Side by side'],
          ],
          hint: '',
        },
        {
          name: 'show_whitespace_in_diffs',
          label: 'Show white space',
          hint: 'Lines that differ in white space alone are shown as changed.',
        },
        { name: 'view_diffs_file_by_file', label: 'One file at a time', hint: 'Changes have a page for each file.' },
        {
          name: 'tab_width',
          label: 'Width of a tab',
          control: 'select',
          choices: Array.from({ length: MOST_TAB_COLUMNS }, (_, index) => [String(index + 1), String(index + 1)] as const),
          hint: 'Columns, in files, changes and the editor.',
        },
      ],
    },
    {
      key: 'display',
      title: 'Times and widths',
      of: setPreferences,
      values,
      fields: [
        {
          name: 'time_display_relative',
          label: 'Relative times',
          hint: 'As “2 days ago”, with the exact time on hover. Otherwise day and hour.',
        },
        {
          name: 'first_day_of_week',
          label: 'Weeks begin on',
          control: 'select',
          choices: [
            ['monday', 'Monday'],
            ['sunday', 'Sunday'],
            ['saturday', 'Saturday'],
          ],
          hint: 'In calendars of contributions, roadmaps and analytics by week.',
        },
        {
          name: 'layout',
          label: 'Width of pages',
          control: 'radio',
          choices: [
            ['fixed', 'Fixed', 'Lines end where they are read well.'],
            ['fluid', 'The whole window'],
          ],
          hint: '',
        },
      ],
    },
    {
      key: 'mails',
      title: 'Mails',
      says: 'Pages are in English.',
      of: setPreferences,
      values,
      fields: [
        {
          name: 'preferred_language',
          label: 'Language of mails to you',
          control: 'select',
          choices: [['', 'As this server has it'], ...languages.map(language => [language, languageNames[language]] as const)],
          hint: '',
        },
        {
          name: 'timezone',
          label: 'Time zone of the times in them',
          suggested: ['UTC', ...Intl.supportedValuesOf('timeZone')],
          required: true,
          hint: 'As Europe/Berlin.',
        },
      ],
    },
    {
      key: 'colours',
      title: 'Colours in this browser',
      says: 'Kept in the browser, so that a screen outdoors can differ from one at night.',
      can: 'update_own',
      view: coloursForm,
    },
  ],
}

export const preferencePages = settingsPages([preferencesPage])

function coloursForm(ctx: Context): Html {
  const current = themeOf(ctx.request.headers.cookie)
  return html`<form method="post" action="${PREFERENCES}" data-turbo="false">${csrfField(ctx)}<fieldset><legend>Colours</legend>${themes.map(theme => html`<label class="choice"><input type="radio" name="theme" value="${theme}"${theme === current && html` checked`}> ${themeNames[theme]}</label>`)}</fieldset><button class="btn btn-primary">Save colours</button></form>`
}

export const submitColours = formEndpoint({
  route: `POST ${PREFERENCES}`,
  summary: 'Choose the colours of the pages in this browser',
  scope: inSelf,
  can: 'update_own',
  params: { theme: OneOf(themes, { description: 'Colours of the pages in this browser', examples: ['dark'] }) },
  run: ({ params }) => redirect(PREFERENCES, { 'set-cookie': `${THEME_COOKIE}=${params.theme}; Path=/; Max-Age=${YEAR}; SameSite=Lax` }),
})
