/** Issues. */
import { Issue } from '../../../planning/issues/entity.ts'
import { noteableIssue } from '../../../planning/issues/item_kind/noteable.ts'
import { subscribedIssues } from '../../../planning/issues/item_kind/subscribed.ts'
import {
  type IssueFilters,
  type IssueRow,
  issuesOfGroup,
  issuesOfProject,
  visibleIssue,
  visibleIssuesById,
} from '../../../planning/issues/queries.ts'
import { isOwnIssue } from '../../../planning/issues/scope.ts'
import { Milestone } from '../../../planning/milestones/entity.ts'
import type { Ability } from '../../../platform/access/abilities.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
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
import { connectionOf, connectionOfKnown, type PageArgs } from '../reading/connections.ts'
import type { Part } from '../reading/part.ts'
import type { GraphRequest } from '../reading/request.ts'
import { globalId, idIn, type Thing } from '../reading/things.ts'
import { noteFieldsOf } from './notes.ts'
import { isNumber, labelsOfIds, milestoneOfId, referenceOf, remembered, sharedFields, sharedTypes } from './shared.ts'

/** The arguments of lists of issues. */
const issueArgs = `
  "Number of the issue" iid: String
  "Numbers of the issues" iids: [String!]
  "State of the issues" state: IssuableState
  "Labels that it must all have" labelName: [String]
  "Title of the milestone" milestoneTitle: [String]
  "Username of the author" authorUsername: String
  "Username of a user it is assigned to" assigneeUsername: String @deprecated(reason: "Please use assigneeUsernames")
  "Usernames of users it is assigned to" assigneeUsernames: [String!]
  "Only confidential issues, or only others" confidential: Boolean
  "Created at this time or later" createdAfter: Time
  "Created at this time or earlier" createdBefore: Time
  "Changed at this time or later" updatedAfter: Time
  "Changed at this time or earlier" updatedBefore: Time
  "Words in title and description" search: String
  "Types of the issues" types: [IssueType!]
  "Order of the list" sort: IssueSort = created_desc
`

interface IssueArgs extends PageArgs {
  readonly iid?: string | null
  readonly iids?: readonly string[] | null
  readonly state?: string | null
  readonly labelName?: readonly (string | null)[] | null
  readonly milestoneTitle?: readonly (string | null)[] | null
  readonly authorUsername?: string | null
  readonly assigneeUsername?: string | null
  readonly assigneeUsernames?: readonly string[] | null
  readonly confidential?: boolean | null
  readonly createdAfter?: string | null
  readonly createdBefore?: string | null
  readonly updatedAfter?: string | null
  readonly updatedBefore?: string | null
  readonly search?: string | null
  readonly types?: readonly string[] | null
  readonly sort?: string | null
}

const texts = (values: readonly (string | null)[] | null | undefined) => values?.flatMap(value => value ?? [])

function filtersOf(args: IssueArgs): IssueFilters {
  const iids = [...(args.iid == null ? [] : [args.iid]), ...(args.iids ?? [])].map(Number).filter(isNumber)
  const usernames = args.assigneeUsernames ?? (args.assigneeUsername == null ? undefined : [args.assigneeUsername])
  return {
    ...(args.iid == null && args.iids == null ? {} : { iids: iids.length === 0 ? [0] : iids }),
    state: given(args.state),
    labels: texts(args.labelName),
    milestone: texts(args.milestoneTitle)?.[0],
    author_username: given(args.authorUsername),
    assignee_username: usernames,
    confidential: given(args.confidential),
    created_after: given(args.createdAfter),
    created_before: given(args.createdBefore),
    updated_after: given(args.updatedAfter),
    updated_before: given(args.updatedBefore),
    search: given(args.search),
    issue_type: args.types?.[0]?.toLowerCase(),
    ...orderOf(args.sort ?? 'created_desc', orders),
  }
}

const orders = {
  created: 'created_at',
  updated: 'updated_at',
  due_date: 'due_date',
  relative_position: 'relative_position',
  priority: 'priority',
  label_priority: 'label_priority',
  milestone_due: 'milestone_due',
  popularity: 'popularity',
} as const

/** The permissions on an issue, with their abilities. */
const permissions = {
  readIssue: 'read_issue',
  adminIssue: 'admin_issue',
  updateIssue: 'update_issue',
  createNote: 'create_note',
} as const satisfies Record<string, Ability>

type ShownIssue = Thing<IssueRow>

/** The issue if the caller may see it, in a project whose issues they may read. */
export const issueOfNumber = async (request: GraphRequest, project: ProjectWithRole, iid: string) =>
  /^\d{1,9}$/.test(iid) ? visibleIssue(request.ctx.db, request.ctx.actor, project, Number(iid)) : undefined

type Subscribed = (rows: readonly IssueRow[]) => Promise<ReadonlyMap<IssueRow, boolean>>
const subscribedLoaders = new WeakMap<GraphRequest, Subscribed>()

