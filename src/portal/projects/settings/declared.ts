/** What the pages of a project's settings share. */
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { settingsPlaceOf } from '../../place_settings/place.ts'
import type { FormSection, SettingsPage } from '../../settings_pages/declaration.ts'

export interface OfProject {
  readonly project: ProjectWithRole
}

/** A page of the settings of a project, without what all of them have. */
export const projectPage = (
  declared: Omit<SettingsPage<OfProject>, 'scope' | 'can' | 'addressOf' | 'placeOf'>,
): SettingsPage<OfProject> => ({
  scope: inProjectPage,
  can: 'admin_project',
  addressOf: ({ project }, route) => route.replace(':project_path', project.full_path),
  placeOf: ctx => settingsPlaceOf(ctx, declared.key),
  ...declared,
})

/** The values of a project under the names of the API's parameters. */
export const projectValues: FormSection<OfProject>['values'] = ({ project }) => ({ ...project })
