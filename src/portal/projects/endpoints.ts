/** The forms of a new project and a fork, and the buttons of a project's page. */

import { forkProject } from '../../code/forks/endpoints.ts'
import { isForkOf } from '../../code/forks/queries.ts'
import { projectTemplates } from '../../code/templates/projects.ts'
import { allows } from '../../platform/access/abilities.ts'
import { appearanceOf } from '../../platform/appearance/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { time } from '../../platform/pages/components/time.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { listPage, listParams } from '../../platform/pages/lists.ts'
import { projectAccessRequests } from '../../spaces/access_requests/endpoints.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { createProject } from '../../spaces/projects/endpoints.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type ProjectRow, projectsMatching } from '../../spaces/projects/queries.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { starProject, unstarProject } from '../../spaces/stars/endpoints.ts'
import { starrersOf } from '../../spaces/stars/queries.ts'
import { guidelines } from '../appearance/shown.ts'
import { projectWaysView } from '../imports/ways.ts'
import { inProjectMembersPage } from '../members/scope.ts'
import { projectList } from './list_view.ts'
import { creatableNamespaces } from './namespaces.ts'
import { visibilities } from './visibilities.ts'

/** The group that a link names. */
const namespaceIn = ({ request }: Pick<Context, 'request'>): string | undefined =>
  new URLSearchParams(request.address.split('?')[1]).get('namespace_id') ?? undefined

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
    {
      name: 'template_name',
      label: 'Template',
      control: 'select',
      choices: [['', 'None'], ...Object.entries(projectTemplates).map(([name, { title }]) => [name, title] as const)],
      hint: 'Its first commit has a README, a .gitignore, a CI file that builds and tests, and a Dockerfile.',
    },
    { name: 'initialize_with_readme', label: 'Begin with a README', hint: 'The repository can be cloned immediately.' },
  ],
  values: ctx => ({ visibility: 'private', namespace_id: namespaceIn(ctx) }),
  next: (_ctx, project: ProjectRow) => `/${project.full_path}`,
  notice: 'The project was created.',
  button: 'Create project',
  before: async ({ db }) =>
    html`${guidelines((await appearanceOf(db)).new_project_guidelines)}<p class="muted">Is it elsewhere? <a href="/projects/import">Import it</a> from a repository, an archive, GitHub or another server. To begin with what another project here has, open that one and fork it.</p>`,
  async cancel(ctx) {
    const id = namespaceIn(ctx)
    const group = id === undefined ? undefined : await visibleGroup(ctx.db, ctx.actor, id)
    return group ? groupPath(group) : '/dashboard/projects'
  },
  frame: () => ({ title: 'New project' }),
})

const importProject = form({
  path: '/projects/import',
  summary: 'Import a project',
  scope: inInstance,
  of: createProject,
  fields: async ctx => [
    {
      name: 'import_url',
      label: 'Address of the repository',
      control: 'text',
      required: true,
      autofocus: true,
      placeholder: 'https://git.example.com/team/project.git',
      hint: 'Over http or https. For a private one: `https://name:token@…`; the password is kept encrypted and shown nowhere.',
    },
    { name: 'name', required: true, hint: 'As people call it.' },
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
  ],
  values: () => ({ visibility: 'private' }),
  next: (_ctx, project: ProjectRow) => `/${project.full_path}`,
  notice: 'The project was created; its branches and tags are fetched now.',
  button: 'Import project',
  before: async ctx =>
    html`${await projectWaysView(ctx, '/projects/import')}<p>Branches and tags are fetched with all their commits. Issues and merge requests stay where they are.</p>`,
  cancel: () => '/dashboard/projects',
  frame: () => ({ title: 'Import project' }),
})

export const showImport = importProject.show
export const submitImport = importProject.submit

export const showNewProject = newProject.show
export const submitNewProject = newProject.submit

const back = ({ project }: { readonly project: { readonly full_path: string } }): string => projectPath(project)

export const star = action({
  route: 'POST /:project_path/-/star',
  of: starProject,
  scope: inProjectPage,
  next: back,
  notice: 'You starred the project.',
})

export const unstar = action({
  route: 'POST /:project_path/-/unstar',
  of: unstarProject,
  scope: inProjectPage,
  next: back,
  notice: 'Your star was taken back.',
})

export const askForAccess = action({
  route: 'POST /:project_path/-/request_access',
  of: projectAccessRequests[1],
  scope: inProjectMembersPage,
  next: back,
  notice: 'Your request waits for a maintainer of the project.',
})

const fork = form({
  path: '/:project_path/-/forks/new',
  summary: 'Fork a project',
  scope: inProjectPage,
  of: forkProject,
  fields: async ctx => [
    {
      name: 'namespace_id',
      label: 'Where',
      control: 'select',
      choices: await creatableNamespaces(ctx),
      hint: 'Your own namespace, or a group in which you may create projects.',
    },
    { name: 'name', hint: 'The name of the source when empty.' },
    { name: 'path', hint: 'That of the source when empty.' },
  ],
  next: (_ctx, made: ProjectRow) => projectPath(made),
  notice: 'The fork was created; its branches are copied now.',
  button: 'Fork',
  cancel: back,
  frame: ({ actor, project }) => ({ title: `Fork ${project.name}`, place: projectPlace(actor, project, 'project') }),
})

export const showFork = fork.show
export const submitFork = fork.submit

export const showStarrers = pageEndpoint({
  route: 'GET /:project_path/-/starrers',
  summary: 'Show who has starred a project',
  scope: inProjectPage,
  can: 'read_project',
  params: { ...listParams, search: optional(text('Part of the name or username', { maxLength: 255 })) },
  async run(ctx) {
    const { project, params } = ctx
    const found = await listPage(ctx, starrersOf(ctx.db, ctx.actor, project.id, params.search), params)
    return page(ctx, {
      title: 'Stars',
      place: projectPlace(ctx.actor, project, 'project'),
      body: html`${
        found.rows.length > 0
          ? html`<ul class="list" data-list>${found.rows.map(row => html`<li>${avatar(row, 32)}<div class="main"><div class="title"><a href="/${row.username}">${row.name}</a></div><div class="muted small">@${row.username}</div></div><span class="muted small">${time(row.starred_since)}</span></li>`)}</ul>`
          : empty({ icon: 'star', title: 'No stars yet', says: 'People who like a project star it to find it again.' })
      }${found.links}`,
    })
  },
})

export const showForks = pageEndpoint({
  route: 'GET /:project_path/-/forks',
  summary: 'Show the forks of a project that the caller may see',
  scope: inProjectPage,
  can: 'read_project',
  params: { ...listParams, search: optional(text('Part of the name or path', { maxLength: 255 })) },
  async run(ctx) {
    const { project, params } = ctx
    const found = await listPage(ctx, projectsMatching(ctx.db, ctx.actor, { search: params.search }).where(isForkOf(project.id)), params)
    const mayFork = allows(ctx.actor, 'fork_project', projectSubject(project)) === 'yes'
    return page(ctx, {
      title: 'Forks',
      place: projectPlace(ctx.actor, project, 'project'),
      heading: 'own',
      body: html`<div class="heading"><h1>Forks</h1>${mayFork && html`<div class="row"><a class="btn btn-primary" href="${projectPath(project, '/-/forks/new')}">Fork</a></div>`}</div>${
        found.rows.length > 0
          ? projectList(found.rows)
          : empty({
              icon: 'repo-forked',
              title: 'No forks to show',
              says: 'A fork is a copy to change freely: merge requests lead back from it.',
            })
      }${found.links}`,
    })
  },
})
