/** The picture of a project. */
import { action } from '../../../platform/pages/forms/action.ts'
import { updateProject } from '../../../spaces/projects/endpoints.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import { pictureOf } from '../../settings_pages/picture.ts'
import type { OfProject } from './declared.ts'

export const pictureSection = pictureOf<OfProject>(
  updateProject,
  ({ project }) => project,
  ({ project }) => projectPath(project, '/-/settings/general/picture/delete'),
)

export const removePicture = action<OfProject>({
  route: 'POST /:project_path/-/settings/general/picture/delete',
  of: updateProject,
  scope: inProjectPage,
  instead: { params: {}, adapt: async () => ({ avatar: null }) },
  next: ({ project }) => projectPath(project, '/-/edit#picture'),
  notice: 'The picture was removed.',
})
