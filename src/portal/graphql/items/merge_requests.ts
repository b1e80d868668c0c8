/** Merge requests. */
import { Milestone } from '../../../planning/milestones/entity.ts'
import type { Ability } from '../../../platform/access/abilities.ts'
import { headPipelinesOf, pipelinesOfMergeRequest } from '../../../review/merge_request_pipelines/queries.ts'
import { MergeRequest as ShownMergeRequest } from '../../../review/merge_requests/entity.ts'
import { noteableMergeRequest } from '../../../review/merge_requests/item_kind/noteable.ts'
import { subscribedMergeRequests } from '../../../review/merge_requests/item_kind/subscribed.ts'
import { type ListFilters, mergeRequestsOfGroup, mergeRequestsOfProject } from '../../../review/merge_requests/lists/queries.ts'
import { type MergeRequestRow, visibleMergeRequestsById } from '../../../review/merge_requests/queries.ts'
import { isOwnMergeRequest } from '../../../review/merge_requests/scope.ts'
import { ShownPipeline } from '../code/pipelines.ts'
import {
  given,
  inProjectFor,
  listInGroupFor,
  listInProjectFor,
  orderOf,
  orderValues,
  permissionFields,
  permissionResolvers,
} from '../reading/access.ts'
import { connectionOf, connectionOfKnown, emptyConnection, type PageArgs } from '../reading/connections.ts'
import type { Part } from '../reading/part.ts'
import type { GraphRequest } from '../reading/request.ts'
import { globalId, idIn, type Thing } from '../reading/things.ts'
import { shownProject } from '../spaces/projects.ts'
import { noteFieldsOf } from './notes.ts'
import { isNumber, labelsOfIds, milestoneOfId, referenceOf, remembered, sharedFields } from './shared.ts'

export { ShownMergeRequest }

/** The arguments of lists of merge requests. */
export const mergeRequestArgs = `
  "Numbers of the merge requests" iids: [String!]
  "State of the merge requests" state: MergeRequestState
  "Branches that the changes come from" sourceBranches: [String!]
  "Branches that the changes go to" targetBranches: [String!]
  "Labels that it must all have" labels: [String!]
  "Title of the milestone" milestoneTitle: String
  "Username of the author" authorUsername: String
  "Username of a user it is assigned to" assigneeUsername: String
  "Username of a user who is asked to review it" reviewerUsername: String
  "Created at this time or later" createdAfter: Time
  "Created at this time or earlier" createdBefore: Time
  "Words in title and description" search: String
  "Order of the list" sort: MergeRequestSort = created_desc
`

/** The arguments as clients give them. */
export interface MergeRequestArgs extends PageArgs {
  readonly iids?: readonly string[] | null
  readonly state?: string | null
  readonly sourceBranches?: readonly string[] | null
  readonly targetBranches?: readonly string[] | null
  readonly labels?: readonly string[] | null
  readonly milestoneTitle?: string | null
  readonly authorUsername?: string | null
  readonly assigneeUsername?: string | null
  readonly reviewerUsername?: string | null
  readonly createdAfter?: string | null
  readonly createdBefore?: string | null
  readonly search?: string | null
  readonly sort?: string | null
}

/** The filters that the arguments stand for. */
export function filtersOfMergeRequests(args: MergeRequestArgs): ListFilters {
  const iids = args.iids?.map(Number).filter(isNumber)
  return {
    ...(iids && { iids: iids.length === 0 ? [0] : iids }),
    state: given(args.state),
    source_branches: given(args.sourceBranches),
    target_branches: given(args.targetBranches),
    labels: given(args.labels),
    milestone: given(args.milestoneTitle),
    author_username: given(args.authorUsername),
    assignee_username: args.assigneeUsername == null ? undefined : [args.assigneeUsername],
    reviewer_username: given(args.reviewerUsername),
    created_after: given(args.createdAfter),
    created_before: given(args.createdBefore),
    search: given(args.search),
    ...orderOf(args.sort ?? 'created_desc', orders),
  }
}

const orders = {
  created: 'created_at',
  updated: 'updated_at',
  priority: 'priority',
  label_priority: 'label_priority',
  milestone_due: 'milestone_due',
  popularity: 'popularity',
} as const

/** The permissions on a merge request, with their abilities. */
const permissions = {
  readMergeRequest: 'read_merge_request',
  adminMergeRequest: 'admin_merge_request',
  updateMergeRequest: 'update_merge_request',
  createNote: 'create_merge_request_note',
} as const satisfies Record<string, Ability>

