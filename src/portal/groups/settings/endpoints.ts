/** The pages of a group's settings, in their order. */
import { action } from '../../../platform/pages/forms/action.ts'
import { updateGroup } from '../../../spaces/groups/endpoints.ts'
import { groupPath } from '../../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../../spaces/groups/pages/scope.ts'
import type { SettingsPage } from '../../settings_pages/declaration.ts'
import { settingsPages } from '../../settings_pages/page.ts'
import { ciCdPage } from './ci_cd.ts'
import type { OfGroup } from './declared.ts'
import { restore } from './ending.ts'
import { generalPage } from './general.ts'
import { repositoryPage } from './repository.ts'

/** What the search for settings looks through. */
export const groupSettingsPages: readonly SettingsPage<OfGroup>[] = [generalPage, repositoryPage, ciCdPage]

export const groupSettings = {
  ...settingsPages(groupSettingsPages),
  restore,
  removePicture: action<OfGroup>({
    route: 'POST /groups/:group_path/-/settings/general/picture/delete',
    of: updateGroup,
    scope: inGroupPage,
    instead: { params: {}, adapt: async () => ({ avatar: null }) },
    next: ({ group }) => groupPath(group, '/-/edit#picture'),
    notice: 'The picture was removed.',
  }),
}
