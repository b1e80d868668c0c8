/** What the pages of a group's settings share. */
import { inGroupPage } from '../../../spaces/groups/pages/scope.ts'
import { settingsPlaceOf } from '../../place_settings/place.ts'
import type { GroupWithRole } from '../../places/planning.ts'
import type { FormSection, SettingsPage } from '../../settings_pages/declaration.ts'

export interface OfGroup {
  readonly group: GroupWithRole
}

/** A page of the settings of a group, without what all of them have. */
export const groupPage = (declared: Omit<SettingsPage<OfGroup>, 'scope' | 'can' | 'addressOf' | 'placeOf'>): SettingsPage<OfGroup> => ({
  scope: inGroupPage,
  can: 'admin_group',
  addressOf: ({ group }, route) => route.replace(':group_path', group.full_path),
  placeOf: ctx => settingsPlaceOf(ctx, declared.key),
  ...declared,
})

/** The values of a group under the names of the API's parameters. */
export const groupValues: FormSection<OfGroup>['values'] = ({ group }) => ({ ...group })