export const issues: Part = {
  types: `
    extend type Query {
      "Find an issue"
      issue("Global ID of the issue" id: IssueID!): Issue
    }
    extend type Project {
      "An issue"
      issue(${issueArgs}): Issue
      "Issues"
      issues(${issueArgs}): IssueConnection
    }
    extend type Group {
      "Issues of the projects of the group and of the groups below it"
      issues(
        ${issueArgs}
        "Issues of archived projects too" includeArchived: Boolean = false
      ): IssueConnection
    }
    "An issue"
    type Issue {
      ${sharedFields}
      "State of the issue"
      state: IssueState!
      "Type of the issue"
      type: IssueType
      "Reference as it is written in texts"
      reference("With the path of the project" full: Boolean = false): String!
      "Day by which it is to be done"
      dueDate: Time
      "Whether only members from Reporter up, its author and assignees may see it"
      confidential: Boolean!
      "Path of the page for people"
      webPath: String!
      "When it was closed"
      closedAt: Time
      "Number of merge requests that close it and that the caller may see"
      mergeRequestsCount: Int!
      "ID of the project"
      projectId: Int!
      "Whether it was moved to another project"
      moved: Boolean
      "The issue that it was moved to"
      movedTo: Issue
      "What the caller may do"
      userPermissions: IssuePermissions!
    }
    ${sharedTypes}
    "State of an issue"
    enum IssueState {
      "Open" opened
      "Closed" closed
      "Locked" locked
    }
    "State of issues and merge requests in lists"
    enum IssuableState {
      "Open" opened
      "Closed" closed
      "Locked" locked
      "Any" all
    }
    "Type of an issue"
    enum IssueType {
      "Issue" ISSUE
      "Incident" INCIDENT
    }
    "Order of a list of issues"
    enum IssueSort {
      ${orderValues(Object.keys(orders), ['created', 'updated'])}
    }
    "What the caller may do with an issue"
    type IssuePermissions {
      ${permissionFields(permissions)}
    }
  `,
  resolvers: {
    Query: {
      async issue(_, { id }: { id: string }, request) {
        const wanted = idIn(id, 'Issue')
        const row = (await visibleIssuesById(request.ctx.db, request.ctx.actor, [wanted], null)).get(wanted)
        return row ? shownIssue(request, row) : null
      },
    },
    Project: {
      issue: inProjectFor<IssueArgs>('read_issue', async (project, args, request) => {
        const [row] = await (await issuesOfProject(request.ctx, project, filtersOf(args))).ordered.limit(1).execute()
        return row ? request.show(Issue, row) : null
      }),
      issues: listInProjectFor<IssueArgs>('read_issue', (project, args, request) =>
        connectionOf(request, args, 'issues', Issue, () => issuesOfProject(request.ctx, project, filtersOf(args))),
      ),
    },
    Group: {
      issues: listInGroupFor<IssueArgs & { includeArchived?: boolean | null }>('read_group', (group, args, request) =>
        connectionOf(request, args, 'issues', Issue, () =>
          issuesOfGroup(request.ctx, group, { ...filtersOf(args), non_archived: !args.includeArchived }),
        ),
      ),
    },
    Issue: {
      id: ({ row }: ShownIssue) => globalId('Issue', row.id),
      assignees: ({ json }: Thing<IssueRow, { assignees: unknown[] }>, args, request) =>
        connectionOfKnown(request, args, () => json.assignees),
      labels: ({ row }: ShownIssue, args, request) => connectionOfKnown(request, args, () => labelsOfIds(request, row.label_ids)),
      milestone: async ({ row }: ShownIssue, _args, request) => {
        const milestone = row.milestone_id === null ? undefined : await milestoneOfId(request, row.milestone_id)
        return milestone ? request.show(Milestone, milestone) : null
      },
      reference: referenceOf,
      subscribed: ({ row }: ShownIssue, _args, request) =>
        request.byId(
          remembered(subscribedLoaders, request, () => async rows => {
            const found = await subscribedIssues(request.ctx.db, request.ctx.actor.user?.id, rows)
            return new Map(rows.map(one => [one, found.has(one.id)]))
          }),
          row,
        ),
      webPath: ({ row }: ShownIssue) => `/${row.project_path}/-/issues/${row.iid}`,
      moved: ({ row }: ShownIssue) => row.moved_to_id !== null,
      async movedTo({ row }: ShownIssue, _args, request) {
        if (row.moved_to_id === null) return null
        const moved = await request.byId(visibleIssuesOf(request), row.moved_to_id)
        return moved ? shownIssue(request, moved) : null
      },
      ...noteFieldsOf((ctx, project, row: IssueRow) => noteableIssue(ctx, project, row)),
      userPermissions: async ({ row }: ShownIssue, _args, request) => {
        const project = await request.project(row.project_id)
        return (ability: Ability) => project !== undefined && request.may(ability, project, isOwnIssue(row, request.ctx.actor.user?.id))
      },
    },
    IssuePermissions: permissionResolvers(permissions),
  },
}

/** An issue that was found by its id, unless its project is one that the session has to sign in for first. */
const shownIssue = async (request: GraphRequest, row: IssueRow) =>
  (await request.project(row.project_id)) ? request.show(Issue, row) : null

type ById = (ids: readonly number[]) => Promise<Map<number, IssueRow>>
const visibleLoaders = new WeakMap<GraphRequest, ById>()

const visibleIssuesOf = (request: GraphRequest): ById =>
  remembered(visibleLoaders, request, () => ids => visibleIssuesById(request.ctx.db, request.ctx.actor, ids, null))
