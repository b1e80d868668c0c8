/** Analytics of projects and groups: how issues and merge requests flow, and who contributes. */

import { sql } from 'kysely'
import { presentSummary } from '../../identity/users/entity.ts'
import { usersById } from '../../identity/users/queries.ts'
import { issueVisibleIn, issueVisibleTo } from '../../planning/issues/lists/visible.ts'
import { preferencesOf } from '../../platform/access/preferences.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page, redirect } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { mergeRequestVisibleTo } from '../../review/merge_requests/lists/visible.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { type Around, aroundGroup, aroundProject, CONTRIBUTIONS, ISSUES, MERGE_REQUESTS } from './around.ts'
import { contributionsIn } from './contributions.ts'
import { contributionsView } from './contributions_view.ts'
import { type Flow, type FlowAsked, issueFlow, mergeRequestFlow } from './flow.ts'
import { type FlowWords, filterForm, flowView } from './flow_view.ts'
import { type FlowParams, flowParams, type Range, rangeOf, rangeParams, stepOf, WrongRange } from './range.ts'

/** The projects of a group and of the groups below it, as a condition on `projects`. */
const isBelow = ({ id }: { readonly id: number }) =>
  sql<boolean>`projects.namespace_id in (select below.id from namespaces below where below.traversal_ids @> array[${id}::bigint])`

const issueWords: FlowWords = {
  noun: 'issues',
  done: 'Closed',
  whole: { title: 'Lead time', says: 'From its creation until an issue was closed' },
  active: { title: 'Cycle time', says: 'From when it was first assigned, or first named by a commit, until an issue was closed' },
}

const mergeRequestWords: FlowWords = {
  noun: 'merge requests',
  done: 'Merged',
  whole: { title: 'Time to merge', says: 'From its creation until a merge request was merged' },
  active: { title: 'Review time', says: 'From the first comment or approval by another person until a merge request was merged' },
}

/** Answers a page, whose span may be wrong: then with the form alone. */
async function answer(
  ctx: Context & { readonly params: Partial<FlowParams> },
  { place, base, nav }: Around,
  shown: { readonly title: string; readonly daysOnly?: true; readonly since?: number; readonly body: (range: Range) => Promise<Html> },
): Promise<ByteAnswer> {
  const asked = ctx.params
  const range = rangeOf(asked, ctx.now, shown.since)
  const isWrong = range instanceof WrongRange
  const form = filterForm({
    base,
    asked,
    range: isWrong ? { from: '', to: '' } : range,
    wrong: isWrong ? range.words : undefined,
    ...(shown.daysOnly ? { daysOnly: true } : {}),
  })
  return page(ctx, {
    title: shown.title,
    place,
    heading: 'own',
    ...(isWrong ? { status: 422 } : {}),
    body: html`<div class="heading"><h1>${shown.title}</h1></div>${nav}${form}${isWrong ? undefined : await shown.body(range)}`,
  })
}

const flowPage = (
  ctx: Context & { readonly params: FlowParams },
  around: Around,
  words: FlowWords,
  read: (asked: FlowAsked) => Promise<Flow>,
): Promise<ByteAnswer> => {
  const step = stepOf(ctx.params.by, preferencesOf(ctx.actor).first_day_of_week)
  return answer(ctx, around, {
    title: `Analytics of ${words.noun}`,
    body: async range => flowView(words, await read({ range, step, filters: ctx.params }), range, step),
  })
}

export const showProjectIssueFlow = pageEndpoint({
  route: `GET /:project_path${ISSUES}`,
  summary: 'Show how the issues of a project flow',
  scope: inProjectPage,
  can: 'read_issue_analytics',
  cost: 'heavy',
  params: flowParams,
  run: ctx =>
    flowPage(ctx, aroundProject(ctx, ISSUES), issueWords, asked => issueFlow(ctx.db, issueVisibleIn(ctx.actor, [ctx.project.id]), asked)),
})

export const showGroupIssueFlow = pageEndpoint({
  route: `GET /groups/:group_path${ISSUES}`,
  summary: 'Show how the issues of a group’s projects flow',
  scope: inGroupPage,
  can: 'read_group',
  cost: 'heavy',
  params: flowParams,
  run: ctx =>
    flowPage(ctx, aroundGroup(ctx, ISSUES), issueWords, asked => issueFlow(ctx.db, issueVisibleTo(ctx.actor, isBelow(ctx.group)), asked)),
})

export const showProjectMergeRequestFlow = pageEndpoint({
  route: `GET /:project_path${MERGE_REQUESTS}`,
  summary: 'Show how the merge requests of a project flow',
  scope: inProjectPage,
  can: 'read_merge_request_analytics',
  cost: 'heavy',
  params: flowParams,
  run: ctx =>
    flowPage(ctx, aroundProject(ctx, MERGE_REQUESTS), mergeRequestWords, asked =>
      mergeRequestFlow(ctx.db, sql<boolean>`merge_requests.project_id = ${ctx.project.id}`, asked),
    ),
})

export const showGroupMergeRequestFlow = pageEndpoint({
  route: `GET /groups/:group_path${MERGE_REQUESTS}`,
  summary: 'Show how the merge requests of a group’s projects flow',
  scope: inGroupPage,
  can: 'read_group',
  cost: 'heavy',
  params: flowParams,
  run: ctx =>
    flowPage(ctx, aroundGroup(ctx, MERGE_REQUESTS), mergeRequestWords, asked =>
      mergeRequestFlow(ctx.db, mergeRequestVisibleTo(ctx.actor, isBelow(ctx.group)), asked),
    ),
})

/** Contributions of a month are shown unless asked otherwise. */
const MONTH = 30 * 86_400_000

export const showContributions = pageEndpoint({
  route: `GET /groups/:group_path${CONTRIBUTIONS}`,
  summary: 'Show who contributes to the projects of a group',
  scope: inGroupPage,
  can: 'read_group',
  cost: 'heavy',
  params: rangeParams,
  run: ctx =>
    answer(ctx, aroundGroup(ctx, CONTRIBUTIONS), {
      title: 'Contributions',
      daysOnly: true,
      since: ctx.now.getTime() - MONTH,
      async body(range) {
        const rows = await contributionsIn(ctx.db, ctx.actor, ctx.group.id, range)
        if (rows.length === 0)
          return empty({ icon: 'people', title: 'No contributions', says: 'Nothing was done in the projects of this group in these days.' })
        const users = await usersById(
          ctx.db,
          rows.map(({ author_id }) => author_id),
        )
        return contributionsView(rows, new Map([...users].map(([id, user]) => [id, presentSummary(user, ctx)])))
      },
    }),
})

/** Addresses of the platform for what one page shows here. */
export const fromProjectIssues = pageEndpoint({
  route: 'GET /:project_path/-/analytics/issues_analytics',
  summary: 'Be led to how the issues of a project flow',
  scope: inProjectPage,
  can: 'read_issue_analytics',
  run: async ({ project }) => redirect(projectPath(project, ISSUES)),
})

export const fromGroupIssues = pageEndpoint({
  route: 'GET /groups/:group_path/-/issues_analytics',
  summary: 'Be led to how the issues of a group’s projects flow',
  scope: inGroupPage,
  can: 'read_group',
  run: async ({ group }) => redirect(groupPath(group, ISSUES)),
})
