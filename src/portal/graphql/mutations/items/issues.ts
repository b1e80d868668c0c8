/** Mutations of issues. */

import { updateIssue } from '../../../../planning/issues/changes/update.ts'
import { Issue } from '../../../../planning/issues/entity.ts'
import type { IssueRow } from '../../../../planning/issues/queries.ts'
import { inIssue } from '../../../../planning/issues/scope.ts'
import { type Endpoint, endpoint, one, type Route } from '../../../../platform/kernel/declaration/endpoint.ts'
import { integer, Nullable } from '../../../../platform/kernel/declaration/types.ts'
import type { ProjectWithRole } from '../../../../spaces/projects/scope.ts'
import { groupBoardCards, projectBoardCards } from '../../../boards/cards.ts'
import { numberIn, numberOrGlobalId } from '../../reading/ids.ts'
import type { Mutation, Mutations } from '../mutation.ts'
import { labelNames, listAfter, type OperationMode, projectAt, userIds } from '../places.ts'
import type { MutationRun, Payload, Sent } from '../run.ts'

const UPDATE: Route = 'PUT /projects/:id/issues/:issue_iid'

/** How the input names an issue. */
interface Named {
  readonly projectPath: string
  readonly iid: string
}

const named = `
  "Full path of the project" projectPath: ID!
  "Number of the issue" iid: String!
`

const payload = '"The issue after the mutation" issue: Issue'

const idsOf = ({ projectPath, iid }: Named): Sent => ({ id: projectAt(projectPath), issue_iid: iid })

const shown = async ({ request }: MutationRun, row: unknown): Promise<Payload> => ({ issue: await request.show(Issue, row as IssueRow) })

/** The issue as it is, with its project. */
const present = async (input: Named, run: MutationRun) =>
  (await run.subjects(UPDATE, idsOf(input))) as { readonly issue: IssueRow; readonly project: ProjectWithRole }

/** A mutation that changes an issue by the declaration of the REST API, to the values that `sent` makes of the input. */
function changing<Input extends Named>(
  says: string,
  input: string,
  sent: (input: Input, run: MutationRun) => Sent | Promise<Sent>,
): Mutation {
  return {
    says,
    input: `${named}${input}`,
    payload,
    runs: [UPDATE],
    run: async (given: Input, run) => shown(run, (await run.perform(UPDATE, { ...idsOf(given), ...(await sent(given, run)) })).result),
    otherwise: async (given: Input, run) => shown(run, (await present(given, run)).issue),
  }
}

const attributes = `
  "Description" description: String
  "Last day" dueDate: ISO8601Date
  "Whether only members from Reporter up, its author and assignees may see it" confidential: Boolean
  "Whether only members may comment" locked: Boolean
  "Type of the issue" type: IssueType
  "Weight; premium" weight: Int
  "Health of the issue; ultimate" healthStatus: HealthStatus
  "The epic; premium" epicId: EpicID
`

interface Attributes {
  readonly title?: string | null
  readonly description?: string | null
  readonly dueDate?: string | null
  readonly confidential?: boolean | null
  readonly locked?: boolean | null
  readonly type?: string | null
  readonly weight?: number | null
  readonly healthStatus?: string | null
  readonly epicId?: string | null
  readonly milestoneId?: string | null
}

/** Null takes away, and what is left out stays. */
const idOrNull = (given: string | null | undefined, number: (value: string) => number) => (given == null ? given : number(given))

const attributesOf = (input: Attributes): Sent => ({
  title: input.title,
  description: input.description,
  due_date: input.dueDate,
  confidential: input.confidential,
  discussion_locked: input.locked,
  issue_type: input.type?.toLowerCase(),
  weight: input.weight,
  health_status: healthOf(input.healthStatus),
  epic_id: idOrNull(input.epicId, id => numberIn('EpicID', id)),
  milestone_id: idOrNull(input.milestoneId, id => numberOrGlobalId('MilestoneID', id)),
})

const healths: Readonly<Record<string, string>> = { onTrack: 'on_track', needsAttention: 'needs_attention', atRisk: 'at_risk' }
const healthOf = (value: string | null | undefined) => (value == null ? value : healths[value])

interface NewIssue extends Attributes {
  readonly projectPath: string
  readonly iid?: number | null
  readonly labels?: readonly string[] | null
  readonly labelIds?: readonly string[] | null
  readonly assigneeIds?: readonly string[] | null
  readonly createdAt?: string | null
  readonly mergeRequestToResolveDiscussionsOf?: string | null
  readonly discussionToResolve?: string | null
}

const CREATE: Route = 'POST /projects/:id/issues'

