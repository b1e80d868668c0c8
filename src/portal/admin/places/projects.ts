/** All projects of the instance, and what an administrator does with them. */
import { idsOf, userByUsername } from '../../../identity/users/queries.ts'
import type { Visibility } from '../../../platform/access/abilities.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { avatar } from '../../../platform/pages/components/avatar.ts'
import { chip, visibilityChip } from '../../../platform/pages/components/chip.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { bytesText } from '../../../platform/pages/components/numbers.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { action, actionButton } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { choicesOf, filterBar, given } from '../../../platform/pages/forms/filter_bar.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { visibleGroup } from '../../../spaces/groups/queries.ts'
import { statisticsByProject } from '../../../spaces/project_statistics/queries.ts'
import * as projects from '../../../spaces/projects/endpoints.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { type ProjectFilters, type ProjectRow, projectsMatching } from '../../../spaces/projects/queries.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { typedPath } from '../../settings_pages/ending.ts'
import { adminPlace } from '../place.ts'
import { administered, inAdministration } from '../scope.ts'

const LIST = '/admin/projects'

const inOne = administered(inProject)

/** The orders, with the direction that people mean by each. */
const orders = {
  last_activity_at: { label: 'Latest activity', sort: 'desc' },
  created_at: { label: 'Newest', sort: 'desc' },
  name: { label: 'Name', sort: 'asc' },
  storage_size: { label: 'Largest', sort: 'desc' },
} as const

const visibilities: readonly Visibility[] = ['private', 'internal', 'public']

type Order = keyof typeof orders

export const showAllProjects = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show all projects',
  scope: inAdministration,
  can: 'admin_instance',
  params: {
    ...listParams,
    search: optional(text('Part of the name, path or description', { maxLength: 255 })),
    visibility: optional(OneOf(['', ...visibilities], { description: 'Who may see them' })),
    archived: optional(OneOf(['', 'false', 'true'], { description: 'Whether they are archived' })),
    order_by: OneOf(Object.keys(orders) as [Order, ...Order[]], { description: 'The order', default: 'last_activity_at' }),
  },
  async run(ctx) {
    const { search, visibility, archived, order_by = 'last_activity_at' } = given(ctx.params)
    const filters = {
      search,
      visibility: visibility || undefined,
      archived: archived === undefined ? undefined : archived === 'true',
      order_by,
      sort: orders[order_by].sort,
      search_namespaces: true,
    } as ProjectFilters
    const found = await listPage(ctx, projectsMatching(ctx.db, ctx.actor, filters), ctx.params)
    const sizes = await statisticsByProject(ctx.db, idsOf(found.rows, 'id'))
    return page(ctx, {
      title: 'Projects',
      place: adminPlace('projects', ctx),
      body: html`${filterBar(LIST, [
        { name: 'search', label: 'Name', value: search, type: 'search' },
        { name: 'visibility', label: 'Visibility', value: visibility, choices: choicesOf(visibilities), any: 'All' },
        {
          name: 'archived',
          label: 'Archived',
          value: archived,
          choices: [
            ['false', 'No'],
            ['true', 'Yes'],
          ],
          any: 'All',
        },
        {
          name: 'order_by',
          label: 'Order',
          value: order_by,
          choices: Object.entries(orders).map(([key, { label }]) => [key, label] as const),
        },
      ])}
${found.rows.length > 0 ? html`<ul class="list" data-list>${found.rows.map(project => projectItem(ctx, project, sizes.get(project.id)?.storage_size))}</ul>` : empty({ icon: 'repo', title: 'No projects', says: 'No project of the instance is like this.' })}${found.links}`,
    })
  },
})

function projectItem(ctx: Context, project: ProjectRow, size: number | undefined): Html {
  const { id, name, full_path, namespace_full_path, visibility, archived, created_at, last_activity_at } = project
  const to = `${LIST}/${id}`
  return html`<li>${avatar(project, 32, 'square')}<div class="main"><div class="title"><a href="${projectPath(project)}"><span class="muted">${namespace_full_path} / </span>${name}</a> ${visibilityChip(visibility)}${archived && chip('Archived', 'attention')}</div>
<div class="facts"><span>#${id}</span>${size !== undefined && html`<span>${bytesText(size)}</span>`}<span>created ${time(created_at)}</span><span>active ${time(last_activity_at)}</span></div></div>
<div class="row"><a class="btn btn-sm" href="${projectPath(project, '/-/settings')}">Settings<span class="sr-only"> of ${full_path}</span></a><a class="btn btn-sm" href="${to}/transfer">Transfer<span class="sr-only"> ${full_path}</span></a>${archived ? actionButton(ctx, { to: `${to}/unarchive`, face: 'Unarchive', label: `Unarchive ${full_path}` }) : actionButton(ctx, { to: `${to}/archive`, face: 'Archive', label: `Archive ${full_path}`, asks: `Archive ${full_path}? Nothing in it can be changed then.` })}<a class="btn btn-sm btn-danger" href="${to}/delete">Delete<span class="sr-only"> ${full_path}</span></a></div></li>`
}

const transfer = form({
  path: `${LIST}/:id/transfer`,
  summary: 'Move a project to another namespace',
  scope: inOne,
  of: projects.transferProject,
  fields: () => [{ name: 'to', label: 'To', hint: 'Path of a group, or the username of whom it is to belong to.' }],
  instead: {
    of: ['namespace'],
    params: { to: text('Path of a group or personal namespace', { minLength: 1, maxLength: 4_096, examples: ['other-group'] }) },
    async adapt({ db, actor }, { to }) {
      const path = String(to)
      if (!(await visibleGroup(db, actor, path)) && !(await userByUsername(db, path))) throw invalid({ to: ['is no group and no account'] })
      return { namespace: path }
    },
  },
  next: () => LIST,
  notice: 'The project was moved.',
  confirms: true,
  button: 'Transfer project',
  cancel: () => LIST,
  frame: ctx => ({ title: `Transfer ${ctx.project.full_path}`, place: adminPlace('projects', ctx) }),
})
export const showTransferProject = transfer.show
export const submitTransferProject = transfer.submit

export const archiveProject = action({
  route: `POST ${LIST}/:id/archive`,
  of: projects.archiveProject,
  scope: inOne,
  next: () => LIST,
  notice: 'The project is archived.',
})

export const unarchiveProject = action({
  route: `POST ${LIST}/:id/unarchive`,
  of: projects.unarchiveProject,
  scope: inOne,
  next: () => LIST,
  notice: 'The project can be changed again.',
})

const typed = typedPath<{ readonly project: { readonly full_path: string } }>(({ project }) => project.full_path)

const removal = form({
  fields: () => typed.fields,
  instead: typed.instead,
  path: `${LIST}/:id/delete`,
  summary: 'Delete a project',
  scope: inOne,
  of: projects.deleteProject,
  before: () =>
    html`<p>With its repository, issues, merge requests, pipelines and files. Where the instance keeps deleted projects for some days it can be restored until then; else it is gone.</p>`,
  next: () => LIST,
  notice: 'The project is being deleted.',
  confirms: true,
  button: 'Delete the project',
  look: 'danger',
  cancel: () => LIST,
  frame: ctx => ({ title: `Delete ${ctx.project.full_path}`, place: adminPlace('projects', ctx) }),
})
export const showDeleteProject = removal.show
export const submitDeleteProject = removal.submit
