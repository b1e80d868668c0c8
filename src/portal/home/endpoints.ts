/** The page at `/`: what waits for the signed-in user, their projects, and what happened in them. */

import type { TodoKind } from '../../collaboration/item_kinds/item_kind.ts'
import { listIssues } from '../../planning/issues/lists/endpoints.ts'
import { type Preferences, preferencesOf } from '../../platform/access/preferences.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import { genericPlan } from '../../platform/db/statements/prepared.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer, Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { unauthenticated } from '../../platform/kernel/errors.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page, redirect } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { readableHeadPipelines } from '../../review/merge_request_pipelines/queries.ts'
import { listMergeRequests } from '../../review/merge_requests/lists/endpoints.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { type GroupRow, groupsMatching } from '../../spaces/groups/queries.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { type ProjectRow, projectsById, projectsMatching } from '../../spaces/projects/queries.ts'
import { activityList } from '../feed/activity_view.ts'
import { FeedEntry } from '../feed/entity.ts'
import { feedMatching } from '../feed/queries.ts'
import { pipelineChip } from '../pipelines/status_view.ts'
import { todosToBegin } from '../todos/beginning.ts'
import { todosOf } from '../todos/live.ts'
import { accountsToApprove } from './accounts_to_approve.ts'
import { firstSteps } from './first_steps.ts'
import { itemList, type ListedItem } from './item_view.ts'

/** Entries of each list; its own page has all of them. */
const FEW = 5
const PROJECTS = 12
const GROUPS = 12
const ENTRIES = 15

/** What `/` may lead to, besides what waits for oneself. */
const elsewhere: Readonly<Record<Exclude<Preferences['home_page'], 'home'>, string>> = {
  projects: '/dashboard/projects',
  starred: '/dashboard/projects?filter=starred',
  activity: '/dashboard/activity',
  groups: '/dashboard/groups',
  todos: '/dashboard/todos',
  issues: '/dashboard/issues',
  merge_requests: '/dashboard/merge_requests',
}

/** The pages, with to-do items of these kinds. */
export function homePages(kinds: readonly TodoKind[]): Readonly<Record<string, Endpoint>> {
  const showFirstPage = pageEndpoint({
    route: 'GET /',
    summary: 'Show the page that one prefers to begin with: what waits for oneself, unless it was chosen',
    scope: inInstance,
    can: 'read_instance',
    async run(ctx) {
      if (!ctx.actor.user) {
        const { home_page_url: elsewhereUrl } = await applicationSettings(ctx.db)
        if (elsewhereUrl) return redirect(elsewhereUrl)
        throw unauthenticated()
      }
      const { home_page } = preferencesOf(ctx.actor)
      return home_page === 'home' ? homeOf(ctx, kinds) : redirect(elsewhere[home_page])
    },
  })

  const showHome = pageEndpoint({
    route: 'GET /dashboard',
    summary: 'Show what waits for oneself',
    scope: inInstance,
    can: 'use_instance',
    run: ctx => homeOf(ctx, kinds),
  })

  return { showFirstPage, showHome }
}

