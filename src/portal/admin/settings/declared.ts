/** What the pages of the instance's settings share. */
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import type { Place } from '../../../platform/pages/frame/place.ts'
import type { FormSection, SettingsPage } from '../../settings_pages/declaration.ts'
import { adminPlace } from '../place.ts'
import { inAdministration } from '../scope.ts'

export const SETTINGS = '/admin/application_settings'

/** The pages in their order. */
const pages = [
  { key: 'general', label: 'General', icon: 'gear' },
  { key: 'appearance', label: 'Appearance', icon: 'eye' },
  { key: 'accounts', label: 'Accounts', icon: 'people' },
  { key: 'credentials', label: 'Sessions and tokens', icon: 'key' },
  { key: 'repository', label: 'Repositories', icon: 'repo' },
  { key: 'ci_cd', label: 'CI/CD', icon: 'workflow' },
] as const

/** The settings of the instance as the place of a page. `current`: the key of the page. */
export const instanceSettingsPlace = (current: string): Place => ({
  ...adminPlace('settings'),
  side: {
    label: 'Settings',
    search: { action: `${SETTINGS}/search`, label: 'Find a setting' },
    current,
    groups: [{ items: pages.map(page => ({ ...page, href: `${SETTINGS}/${page.key}` })) }],
  },
})

/** A page of the settings of the instance. */
export const instancePage = ({
  key,
  sections,
}: {
  readonly key: (typeof pages)[number]['key']
  readonly sections: SettingsPage<object>['sections']
}): SettingsPage<object> => ({
  key,
  title: pages.find(page => page.key === key)?.label as string,
  path: `${SETTINGS}/${key}`,
  scope: inAdministration,
  can: 'admin_instance',
  sections,
  addressOf: (_subjects, route) => route,
  placeOf: () => instanceSettingsPlace(key),
})

/** The settings as they are. */
export const instanceValues: FormSection<object>['values'] = async ({ db }) => ({ ...(await applicationSettings(db)) })
