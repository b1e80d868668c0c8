/** What CI takes and how well it does: of a project, of a group with the groups below it, and of the instance. */
import { busiestProjects, type UsagePlace, type UsageRange, usageByName, usageDays } from '../../ci/usage/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf } from '../../platform/kernel/declaration/types.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { adminPlace } from '../admin/place.ts'
import { inAdministration } from '../admin/scope.ts'
import { type Around, aroundGroup, aroundProject, GROUP_PIPELINES, PIPELINES } from './around.ts'
import { jobTables, projectTable, spanNav, usageCharts, usageNote } from './ci_usage_view.ts'

const DAY = 86_400_000

const spans = ['7', '30', '90'] as const

const params = { days: OneOf(spans, { description: 'Days that are shown, with today', default: '30' }) }

type Caller = Context & { readonly params: { readonly days: (typeof spans)[number] } }

/** All days of the span, oldest first. Pure. */
const daysOf = (now: Date, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => new Date(now.getTime() - (count - 1 - at) * DAY).toISOString().slice(0, 10))

async function usagePage(
  ctx: Caller,
  { place, base, nav }: Omit<Around, 'nav'> & { readonly nav?: Html },
  of: UsagePlace,
  tables: (range: UsageRange) => Promise<Html>,
): Promise<ByteAnswer> {
  const days = daysOf(ctx.now, Number(ctx.params.days))
  const range = { from: days[0] as string, to: days.at(-1) as string }
  const [rows, rest] = await Promise.all([usageDays(ctx.db, of, range), tables(range)])
  return page(ctx, {
    title: 'CI/CD usage',
    place,
    heading: 'own',
    body: html`<div class="heading"><h1>CI/CD usage</h1></div>${nav}${spanNav(base, spans, ctx.params.days)}${usageCharts(days, rows)}${rest}${usageNote}`,
  })
}

export const showProjectUsage = pageEndpoint({
  route: `GET /:project_path${PIPELINES}`,
  summary: 'Show what the pipelines and jobs of a project take, and how they end',
  scope: inProjectPage,
  can: 'read_ci_cd_analytics',
  params,
  run: ctx =>
    usagePage(ctx, aroundProject(ctx, PIPELINES), { project_id: ctx.project.id }, async range =>
      jobTables(await usageByName(ctx.db, ctx.project.id, range)),
    ),
})

/** The projects that took most. */
const busiest = async ({ db }: Context, place: Parameters<typeof busiestProjects>[1], range: UsageRange): Promise<Html> => {
  const rows = await busiestProjects(db, place, range)
  const projects = await projectsById(
    db,
    rows.map(({ project_id }) => project_id),
  )
  return projectTable(
    rows.flatMap(row => {
      const project = projects.get(row.project_id)
      return project ? [{ ...row, project }] : []
    }),
  )
}

export const showGroupUsage = pageEndpoint({
  route: `GET /groups/:group_path${GROUP_PIPELINES}`,
  summary: 'Show what the pipelines and jobs of a group’s projects take, and how they end',
  scope: inGroupPage,
  can: 'read_group_ci_cd_analytics',
  params,
  run: ctx => {
    const place = { namespace_id: ctx.group.id }
    return usagePage(ctx, aroundGroup(ctx, GROUP_PIPELINES), place, range => busiest(ctx, place, range))
  },
})

const ADMIN = '/admin/ci/usage'

export const showInstanceUsage = pageEndpoint({
  route: `GET ${ADMIN}`,
  summary: 'Show what the pipelines and jobs of the instance take, and how they end',
  scope: inAdministration,
  can: 'admin_instance',
  params,
  run: ctx => usagePage(ctx, { place: adminPlace('usage', ctx), base: ADMIN }, 'instance', range => busiest(ctx, 'instance', range)),
})