/** A merge request of any project, unless the session has to sign in for the project first. */
export const shownMergeRequest = async (request: GraphRequest, row: MergeRequestRow) =>
  (await request.project(row.project_id)) ? request.show(ShownMergeRequest, row) : null

type Shown<Json = unknown> = Thing<MergeRequestRow, Json>

type HeadPipelines = (ids: readonly number[]) => ReturnType<typeof headPipelinesOf>
const headPipelines = new WeakMap<GraphRequest, HeadPipelines>()

type Subscribed = (rows: readonly MergeRequestRow[]) => Promise<ReadonlyMap<MergeRequestRow, boolean>>
const subscribed = new WeakMap<GraphRequest, Subscribed>()

export const mergeRequests: Part = {
  types: `
    extend type Query {
      "Find a merge request"
      mergeRequest("Global ID of the merge request" id: MergeRequestID!): MergeRequest
    }
    extend type Project {
      "A merge request"
      mergeRequest("Number of the merge request" iid: String!): MergeRequest
      "Merge requests"
      mergeRequests(${mergeRequestArgs}): MergeRequestConnection
    }
    extend type Group {
      "Merge requests of the projects of the group and of the groups below it"
      mergeRequests(
        ${mergeRequestArgs}
        "Merge requests of archived projects too" includeArchived: Boolean = false
      ): MergeRequestConnection
    }
    "A merge request"
    type MergeRequest {
      ${sharedFields.replace('discussionLocked: Boolean!', 'discussionLocked: Boolean')}
      "State of the merge request"
      state: MergeRequestState!
      "Reference as it is written in texts"
      reference("With the path of the project" full: Boolean = false): String!
      "Users who are asked to review it"
      reviewers: UserCoreConnection
      "Branch that the changes come from"
      sourceBranch: String!
      "Branch that the changes go to"
      targetBranch: String!
      "Whether it is a draft"
      draft: Boolean!
      "Whether it is a draft"
      workInProgress: Boolean! @deprecated(reason: "Please use draft")
      "The project that the changes go to"
      project: Project
      "The project that the changes go to"
      targetProject: Project
      "The project that the changes come from"
      sourceProject: Project
      "ID of the project that the changes go to"
      projectId: Int!
      "ID of the project that the changes go to"
      targetProjectId: Int!
      "ID of the project that the changes come from"
      sourceProjectId: Int
      "Commits that are compared"
      diffRefs: DiffRefs
      "The newest commit"
      diffHeadSha: String
      "The merge commit"
      mergeCommitSha: String
      "When it was merged"
      mergedAt: Time
      "Who merged it, or set it to merge when the pipeline succeeds"
      mergeUser: UserCore
      "Whether it merges when its pipeline succeeds"
      mergeWhenPipelineSucceeds: Boolean
      "Whether it merges when its pipeline succeeds"
      autoMergeEnabled: Boolean!
      "Whether the branches can be merged"
      mergeStatus: String @deprecated(reason: "This was renamed. Please use mergeStatusEnum")
      "Whether the branches can be merged"
      mergeStatusEnum: MergeStatus
      "Whether the branches conflict"
      conflicts: Boolean!
      "Why the last attempt to merge failed"
      mergeError: String
      "Whether the commits are squashed into one"
      squash: Boolean!
      "Whether the source branch is deleted after merging, as the merging user said"
      shouldRemoveSourceBranch: Boolean
      "Whether the source branch is deleted after merging"
      forceRemoveSourceBranch: Boolean
      "Whether members who may merge may push to the source branch of the fork"
      allowCollaboration: Boolean
      "The newest pipeline of its newest commit"
      headPipeline: Pipeline
      "Pipelines"
      pipelines: PipelineConnection
      "What the caller may do"
      userPermissions: MergeRequestPermissions!
    }
    "State of a merge request"
    enum MergeRequestState {
      "Open" opened
      "Closed" closed
      "Locked" locked
      "Merged" merged
      "Any" all
    }
    "Whether branches can be merged"
    enum MergeStatus {
      "Not checked yet" UNCHECKED
      "Being checked" CHECKING
      "They can" CAN_BE_MERGED
      "They conflict" CANNOT_BE_MERGED
      "They conflicted, and are to be checked again" CANNOT_BE_MERGED_RECHECK
    }
    "Order of a list of merge requests"
    enum MergeRequestSort {
      ${orderValues(Object.keys(orders), ['created', 'updated'])}
    }
    "What the caller may do with a merge request"
    type MergeRequestPermissions {
      ${permissionFields(permissions)}
    }
  `,
  resolvers: {
    Query: {
      async mergeRequest(_, { id }: { id: string }, request) {
        const wanted = idIn(id, 'MergeRequest')
        const row = (await visibleMergeRequestsById(request.ctx.db, request.ctx.actor, [wanted], null)).get(wanted)
        return row ? shownMergeRequest(request, row) : null
      },
    },
    Project: {
      mergeRequest: inProjectFor<{ iid: string }>('read_merge_request', async (project, { iid }, request) => {
        const [row] = await (await mergeRequestsOfProject(request.ctx, project, filtersOfMergeRequests({ iids: [iid] }))).ordered
          .limit(1)
          .execute()
        return row ? request.show(ShownMergeRequest, row) : null
      }),
      mergeRequests: listInProjectFor<MergeRequestArgs>('read_merge_request', (project, args, request) =>
        connectionOf(request, args, 'merge_requests', ShownMergeRequest, () =>
          mergeRequestsOfProject(request.ctx, project, filtersOfMergeRequests(args)),
        ),
      ),
    },
    Group: {
      mergeRequests: listInGroupFor<MergeRequestArgs & { includeArchived?: boolean | null }>('read_group', (group, args, request) =>
        connectionOf(request, args, 'merge_requests', ShownMergeRequest, () =>
          mergeRequestsOfGroup(request.ctx, group, { ...filtersOfMergeRequests(args), non_archived: !args.includeArchived }),
        ),
      ),
    },
    MergeRequest: {
      id: ({ row }: Shown) => globalId('MergeRequest', row.id),
      assignees: ({ json }: Shown<{ assignees: unknown[] }>, args, request) => connectionOfKnown(request, args, () => json.assignees),
      reviewers: ({ json }: Shown<{ reviewers: unknown[] }>, args, request) => connectionOfKnown(request, args, () => json.reviewers),
      labels: ({ row }: Shown, args, request) => connectionOfKnown(request, args, () => labelsOfIds(request, row.label_ids)),
      milestone: async ({ row }: Shown, _args, request) => {
        const milestone = row.milestone_id === null ? undefined : await milestoneOfId(request, row.milestone_id)
        return milestone ? request.show(Milestone, milestone) : null
      },
      reference: referenceOf,
      subscribed: ({ row }: Shown, _args, request) =>
        request.byId(
          remembered(subscribed, request, () => async rows => {
            const found = await subscribedMergeRequests(request.ctx.db, request.ctx.actor.user?.id, rows)
            return new Map(rows.map(one => [one, found.has(one.id)]))
          }),
          row,
        ),
      project: ({ row }: Shown, _args, request) => shownProject(request, row.project_id),
      targetProject: ({ row }: Shown, _args, request) => shownProject(request, row.project_id),
      sourceProject: ({ row }: Shown, _args, request) => shownProject(request, row.source_project_id),
      diffRefs: ({ row }: Shown) =>
        row.head_commit_sha === null
          ? null
          : { baseSha: row.base_commit_sha, headSha: row.head_commit_sha, startSha: row.start_commit_sha },
      diffHeadSha: ({ row }: Shown) => row.head_sha,
      autoMergeEnabled: ({ row }: Shown) => row.merge_when_pipeline_succeeds,
      mergeStatusEnum: ({ row }: Shown) => row.merge_status.toUpperCase(),
      conflicts: ({ row }: Shown) => row.merge_status === 'cannot_be_merged',
      async headPipeline({ row }: Shown, _args, request) {
        const load = remembered(
          headPipelines,
          request,
          () => ids =>
            headPipelinesOf(
              request.ctx.db,
              ids.map(id => ({ id })),
            ),
        )
        const pipeline = await request.byId(load, row.id)
        // It may belong to the fork that the changes come from.
        const project = pipeline && (await request.project(pipeline.project_id))
        return pipeline && project && request.may('read_pipeline', project) ? request.show(ShownPipeline, pipeline) : null
      },
      async pipelines({ row }: Shown, args: PageArgs, request) {
        const project = await request.project(row.project_id)
        if (!project || !request.may('read_pipeline', project)) return emptyConnection(request, args)
        return connectionOf(request, args, 'pipelines_of_merge_request', ShownPipeline, () => pipelinesOfMergeRequest(request.ctx.db, row))
      },
      ...noteFieldsOf((ctx, project, row: MergeRequestRow) => noteableMergeRequest(ctx, project, row)),
      userPermissions: async ({ row }: Shown, _args, request) => {
        const project = await request.project(row.project_id)
        return (ability: Ability) =>
          project !== undefined && request.may(ability, project, isOwnMergeRequest(row, request.ctx.actor.user?.id))
      },
    },
    MergeRequestPermissions: permissionResolvers(permissions),
  },
}
