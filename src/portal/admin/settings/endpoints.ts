/** The pages of the instance's settings, in their order, and the search in them. */
import { text } from '../../../platform/kernel/declaration/types.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page, redirect } from '../../../platform/pages/frame/document.ts'
import type { SettingsPage } from '../../settings_pages/declaration.ts'
import { settingsPages } from '../../settings_pages/page.ts'
import { settingsFound } from '../../settings_pages/search.ts'
import { searchView } from '../../settings_pages/search_view.ts'
import { inAdministration } from '../scope.ts'
import { appearancePage, removeAppearanceImage } from './appearance.ts'
import { credentialsPage } from './credentials.ts'
import { instanceSettingsPlace, SETTINGS } from './declared.ts'
import { accountsPage, generalPage } from './general.ts'
import { ciCdPage, repositoryPage } from './storage.ts'

/** What the search for settings looks through. */
export const instanceSettingsPages: readonly SettingsPage<object>[] = [
  generalPage,
  appearancePage,
  accountsPage,
  credentialsPage,
  repositoryPage,
  ciCdPage,
]

export const instanceSettings = {
  ...settingsPages(instanceSettingsPages),
  removeAppearanceImage,

  showSettings: pageEndpoint({
    route: `GET ${SETTINGS}`,
    summary: 'Lead to the settings of the instance',
    scope: inAdministration,
    can: 'admin_instance',
    run: () => redirect(`${SETTINGS}/general`),
  }),

  searchSettings: pageEndpoint({
    route: `GET ${SETTINGS}/search`,
    summary: 'Find settings of the instance',
    scope: inAdministration,
    can: 'admin_instance',
    params: { search: text('Words of the setting', { maxLength: 255, default: '' }) },
    run: async ctx =>
      page(ctx, {
        title: 'Find a setting',
        place: instanceSettingsPlace('search'),
        width: 'medium',
        body: searchView(`${SETTINGS}/search`, ctx.params.search, await settingsFound(ctx, instanceSettingsPages, ctx.params.search)),
      }),
  }),
}
