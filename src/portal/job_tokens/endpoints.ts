/** The forms that add to the lists of what job tokens reach, and the buttons that remove. */
import { addAllowedGroup, addAllowedProject, removeAllowedGroup, removeAllowedProject } from '../../ci/job_token_scope/endpoints.ts'
import { directions } from '../../ci/job_token_scope/queries.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { settingsPlaceOf } from '../place_settings/place.ts'
import { groupField, groupParam, groupTyped, projectField, projectParam, projectTyped } from '../places/named.ts'
import { projectHome } from '../things/homes.ts'

interface InProject {
  readonly project: ProjectWithRole
}

const base = '/:project_path/-/settings/ci_cd/job_tokens'
const inbound = ({ project }: InProject) => projectPath(project, '/-/settings/ci_cd#job_tokens')
const outbound = ({ project }: InProject) => projectPath(project, '/-/settings/ci_cd#reach')

const addingProject = form<InProject>({
  path: `${base}/projects/new`,
  summary: 'Add a project to a list of what job tokens reach',
  scope: inProjectPage,
  of: addAllowedProject,
  instead: {
    of: ['target_project_id'],
    params: projectParam,
    adapt: async (ctx, { project, ...params }) => ({ ...params, target_project_id: await projectTyped(ctx, project) }),
  },
  fields: async ctx => [
    await projectField(ctx),
    {
      name: 'direction',
      label: 'What becomes possible',
      control: 'radio',
      choices: [
        ['inbound', 'Its jobs reach this project'],
        ['outbound', 'Jobs of this project reach it'],
      ],
      hint: '',
    },
  ],
  values({ request }) {
    const asked = new URLSearchParams(request.address.split('?')[1]).get('direction')
    return { direction: directions.find(direction => direction === asked) ?? 'inbound' }
  },
  next: ctx => (ctx.params.direction === 'outbound' ? outbound : inbound)(ctx),
  notice: 'The project is on the list.',
  button: 'Add project',
  cancel: inbound,
  frame: ctx => ({ title: 'Add a project to job tokens', place: settingsPlaceOf(ctx, 'ci_cd') }),
})

const addingGroup = form<InProject>({
  path: `${base}/groups/new`,
  summary: 'Let the jobs of a group in to a project',
  scope: inProjectPage,
  of: addAllowedGroup,
  instead: {
    of: ['target_group_id'],
    params: groupParam,
    adapt: async (ctx, { group }) => ({ target_group_id: await groupTyped(ctx, group) }),
  },
  fields: async ctx => [
    { ...(await groupField(ctx)), hint: 'Jobs of all projects in it, and in the groups below it, reach this project.' },
  ],
  next: inbound,
  notice: 'The group is on the list.',
  button: 'Add group',
  cancel: inbound,
  frame: ctx => ({ title: 'Add a group to job tokens', place: settingsPlaceOf(ctx, 'ci_cd') }),
})

export const jobTokenPages = {
  showAddProject: addingProject.show,
  addProject: addingProject.submit,
  showAddGroup: addingGroup.show,
  addGroup: addingGroup.submit,
  removeProject: action<InProject>({
    route: `POST ${base}/projects/:target_project_id/remove`,
    of: removeAllowedProject,
    scope: projectHome.inPage(removeAllowedProject.scope as never),
    next: inbound,
    notice: 'The project is not on the list any more.',
  }),
  removeGroup: action<InProject>({
    route: `POST ${base}/groups/:target_group_id/remove`,
    of: removeAllowedGroup,
    scope: projectHome.inPage(removeAllowedGroup.scope as never),
    next: inbound,
    notice: 'The jobs of the group are not let in any more.',
  }),
}
