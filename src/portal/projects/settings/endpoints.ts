/** The pages of a project's settings, in their order. */
import type { SettingsPage } from '../../settings_pages/declaration.ts'
import { settingsPages } from '../../settings_pages/page.ts'
import { ciCdPage } from './ci_cd.ts'
import type { OfProject } from './declared.ts'
import { archive, removeForkRelation, restore, unarchive } from './ending.ts'
import { generalPage } from './general.ts'
import { mergeRequestsPage } from './merge_requests.ts'
import { removePicture } from './picture.ts'
import { pullMirrorPage } from './pull_mirror.ts'
import { housekeeping, repositoryPage } from './repository.ts'
import { serviceDeskPage } from './service_desk.ts'

/** What the search for settings looks through. */
export const projectSettingsPages: readonly SettingsPage<OfProject>[] = [
  generalPage,
  mergeRequestsPage,
  serviceDeskPage,
  repositoryPage,
  pullMirrorPage,
  ciCdPage,
]

export const projectSettings = {
  ...settingsPages(projectSettingsPages),
  removePicture,
  archive,
  unarchive,
  restore,
  removeForkRelation,
  housekeeping,
}
