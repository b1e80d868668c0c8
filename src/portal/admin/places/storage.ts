/** How much room each project takes. */
import { idsOf } from '../../../identity/users/queries.ts'
import { OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { bytesText } from '../../../platform/pages/components/numbers.ts'
import { dataTable, type TableColumn } from '../../../platform/pages/components/table.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { filterBar, given } from '../../../platform/pages/forms/filter_bar.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listPage, listParams, withParameter } from '../../../platform/pages/lists.ts'
import { statisticsByProject } from '../../../spaces/project_statistics/queries.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { type ProjectRow, projectsMatching } from '../../../spaces/projects/queries.ts'
import { adminPlace } from '../place.ts'
import { inAdministration } from '../scope.ts'

const LIST = '/admin/storage'

/** What is measured, without wikis and packages, which take none; a head with an `order` orders the list by it. */
const columns = [
  { name: 'storage_size', label: 'All', order: true },
  { name: 'repository_size', label: 'Repository', order: true },
  { name: 'lfs_objects_size', label: 'LFS', order: false },
  { name: 'job_artifacts_size', label: 'Artifacts, logs and sites', order: false },
] as const

const orders = ['storage_size', 'repository_size'] as const

export const showStorage = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show how much room each project takes',
  scope: inAdministration,
  can: 'admin_instance',
  params: {
    ...listParams,
    search: optional(text('Part of the name, path or description', { maxLength: 255 })),
    order_by: OneOf(orders, { description: 'By what they are ordered, the largest first', default: 'storage_size' }),
  },
  async run(ctx) {
    const { search, order_by = 'storage_size' } = given(ctx.params)
    const found = await listPage(
      ctx,
      projectsMatching(ctx.db, ctx.actor, { search, order_by, sort: 'desc', search_namespaces: true }),
      ctx.params,
    )
    const sizes = await statisticsByProject(ctx.db, idsOf(found.rows, 'id'))
    const sizeColumn = ({ name, label, order }: (typeof columns)[number]): TableColumn<ProjectRow> => ({
      title: label,
      className: 'number',
      ...(name === order_by
        ? { sort: 'descending' }
        : order && { head: html`<a href="${withParameter(ctx.request.address, 'order_by', name)}">${label}</a>` }),
      cell(project) {
        const own = sizes.get(project.id)
        return own ? bytesText(own[name]) : '–'
      },
    })
    const project: TableColumn<ProjectRow> = {
      title: 'Project',
      cell: row => html`<a class="break" href="${projectPath(row)}">${row.full_path}</a>`,
    }
    return page(ctx, {
      title: 'Storage',
      place: adminPlace('storage', ctx),
      body: html`${filterBar(LIST, [
        { name: 'search', label: 'Name', value: search, type: 'search' },
        {
          name: 'order_by',
          label: 'Largest by',
          value: order_by,
          choices: columns.filter(({ order }) => order).map(({ name, label }) => [name, label] as const),
        },
      ])}
${found.rows.length > 0 ? dataTable({ label: 'Storage', columns: [project, ...columns.map(sizeColumn)], rows: found.rows }) : empty({ icon: 'archive', title: 'No projects', says: 'The room that projects take is listed here, the largest first.' })}${found.links}`,
    })
  },
})