async function homeOf(ctx: Context, kinds: readonly TodoKind[]): Promise<ByteAnswer> {
  const { db, actor } = ctx
  const [todos, reviews, mergeRequests, assigned, issues, projects, groups, approvals, steps] = await Promise.all([
    todosToBegin(ctx, kinds, FEW),
    answerOf(ctx, listMergeRequests, { scope: 'all', state: 'opened', reviewer_id: actor.user?.id, per_page: FEW }),
    answerOf(ctx, listMergeRequests, { scope: 'created_by_me', state: 'opened', per_page: FEW }),
    answerOf(ctx, listMergeRequests, { scope: 'assigned_to_me', state: 'opened', per_page: FEW }),
    answerOf(ctx, listIssues, { scope: 'assigned_to_me', state: 'opened', per_page: FEW }),
    projectsMatching(db, actor, { membership: true, order_by: 'last_activity_at' }).limit(PROJECTS).execute(),
    groupsMatching(db, actor, { all_available: false }).modifyFront(genericPlan).limit(GROUPS).execute(),
    accountsToApprove(ctx),
    firstSteps(ctx),
  ])
  const pipelines = await readableHeadPipelines(ctx, [...reviews.rows, ...assigned.rows, ...mergeRequests.rows])
  const pipelineOf = ({ id }: ListedItem) => {
    const head = pipelines.get(id)
    return head && pipelineChip(head)
  }
  const waiting = [
    todos,
    section('Reviews that wait for you', reviews.rows, pipelineOf),
    section('Merge requests assigned to you', assigned.rows, pipelineOf),
    section('Issues assigned to you', issues.rows),
    section('Your merge requests', mergeRequests.rows, pipelineOf),
  ].filter(part => part !== undefined)
  return page(ctx, {
    title: 'Home',
    heading: 'own',
    body: html`<h1 class="sr-only">Home</h1><div class="columns"><div>
${approvals}
${steps}
${actor.user && livePart('waiting', todosOf(actor.user.id), html`${waiting.length > 0 ? waiting : projects.length > 0 && empty({ icon: 'check', title: 'Nothing waits for you', says: 'To-dos, reviews, issues and merge requests that are yours appear here.' })}`, 'section')}
<section class="section"><div class="row apart"><h2>Activity</h2><a class="small" href="/dashboard/activity">All of it</a></div>${await activity(ctx)}</section>
</div><aside aria-label="Your projects and groups">${projectsView(projects, groups.length > 0)}${groupsView(groups)}</aside></div>`,
  })
}

const section = (title: string, items: readonly ListedItem[], asideOf?: (item: ListedItem) => Html | undefined): Html | undefined =>
  items.length === 0 ? undefined : html`<section class="section"><h2>${title}</h2>${itemList(items, asideOf)}</section>`

/** What happened in the caller's projects. */
async function activity(ctx: Context): Promise<Html> {
  const { db, actor } = ctx
  // Planned once, as the groups: both begin from the same end for all readers, and planning them takes longer than reading them.
  const entriesOf = (memberId: number) => feedMatching(db, actor, { memberId }, {}).modifyFront(genericPlan).limit(ENTRIES).execute()
  const rows = actor.user ? await entriesOf(actor.user.id) : []
  if (rows.length === 0) return html`<p class="muted">Nothing has happened in your projects yet.</p>`
  const [entries, places] = await Promise.all([
    presentAll(FeedEntry, ctx, rows),
    projectsById(db, [...new Set(rows.map(row => row.project_id))]),
  ])
  return activityList(entries, places)
}

/** The groups that one belongs to. */
const groupsView = (groups: readonly Pick<GroupRow, 'full_path' | 'visibility'>[]): Html | undefined =>
  groups.length === 0
    ? undefined
    : html`<section class="section"><h2><a class="quiet" href="/dashboard/groups">Your groups</a></h2><ul class="plain-list stack small-stack">${groups.map(group => html`<li class="row named">${icon(group.visibility === 'public' ? 'organization' : 'lock')}<a class="quiet" href="${groupPath(group)}">${group.full_path}</a></li>`)}</ul></section>`

const projectsView = (
  projects: readonly ProjectRow[],
  hasGroups: boolean,
): Html => html`<section class="section"><div class="row apart"><h2><a class="quiet" href="/dashboard/projects">Your projects</a></h2><a class="btn btn-sm btn-primary" href="/projects/new">${icon('plus')}New</a></div>
${
  projects.length === 0
    ? html`<p class="muted">${hasGroups ? 'Your groups have no project yet.' : 'You are in no project yet.'} <a href="/explore">Explore</a> what there is.</p>`
    : html`<ul class="plain-list stack small-stack">${projects.map(project => html`<li class="row apart"><span class="row named">${icon(project.visibility === 'public' ? 'repo' : 'lock')}<a class="quiet" href="${projectPath(project)}">${project.namespace_full_path}/<strong>${project.path}</strong></a></span><span class="row muted small"><span title="Stars">${icon('star', 'Stars')} ${project.star_count}</span>${time(project.last_activity_at)}</span></li>`)}</ul>`
}</section>`