/** A thread by its global id or its digits alone. */
const discussionId = (value: string | null | undefined) => value?.replace(/^gid:\/\/gitlab\/\w+\//, '')

async function sentOfNew(input: NewIssue, run: MutationRun): Promise<Sent> {
  const id = projectAt(input.projectPath)
  const { labels, labelIds } = input
  const ofIds =
    labelIds == null ? undefined : await labelNames(run, (await run.subjects(CREATE, { id })).project as ProjectWithRole, labelIds)
  const followed = input.mergeRequestToResolveDiscussionsOf
  const mergeRequest =
    followed == null
      ? undefined
      : await run.ctx.db
          .selectFrom('merge_requests')
          .select('iid')
          .where('id', '=', numberIn('MergeRequestID', followed))
          .where('project_id', '=', ((await run.subjects(CREATE, { id })).project as ProjectWithRole).id)
          .executeTakeFirst()
  return {
    id,
    ...attributesOf(input),
    iid: input.iid ?? undefined,
    labels: labels == null && ofIds === undefined ? undefined : [...(labels ?? []), ...(ofIds ?? [])],
    assignee_ids: input.assigneeIds?.map(one => numberIn('UserID', one)),
    created_at: input.createdAt ?? undefined,
    merge_request_to_resolve_discussions_of: followed == null ? undefined : (mergeRequest?.iid ?? 0),
    discussion_to_resolve: discussionId(input.discussionToResolve),
  }
}

const MOVE: Route = 'POST /projects/:id/issues/:issue_iid/move'
const SUBSCRIBE: Route = 'POST /projects/:id/issues/:issue_iid/subscribe'
const UNSUBSCRIBE: Route = 'POST /projects/:id/issues/:issue_iid/unsubscribe'

/** The REST API of 14.0 has no parameter for the iteration of an issue. */
const setIteration = endpoint({
  route: 'PUT /projects/:id/issues/:issue_iid/iteration',
  summary: 'Set the iteration of an issue',
  scope: inIssue,
  can: 'admin_issue',
  tier: 'premium',
  params: { iteration_id: Nullable(integer('ID of the iteration; null for none')) },
  answers: one(Issue),
  run: ctx => updateIssue(ctx, ctx.project, ctx.issue, { iteration_id: ctx.params.iteration_id }),
})

const moveCard = projectBoardCards.drag as Endpoint
const moveGroupCard = groupBoardCards.drag as Endpoint

interface BoardMove extends Named {
  readonly boardId: string
  readonly fromListId?: string | null
  readonly toListId?: string | null
  readonly moveBeforeId?: string | null
  readonly moveAfterId?: string | null
}

/** A list of a board; the lists that every board has go by their kind. */
function columnIn(value: string | null | undefined): string | undefined {
  if (value == null) return undefined
  const end = /^gid:\/\/gitlab\/List\/(open|closed)$/.exec(value)?.[1]
  return end ?? String(numberOrGlobalId('ListID', value))
}

export const issueMutations: Mutations = {
  createIssue: {
    says: 'Create an issue',
    input: `
      "Full path of the project" projectPath: ID!
      "Title" title: String!
      ${attributes}
      "Number; for administrators and owners" iid: Int
      "The milestone" milestoneId: MilestoneID
      "Names of labels; those that are missing are created" labels: [String!]
      "Labels" labelIds: [LabelID!]
      "Users to assign" assigneeIds: [UserID!]
      "When it was created; for administrators and owners" createdAt: Time
      "A merge request whose open threads the issue follows up and resolves" mergeRequestToResolveDiscussionsOf: MergeRequestID
      "The only thread of it that the issue follows up" discussionToResolve: String
    `,
    payload,
    runs: [CREATE],
    run: async (input: NewIssue, run) => shown(run, (await run.perform(CREATE, await sentOfNew(input, run))).result),
  },
  updateIssue: changing<
    Named & Attributes & { addLabelIds?: readonly string[] | null; removeLabelIds?: readonly string[] | null; stateEvent?: string | null }
  >(
    'Change an issue',
    `"Title" title: String
    ${attributes}
    "The milestone" milestoneId: ID
    "Labels to add" addLabelIds: [ID!]
    "Labels to take away" removeLabelIds: [ID!]
    "Close or reopen it" stateEvent: IssueStateEvent`,
    async (input, run) => {
      const { addLabelIds, removeLabelIds, stateEvent } = input
      const names = async (ids: readonly string[] | null | undefined) =>
        ids == null ? undefined : labelNames(run, (await present(input, run)).project, ids)
      return {
        ...attributesOf(input),
        title: input.title ?? undefined,
        add_labels: await names(addLabelIds),
        remove_labels: await names(removeLabelIds),
        state_event: stateEvent?.toLowerCase(),
      }
    },
  ),
  issueSetAssignees: changing<Named & { assigneeUsernames: readonly string[]; operationMode?: OperationMode | null }>(
    'Set the users that an issue is assigned to',
    `"Usernames" assigneeUsernames: [String!]!
    "How the list changes" operationMode: MutationOperationMode = REPLACE`,
    async (input, run) => ({
      assignee_ids: listAfter(
        input.operationMode,
        (await present(input, run)).issue.assignee_ids,
        await userIds(run, input.assigneeUsernames),
      ),
    }),
  ),
  issueSetConfidential: changing<Named & { confidential: boolean }>(
    'Set whether an issue is confidential',
    '"Whether only members from Reporter up, its author and assignees may see it" confidential: Boolean!',
    ({ confidential }) => ({ confidential }),
  ),
  issueSetDueDate: changing<Named & { dueDate?: string | null }>(
    'Set or take away the due date of an issue',
    '"Last day; none where it is left out" dueDate: Time',
    ({ dueDate }) => ({ due_date: dueDate?.slice(0, 10) ?? null }),
  ),
  issueSetLocked: changing<Named & { locked: boolean }>(
    'Set whether only members may comment on an issue',
    '"Whether only members may comment" locked: Boolean!',
    ({ locked }) => ({ discussion_locked: locked }),
  ),
  issueSetWeight: changing<Named & { weight?: number | null }>(
    'Set the weight of an issue; premium',
    '"Weight; none where it is null" weight: Int',
    ({ weight }) => ({ weight: weight ?? null }),
  ),
  issueSetEpic: changing<Named & { epicId?: string | null }>(
    'Set the epic of an issue; premium',
    '"The epic; none where it is left out" epicId: EpicID',
    ({ epicId }) => ({ epic_id: epicId == null ? 0 : numberIn('EpicID', epicId) }),
  ),
  issueSetIteration: {
    says: 'Set the iteration of an issue; premium',
    input: `${named} "The iteration; none where it is left out" iterationId: IterationID`,
    payload,
    runs: [setIteration],
    run: async (input: Named & { iterationId?: string | null }, run) => {
      const iteration_id = input.iterationId == null ? null : numberIn('IterationID', input.iterationId)
      return shown(run, (await run.perform(setIteration, { ...idsOf(input), iteration_id })).result)
    },
  },
  issueSetSubscription: {
    says: 'Subscribe to an issue, or end the subscription',
    input: `${named} "Whether one is subscribed" subscribedState: Boolean!`,
    payload,
    runs: [SUBSCRIBE, UNSUBSCRIBE],
    run: async (input: Named & { subscribedState: boolean }, run) => {
      const { result, subjects } = await run.perform(input.subscribedState ? SUBSCRIBE : UNSUBSCRIBE, idsOf(input))
      return shown(run, result ?? subjects.issue)
    },
  },
  issueMove: {
    says: 'Move an issue to another project',
    input: `${named} "Full path of the other project" targetProjectPath: ID!`,
    payload,
    runs: [MOVE],
    run: async (input: Named & { targetProjectPath: string }, run) =>
      shown(run, (await run.perform(MOVE, { ...idsOf(input), to_project_id: projectAt(input.targetProjectPath) })).result),
    otherwise: async (input: Named, run) => shown(run, (await run.subjects(MOVE, idsOf(input))).issue),
  },
  issueMoveList: {
    says: 'Move an issue over a board: to another list, or to another place',
    input: `
      "Full path of the project" projectPath: ID!
      "Number of the issue" iid: String!
      "The board" boardId: BoardID!
      "The list that it comes from" fromListId: ID
      "The list that it goes to" toListId: ID
      "ID of the issue that it comes before" moveBeforeId: ID
      "ID of the issue that it comes after" moveAfterId: ID
    `,
    payload,
    runs: [moveCard, moveGroupCard],
    run: async (input: BoardMove, run) => {
      const project_path = projectAt(input.projectPath)
      const board_id = numberIn('BoardID', input.boardId)
      const group = await run.ctx.db
        .selectFrom('boards')
        .innerJoin('routes', 'routes.namespace_id', 'boards.namespace_id')
        .select('routes.path')
        .where('boards.id', '=', board_id)
        .executeTakeFirst()
      const declared = group ? moveGroupCard : moveCard
      const issue = await run.ctx.db
        .selectFrom('issues')
        .innerJoin('routes', 'routes.project_id', 'issues.project_id')
        .select('issues.id')
        .where('routes.path', '=', project_path)
        .where('issues.iid', '=', /^\d{1,9}$/.test(input.iid) ? Number(input.iid) : 0)
        .executeTakeFirst()
      const from = columnIn(input.fromListId)
      const sent = {
        ...(group ? { group_path: group.path } : { project_path }),
        board_id,
        issue_id: issue?.id ?? 0,
        from,
        list: columnIn(input.toListId) ?? from ?? 'open',
        // The platform names them by where the neighbour stands: the issue comes after the one that is before it.
        move_after_id: idOrNull(input.moveBeforeId, id => numberOrGlobalId('IssueID', id)) ?? undefined,
        move_before_id: idOrNull(input.moveAfterId, id => numberOrGlobalId('IssueID', id)) ?? undefined,
      }
      await run.perform(declared, sent)
      return shown(run, (await run.subjects(declared, sent)).issue)
    },
  },
}
