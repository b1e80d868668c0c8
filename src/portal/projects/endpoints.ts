/** The form of a new project. */
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { createProject } from '../../spaces/projects/endpoints.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { creatableNamespaces } from './namespaces.ts'

const visibilities = [
  ['private', 'Private', 'Members alone see it.'],
  ['internal', 'Internal', 'Every signed-in user sees it, but for external ones.'],
  ['public', 'Public', 'Everybody sees it, without signing in.'],
] as const

const newProject = form({
  path: '/projects/new',
  summary: 'Create a project',
  scope: inInstance,
  of: createProject,
  fields: async ctx => [
    { name: 'name', autofocus: true, required: true, hint: 'As people call it.' },
    {
      name: 'namespace_id',
      label: 'Where',
      control: 'select',
      choices: await creatableNamespaces(ctx),
      hint: 'Your own namespace, or a group in which you may create projects.',
    },
    { name: 'path', hint: 'The last part of the address; made from the name when empty.' },
    { name: 'description', control: 'textarea', hint: 'What it is, in a line or two.' },
    { name: 'visibility', control: 'radio', choices: visibilities, hint: '' },
    { name: 'initialize_with_readme', label: 'Begin with a README', hint: 'The repository can be cloned immediately.' },
  ],
  values: () => ({ visibility: 'private' }),
  next: (_ctx, project: ProjectRow) => `/${project.full_path}`,
  notice: 'The project was created.',
  button: 'Create project',
  frame: () => ({ title: 'New project' }),
})

export const showNewProject = newProject.show
export const submitNewProject = newProject.submit
