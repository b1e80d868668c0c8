/** The pages of packages: the lists of a project and of a group, and of each package its files, its versions and how it is installed. */
import * as api from '../../delivery/packages/endpoints.ts'
import { Package } from '../../delivery/packages/entity.ts'
import { packageOrders } from '../../delivery/packages/lists.ts'
import { fileToInstall, type PackageRow } from '../../delivery/packages/queries.ts'
import { packageTypes, publishedTypes } from '../../delivery/packages/types.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { PageRequest } from '../../platform/kernel/answer/page.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { filterBar, given, type ListOrder, orderLinks } from '../../platform/pages/forms/filter_bar.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { eitherPath, eitherPlace, type InEither } from '../places/planning.ts'
import { installLines } from './install.ts'
import {
  filesView,
  installView,
  packageFacts,
  packageList,
  packagesPath,
  type ShownFile,
  type ShownPackage,
  type ShownVersion,
  typeNames,
  versionsView,
} from './package_view.ts'
import { inFileOfPackagePage, inPackagePage, inPackagesPage, PACKAGE } from './scope.ts'

const orders: readonly ListOrder[] = [
  ['created_at', 'desc', 'Newest'],
  ['created_at', 'asc', 'Oldest'],
  ['name', 'asc', 'By name'],
  ['type', 'asc', 'By type'],
]

const filters = {
  ...listParams,
  package_name: optional(text('Part of the name', { maxLength: 255 })),
  package_type: optional(OneOf(['', ...packageTypes], { description: 'Only packages for this package manager' })),
  sort: OneOf(['asc', 'desc'], { description: '`asc` or `desc`', default: 'desc' }),
}

const orderAbout = { description: 'What the list is ordered by', default: 'created_at' } as const

interface Listed extends PageRequest {
  readonly package_name?: string
  readonly package_type?: string
  readonly order_by: string
  readonly sort: string
}

async function listing(ctx: Context & InEither, list: Endpoint, params: Listed, itsOrders: readonly ListOrder[], none: string | Html) {
  const { actor, request } = ctx
  const { package_name, package_type, order_by, sort } = params
  const { rows, links } = await answerOf(ctx, list, given({ ...params }))
  const isWhole = !package_name && !package_type && params.page === 1
  const bar = filterBar(
    eitherPath(ctx, '/-/packages'),
    [
      { name: 'package_name', label: 'Name', value: package_name, type: 'search' },
      {
        name: 'package_type',
        label: 'Type',
        value: package_type,
        choices: publishedTypes.map(type => [type, typeNames[type]] as const),
        any: 'All',
      },
    ],
    { order_by, sort },
  )
  return page(ctx, {
    title: 'Packages',
    place: eitherPlace(actor, ctx, 'packages'),
    scripts: ['lists.js'],
    body:
      isWhole && rows.length === 0
        ? empty({ icon: 'package', title: 'No packages yet', says: none })
        : html`${bar}${orderLinks(request.address, itsOrders, { order_by, sort })}
${rows.length > 0 ? packageList(rows as readonly ShownPackage[]) : empty({ icon: 'package', title: 'No packages', says: 'None is like this.' })}${links}`,
  })
}

export const showPackages = pageEndpoint({
  route: 'GET /:project_path/-/packages',
  summary: 'Show the packages of a project',
  scope: inPackagesPage,
  can: 'read_package',
  params: { ...filters, order_by: OneOf(packageOrders, orderAbout) },
  run: ctx =>
    listing(
      ctx,
      api.listPackages,
      ctx.params as Listed,
      orders,
      html`What the project publishes for package managers stands here: npm, pip, Maven, NuGet, Helm, Composer, RubyGems, Conan, Debian, or files of any kind. The <a href="/help/packages">handbook</a> says how it is published, by hand or from a job.`,
    ),
})

export const showGroupPackages = pageEndpoint({
  route: 'GET /groups/:group_path/-/packages',
  summary: 'Show the packages of the projects in a group and below it',
  scope: inGroupPage,
  can: 'read_group_packages',
  params: { ...filters, order_by: OneOf([...packageOrders, 'project_path'], orderAbout) },
  run: ctx =>
    listing(
      ctx,
      api.listGroupPackages,
      ctx.params as Listed,
      [...orders, ['project_path', 'asc', 'By project']],
      html`What the projects of the group publish for package managers stands here. The <a href="/help/packages">handbook</a> says how it is published.`,
    ),
})

export const showPackage = pageEndpoint({
  route: `GET ${PACKAGE}`,
  summary: 'Show a package with its files, its versions and how it is installed',
  scope: inPackagePage,
  can: 'read_package',
  params: listParams,
  async run(ctx) {
    const { project, params, actor } = ctx
    const { id, name, version, package_type } = ctx.package
    const { page: at, per_page } = params
    const found = await answerOf(ctx, api.listPackageFiles, { page: at, per_page })
    const files = found.rows as readonly ShownFile[]
    const [shown] = (await presentAll(Package, ctx, [ctx.package])) as unknown as [ShownPackage & { readonly versions: ShownVersion[] }]
    const needsToken = project.visibility !== 'public'
    const base = packagesPath(project, `/${id}`)
    const mayDelete = shown._links.delete_api_path !== undefined
    const called = version === null ? name : `${name} ${version}`
    const removeFile = (file: ShownFile) =>
      actionButton(ctx, {
        to: `${base}/files/${file.id}/delete`,
        face: icon('trash'),
        label: `Delete ${file.file_name}`,
        look: 'bare',
        asks: `Delete ${file.file_name}? Who installs the package no longer gets it.`,
      })
    const lines = installLines(package_type, {
      api: `${ctx.url}/api/v4/projects/${project.id}`,
      name,
      version,
      file: await fileToInstall(ctx.db, id),
      group: project.namespace_kind === 'group' ? `${ctx.url}/api/v4/group/${project.namespace_id}` : undefined,
      needsToken,
    })
    return page(ctx, {
      title: called,
      place: projectPlace(actor, project, 'packages'),
      heading: 'own',
      body: html`<div class="heading"><h1>${name}${version !== null && html` <span class="muted light">${version}</span>`}</h1>${mayDelete && html`<div class="row">${actionButton(ctx, { to: `${base}/delete`, face: html`${icon('trash')} Delete`, label: 'Delete the package', look: 'danger', asks: `Delete ${called} with its files? Who installs it no longer finds it.` })}</div>`}</div>
${packageFacts(shown)}${installView(lines, needsToken)}${filesView(project, files, found.links, mayDelete ? removeFile : undefined)}${versionsView(project, name, shown.versions)}`,
    })
  },
})

interface InPackage {
  readonly project: ProjectWithRole
  readonly package: PackageRow
}

export const packageChanges = {
  remove: action<InPackage>({
    route: `POST ${PACKAGE}/delete`,
    of: api.deletePackage,
    scope: inPackagePage,
    next: ({ project }) => packagesPath(project),
    notice: 'The package was deleted.',
  }),
  removeFile: action<InPackage>({
    route: `POST ${PACKAGE}/files/:package_file_id/delete`,
    of: api.deletePackageFile,
    scope: inFileOfPackagePage,
    next: ctx => packagesPath(ctx.project, `/${ctx.package.id}`),
    notice: 'The file was deleted.',
  }),
}
