/** The three lists of issues, and their statistics (document 3 "Issue list filters"; issues statistics API at 14.0). */
import Type, { type TProperties } from 'typebox'
import { plain } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { endpoint, one, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { described, flag, integer, OneOf, optional } from '../../../platform/kernel/declaration/types.ts'
import { invalid } from '../../../platform/kernel/errors.ts'
import { inGroup } from '../../../spaces/groups/scope.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { scopeFor } from '../../shared/lists/default_scope.ts'
import { filterRules, issueFilters, notParam, orderParams } from '../../shared/lists/list_params.ts'
import { listedIssue } from '../entity.ts'
import { issuesOfGroup, issuesOfInstance, issuesOfProject, statisticsOf } from '../queries.ts'

const listParams = {
  ...issueFilters,
  ...orderParams,
  state: optional(OneOf(['opened', 'closed', 'all'], { description: 'Only issues in this state' })),
  with_labels_details: optional(flag('Labels with their colours and descriptions, not their names alone')),
} satisfies TProperties

const non_archived = optional(flag('No issues of archived projects; default true'))

/** The parameters of `not` in lists of a group or project. */
const notInPlace = notParam(
  'labels',
  'milestone',
  'author_id',
  'author_username',
  'assignee_id',
  'assignee_username',
  'my_reaction_emoji',
  'search',
  'in',
)

/** The parameters of `not` in the list of the instance. */
const notInInstance = notParam(
  'assignee_id',
  'assignee_username',
  'author_id',
  'author_username',
  'iids',
  'iteration_id',
  'iteration_title',
  'labels',
  'milestone',
  'weight',
)

interface ByAssignee {
  readonly assignee_username?: readonly string[] | undefined
}

/** Contract: the community edition accepts one `assignee_username` (document 3; decision 39). */
function assertOneAssignee({ tier }: Context, params: ByAssignee & { readonly not?: ByAssignee | undefined }): void {
  if (tier !== 'free') return
  const words = ['allows one value, but found several']
  if ((params.assignee_username?.length ?? 0) > 1) throw invalid({ assignee_username: words })
  if ((params.not?.assignee_username?.length ?? 0) > 1) throw invalid({ 'not[assignee_username]': words })
}

export const listIssues = endpoint({
  route: 'GET /issues',
  summary: 'List the issues that the caller created, or with `scope=all` those that they may see',
  scope: inInstance,
  can: 'read_instance',
  params: { ...listParams, non_archived, not: notInInstance },
  rules: filterRules,
  answers: pageOf(listedIssue),
  run(ctx) {
    assertOneAssignee(ctx, ctx.params)
    return issuesOfInstance(ctx, { ...ctx.params, scope: scopeFor(ctx, ctx.params.scope) })
  },
})

export const listGroupIssues = endpoint({
  route: 'GET /groups/:id/issues',
  summary: 'List the issues of the projects of a group and the groups below it',
  scope: inGroup,
  can: 'read_group',
  params: { ...listParams, non_archived, not: notInPlace },
  rules: filterRules,
  answers: pageOf(listedIssue),
  run(ctx) {
    assertOneAssignee(ctx, ctx.params)
    return issuesOfGroup(ctx, ctx.group, ctx.params)
  },
})

export const listProjectIssues = endpoint({
  route: 'GET /projects/:id/issues',
  summary: 'List the issues of a project',
  scope: inProject,
  can: 'read_issue',
  params: { ...listParams, not: notInPlace },
  rules: filterRules,
  answers: pageOf(listedIssue),
  run(ctx) {
    assertOneAssignee(ctx, ctx.params)
    return issuesOfProject(ctx, ctx.project, ctx.params)
  },
})

const Counts = Type.Object({
  all: integer('Number in any state'),
  closed: integer('Number of closed ones'),
  opened: integer('Number of open ones'),
})
const IssuesStatistics = plain(
  'IssuesStatistics',
  Type.Object({ statistics: described('Numbers', Type.Object({ counts: described('Numbers by state', Counts) })) }),
)

export const getIssuesStatistics = endpoint({
  route: 'GET /issues_statistics',
  summary: 'Count the issues that the caller created, or with `scope=all` those that they may see',
  scope: inInstance,
  can: 'read_instance',
  params: { ...issueFilters, not: notInInstance },
  rules: filterRules,
  answers: one(IssuesStatistics),
  async run(ctx) {
    assertOneAssignee(ctx, ctx.params)
    const filters = { ...ctx.params, scope: scopeFor(ctx, ctx.params.scope) }
    return { statistics: { counts: await statisticsOf(await issuesOfInstance(ctx, filters)) } }
  },
})

export const getGroupIssuesStatistics = endpoint({
  route: 'GET /groups/:id/issues_statistics',
  summary: 'Count the issues of a group’s projects',
  scope: inGroup,
  can: 'read_group',
  params: { ...issueFilters, not: notInPlace },
  rules: filterRules,
  answers: one(IssuesStatistics),
  async run(ctx) {
    assertOneAssignee(ctx, ctx.params)
    return { statistics: { counts: await statisticsOf(await issuesOfGroup(ctx, ctx.group, ctx.params)) } }
  },
})

export const getProjectIssuesStatistics = endpoint({
  route: 'GET /projects/:id/issues_statistics',
  summary: 'Count the issues of a project',
  scope: inProject,
  can: 'read_issue',
  params: { ...issueFilters, not: notInPlace },
  rules: filterRules,
  answers: one(IssuesStatistics),
  async run(ctx) {
    assertOneAssignee(ctx, ctx.params)
    return { statistics: { counts: await statisticsOf(await issuesOfProject(ctx, ctx.project, ctx.params)) } }
  },
})
