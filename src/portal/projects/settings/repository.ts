/** The settings of a project's repository. */
import { startHousekeeping } from '../../../code/housekeeping/endpoints.ts'
import { listBranches } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { updateProject } from '../../../spaces/projects/endpoints.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import { type OfProject, projectPage, projectValues } from './declared.ts'
import { expirationPolicy } from './expiration_policy.ts'

/** Branches that are offered, the newest first. */
const MOST = 200

/** The branches of the repository, and the default one first. */
async function branches({ deps, project }: Context & OfProject) {
  const repository = await findRepository(deps.storages, project)
  const found = repository ? await listBranches(repository, { order: 'updated', sort: 'desc' }) : []
  const names = [project.default_branch, ...found.slice(0, MOST).map(({ name }) => name)].filter(name => name !== null)
  return [...new Set(names)].map(name => [name, name] as const)
}

export const repositoryPage = projectPage({
  key: 'repository',
  title: 'Repository',
  path: '/:project_path/-/settings/repository',
  sections: [
    {
      key: 'default_branch',
      title: 'Default branch',
      says: 'Clones begin with it, new merge requests lead to it, and merging into it closes issues.',
      of: updateProject,
      values: projectValues,
      isShown: ({ project }) => project.default_branch !== null,
      fields: [
        { name: 'default_branch', label: 'Default branch', control: 'select', choices: branches, hint: '' },
        {
          name: 'autoclose_referenced_issues',
          label: 'Close issues that are mentioned with a closing word',
          hint: 'As in `Closes #12`, when the commit or merge request arrives on the default branch.',
        },
      ],
    },
    {
      key: 'lfs',
      title: 'Large files',
      of: updateProject,
      values: projectValues,
      fields: [{ name: 'lfs_enabled', label: 'Git LFS', hint: 'Keeps large files beside the repository.' }],
    },
    {
      key: 'packages',
      title: 'Packages',
      of: updateProject,
      values: projectValues,
      fields: [{ name: 'packages_enabled', label: 'Package registry', hint: 'Keeps what the project publishes for package managers.' }],
    },
    {
      key: 'container_registry',
      title: 'Container registry',
      of: updateProject,
      values: projectValues,
      fields: [
        {
          name: 'container_registry_access_level',
          label: 'Container registry',
          control: 'select',
          choices: [
            ['enabled', 'Everyone who may see the code'],
            ['private', 'Reporters and above'],
            ['disabled', 'Nobody: it is off'],
          ],
          hint: 'Keeps images that are pushed to the project.',
        },
      ],
    },
    expirationPolicy,
    {
      key: 'housekeeping',
      title: 'Housekeeping',
      says: 'Packs and checks the repository in the background. It also happens by itself.',
      can: 'admin_project',
      view: ctx => actionButton(ctx, { to: projectPath(ctx.project, '/-/settings/repository/housekeeping'), face: 'Run housekeeping' }),
    },
  ],
})

export const housekeeping = action<OfProject>({
  route: 'POST /:project_path/-/settings/repository/housekeeping',
  of: startHousekeeping,
  scope: inProjectPage,
  next: ({ project }) => projectPath(project, '/-/settings/repository#housekeeping'),
  notice: 'Housekeeping begins.',
})
