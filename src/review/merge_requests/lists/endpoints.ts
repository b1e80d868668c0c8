/** The three lists of merge requests (document 3 "Merge request lists"). */

import { scopeFor } from '../../../planning/shared/lists/default_scope.ts'
import { endpoint, pageOf } from '../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { flag, optional } from '../../../platform/kernel/declaration/types.ts'
import { inGroup } from '../../../spaces/groups/scope.ts'
import { inProject } from '../../../spaces/projects/scope.ts'
import { listedMergeRequest, listedMergeRequestOfProject } from './entity.ts'
import { acrossProjects, deployedBy, listParams, listRules, numbers } from './params.ts'
import { mergeRequestsOfGroup, mergeRequestsOfInstance, mergeRequestsOfProject } from './queries.ts'
import { rechecked } from './recheck.ts'

export const listMergeRequests = endpoint({
  route: 'GET /merge_requests',
  summary: 'List the merge requests that the caller created, or with `scope=all` those that they may see',
  scope: inInstance,
  can: 'read_instance',
  params: { ...listParams, ...acrossProjects },
  rules: listRules,
  answers: pageOf(listedMergeRequest),
  async run(ctx) {
    const filters = { ...ctx.params, ...deployedBy(ctx.params), scope: scopeFor(ctx, ctx.params.scope) }
    return rechecked(ctx, await mergeRequestsOfInstance(ctx, filters), ctx.params.with_merge_status_recheck)
  },
})

export const listGroupMergeRequests = endpoint({
  route: 'GET /groups/:id/merge_requests',
  summary: 'List the merge requests of the projects of a group and the groups below it',
  scope: inGroup,
  can: 'read_group',
  params: {
    ...listParams,
    ...acrossProjects,
    non_archived: optional(flag('No merge requests of archived projects; default true')),
  },
  rules: listRules,
  answers: pageOf(listedMergeRequest),
  async run(ctx) {
    return rechecked(
      ctx,
      await mergeRequestsOfGroup(ctx, ctx.group, { ...ctx.params, ...deployedBy(ctx.params) }),
      ctx.params.with_merge_status_recheck,
    )
  },
})

export const listProjectMergeRequests = endpoint({
  route: 'GET /projects/:id/merge_requests',
  summary: 'List the merge requests of a project',
  scope: inProject,
  can: 'read_merge_request',
  params: { ...listParams, ...numbers },
  rules: listRules,
  answers: pageOf(listedMergeRequestOfProject),
  async run(ctx) {
    return rechecked(ctx, await mergeRequestsOfProject(ctx, ctx.project, ctx.params), ctx.params.with_merge_status_recheck)
  },
})
