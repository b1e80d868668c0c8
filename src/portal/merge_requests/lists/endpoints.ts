/** The lists of merge requests: of a project, of a group, and of what is the caller's own. */
import { allows } from '../../../platform/access/abilities.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import { readableHeadPipelines } from '../../../review/merge_request_pipelines/queries.ts'
import { listGroupMergeRequests, listMergeRequests, listProjectMergeRequests } from '../../../review/merge_requests/lists/endpoints.ts'
import { groupPath, groupPlace } from '../../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../../spaces/groups/pages/scope.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { type ListedKind, listing, listingParams, ownListing } from '../../items/listing.ts'
import { mergeRequestsTopicOf } from '../live.ts'
import { type ListedMergeRequest, mergeRequestList } from './list_view.ts'
import { OWN_MERGE_REQUESTS, ownLists } from './own.ts'
import { recentPushes } from './recent_pushes.ts'

const kind: ListedKind<ListedMergeRequest> = {
  keys: [
    { key: 'label', param: 'labels', says: 'has the label; None, Any', many: true, negatable: true },
    { key: 'author', param: 'author_username', says: 'was opened by the account', negatable: true },
    { key: 'assignee', param: 'assignee_username', says: 'is assigned to the account', negatable: true },
    { key: 'reviewer', param: 'reviewer_username', says: 'waits for a review by the account', negatable: true },
    { key: 'milestone', param: 'milestone', says: 'is in the milestone; None, Any', negatable: true },
    { key: 'source', param: 'source_branch', says: 'comes from the branch' },
    { key: 'target', param: 'target_branch', says: 'goes to the branch' },
    { key: 'draft', param: 'wip', says: 'is a draft', values: ['yes', 'no'] },
    { key: 'reaction', param: 'my_reaction_emoji', says: 'has your reaction; None, Any', negatable: true },
    { key: 'created-after', param: 'created_after', says: 'was opened on the day or later' },
    { key: 'created-before', param: 'created_before', says: 'was opened before the day' },
    { key: 'updated-after', param: 'updated_after', says: 'was changed on the day or later' },
    { key: 'updated-before', param: 'updated_before', says: 'was changed before the day' },
    { key: 'approved-by', param: 'approved_by_usernames', says: 'was approved by the account; None, Any', many: true },
    { key: 'approver', param: 'approver_ids', says: 'has approval rules that name an account', values: ['None', 'Any'] },
    { key: 'assigned', param: 'assignee_id', says: 'to nobody, or to anybody', values: ['None', 'Any'] },
    { key: 'reviewed', param: 'reviewer_id', says: 'by nobody, or by anybody', values: ['None', 'Any'] },
  ],
  orders: [
    ['created_at:desc', 'Newest'],
    ['created_at:asc', 'Oldest'],
    ['updated_at:desc', 'Changed lately'],
    ['updated_at:asc', 'Changed long ago'],
    ['title:asc', 'Title'],
  ],
  states: [
    ['opened', 'Open'],
    ['merged', 'Merged'],
    ['closed', 'Closed'],
    ['all', 'All'],
  ],
  icon: 'git-pull-request',
  none: ['No merge requests', 'A merge request proposes the commits of a branch, for others to review and to merge.'],
  view: async (ctx, rows, frame) => mergeRequestList(rows, frame, await readableHeadPipelines(ctx, rows)),
}

/** The menu beside the button for a new one. */
const byMail = (href: string): Html =>
  html`<details class="menu"><summary class="btn" aria-label="More" title="More">${icon('kebab-horizontal')}</summary><div class="menu-items"><a href="${href}">${icon('mail')} New merge request by mail</a></div></details>`

export const listProject = pageEndpoint({
  route: 'GET /:project_path/-/merge_requests',
  summary: 'Show the merge requests of a project',
  scope: inProjectPage,
  can: 'read_merge_request',
  params: listingParams,
  run: async ctx =>
    listing(ctx, {
      kind,
      above: livePart('recent-pushes', mergeRequestsTopicOf(ctx.project), await recentPushes(ctx, ctx.project)),
      base: projectPath(ctx.project, '/-/merge_requests'),
      list: listProjectMergeRequests,
      title: 'Merge requests',
      place: projectPlace(ctx.actor, ctx.project, 'merge_requests'),
      isOfProject: true,
      topic: mergeRequestsTopicOf(ctx.project),
      completions: projectPath(ctx.project, '/-/completions'),
      ...(allows(ctx.actor, 'create_merge_request_from', projectSubject(ctx.project)) === 'yes'
        ? {
            buttons: html`${ctx.deps.config.incomingMail && byMail(projectPath(ctx.project, '/-/merge_requests/by_mail'))}<a class="btn btn-primary" href="${projectPath(ctx.project, '/-/merge_requests/new')}" data-hotkey="c">New merge request</a>`,
          }
        : {}),
    }),
})

export const listGroup = pageEndpoint({
  route: 'GET /groups/:group_path/-/merge_requests',
  summary: 'Show the merge requests of a group’s projects',
  scope: inGroupPage,
  can: 'read_group',
  params: listingParams,
  run: ctx =>
    listing(ctx, {
      kind,
      base: groupPath(ctx.group, '/-/merge_requests'),
      list: listGroupMergeRequests,
      title: 'Merge requests',
      place: groupPlace(ctx.actor, ctx.group, 'merge_requests'),
    }),
})

export const listOwn = pageEndpoint({
  route: 'GET /dashboard/merge_requests',
  summary: 'Show one’s merge requests',
  scope: inInstance,
  can: 'use_instance',
  params: listingParams,
  run: ctx =>
    listing(ctx, {
      kind,
      base: OWN_MERGE_REQUESTS,
      list: listMergeRequests,
      above: ownLists(ctx.actor.user?.username ?? '', ctx.request.address),
      ...ownListing(ctx, 'Merge requests'),
    }),
})
