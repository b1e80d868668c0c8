/** The lists of milestones: of a project, of a group with all below it, and of what one is a member of. */
import { sql } from 'kysely'
import { Milestone } from '../../planning/milestones/entity.ts'
import {
  issueStatsOf,
  type MilestoneFilters,
  type MilestoneSort,
  milestoneSorts,
  milestonesBelow,
  milestonesMatching,
  milestonesOfMember,
  sortedMilestones,
} from '../../planning/milestones/queries.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { PageRequest } from '../../platform/kernel/answer/page.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer, Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listPage, listParams, withParameter } from '../../platform/pages/lists.ts'
import { mayHere } from '../places/planning.ts'
import { type ListedMilestone, milestoneList, type ShownMilestone } from './list_view.ts'
import { framePlace, type InMilestones, type MilestoneKind, milestonesPath, ofGroup, ofProject } from './scope.ts'

const params = {
  ...listParams,
  // The platform's pages say `opened`; the API says `active`.
  state: OneOf(['active', 'opened', 'closed', 'all'], { description: 'Only milestones in this state', default: 'active' }),
  search: optional(text('Words in title and description', { maxLength: 255 })),
  sort: OneOf(milestoneSorts, { description: 'What the list is ordered by', default: 'due_date_asc' }),
}

interface Asked extends PageRequest {
  readonly state: 'active' | 'opened' | 'closed' | 'all'
  readonly search?: string | undefined
  readonly sort: MilestoneSort
}

type Query = ReturnType<typeof milestonesBelow>

const sorts: Readonly<Record<MilestoneSort, string>> = {
  due_date_asc: 'Due soon',
  due_date_desc: 'Due later',
  start_date_asc: 'Begins first',
  start_date_desc: 'Begins last',
  name_asc: 'Name, A to Z',
  name_desc: 'Name, Z to A',
}

/** How many there are in each state. One statement. */
async function countsOf(query: Query): Promise<Readonly<Record<'active' | 'closed' | 'all', number>>> {
  const { active, closed } = await query
    .clearSelect()
    .clearOrderBy()
    .select([
      sql<number>`count(*) filter (where milestones.state = 'active')::int`.as('active'),
      sql<number>`count(*) filter (where milestones.state = 'closed')::int`.as('closed'),
    ])
    .executeTakeFirstOrThrow()
  return { active, closed, all: active + closed }
}

interface Listing {
  readonly title: string
  /** The path of the page. */
  readonly base: string
  readonly place?: Place
  readonly isOf: string | undefined
  readonly query: (filters: MilestoneFilters) => Query
  readonly create: string | undefined
}

async function list(ctx: Context & { readonly params: Asked }, { title, base, place, isOf, query, create }: Listing): Promise<ByteAnswer> {
  const { search, sort } = ctx.params
  const state = ctx.params.state === 'opened' ? 'active' : ctx.params.state
  const [found, counts] = await Promise.all([
    listPage(ctx, sortedMilestones(query({ search, state }), sort), ctx.params),
    countsOf(query({ search })),
  ])
  const [shown, stats] = await Promise.all([
    presentAll(Milestone, ctx, found.rows),
    issueStatsOf(
      ctx.db,
      ctx.actor,
      found.rows.map(({ id }) => id),
    ),
  ])
  const rows = found.rows.map(
    (row, index): ListedMilestone => ({
      ...(shown[index] as unknown as ShownMilestone),
      place: row.place_path,
      stats: stats.get(row.id) ?? { total: 0, closed: 0 },
    }),
  )
  const isFiltered = search !== undefined && search !== ''
  return page(ctx, {
    title,
    heading: 'own',
    ...(place === undefined ? {} : { place }),
    body: html`<div class="heading"><h1>${title}</h1>${create !== undefined && html`<div class="row"><a class="btn btn-primary" href="${create}" data-hotkey="c">New milestone</a></div>`}</div>
<form class="filter-bar" action="${base}" role="search"><input type="hidden" name="state" value="${state}"><label class="sr-only" for="search">Words in title and description</label><input class="form-control" type="search" id="search" name="search" value="${search ?? ''}" placeholder="Words in title and description"><label class="sr-only" for="sort">Order</label><select class="form-control form-select" id="sort" name="sort">${milestoneSorts.map(value => html`<option value="${value}"${value === sort && html` selected`}>${sorts[value]}</option>`)}</select><button class="btn">${icon('search')} Search</button></form>
<nav class="subnav" aria-label="State">${(['active', 'closed', 'all'] as const).map(value => html`<a href="${withParameter(ctx.request.address, 'state', value)}"${value === state && html` aria-current="page"`}>${{ active: 'Open', closed: 'Closed', all: 'All' }[value]} <span class="counter">${counts[value]}</span></a>`)}</nav>
${rows.length > 0 ? milestoneList(rows, { today: ctx.now.toISOString().slice(0, 10), isOf }) : noneView(isFiltered || counts.all > 0, create)}${found.links}`,
  })
}

const noneView = (areOthers: boolean, create: string | undefined): Html =>
  areOthers
    ? empty({ icon: 'milestone', title: 'No milestones', says: 'None is like this.' })
    : empty({
        icon: 'milestone',
        title: 'No milestones yet',
        says: 'A milestone gathers the issues and merge requests of a version or a span of time, and shows how far they are.',
        ...(create === undefined ? {} : { action: html`<a class="btn btn-primary" href="${create}">New milestone</a>` }),
      })

const listOf = (kind: MilestoneKind, query: (ctx: Context & InMilestones, filters: MilestoneFilters) => Query): Endpoint =>
  pageEndpoint<InMilestones, typeof params>({
    route: `GET ${kind.base}`,
    summary: `Show the milestones of a ${kind.noun}`,
    scope: kind.inPlace,
    can: kind.read as never,
    params,
    run: ctx =>
      list(ctx, {
        title: 'Milestones',
        base: milestonesPath(ctx.place),
        place: framePlace(ctx),
        isOf: ctx.place.full_path,
        query: filters => query(ctx, filters),
        create: mayHere(ctx, kind.manage) ? milestonesPath(ctx.place, '/new') : undefined,
      }),
  })

export const milestoneLists = {
  ofProject: listOf(ofProject, ({ db, place }, filters) => milestonesMatching(db, place, { ...filters, include_parent_milestones: true })),
  ofGroup: listOf(ofGroup, ({ db, actor, place }, filters) => milestonesBelow(db, actor, place.id, filters)),
  own: pageEndpoint({
    route: 'GET /dashboard/milestones',
    summary: 'Show the milestones of one’s projects and groups',
    scope: inInstance,
    can: 'use_instance',
    params,
    run: ctx =>
      list(ctx, {
        title: 'Milestones',
        base: '/dashboard/milestones',
        isOf: undefined,
        query: filters => milestonesOfMember(ctx.db, ctx.actor, ctx.actor.user?.id ?? 0, filters),
        create: undefined,
      }),
  }),
}
