/** Mutations of merge requests. */
import type { Route } from '../../../../platform/kernel/declaration/endpoint.ts'
import { titleOf } from '../../../../review/merge_requests/changes/drafts.ts'
import { MergeRequest } from '../../../../review/merge_requests/entity.ts'
import type { MergeRequestRow } from '../../../../review/merge_requests/queries.ts'
import type { ProjectWithRole } from '../../../../spaces/projects/scope.ts'
import { numberIn } from '../../reading/ids.ts'
import type { Mutation, Mutations } from '../mutation.ts'
import { labelNames, listAfter, type OperationMode, projectAt, userIds } from '../places.ts'
import type { MutationRun, Payload, Sent } from '../run.ts'

const UPDATE: Route = 'PUT /projects/:id/merge_requests/:merge_request_iid'

/** How the input names a merge request. */
interface Named {
  readonly projectPath: string
  readonly iid: string
}

const named = `
  "Full path of the project" projectPath: ID!
  "Number of the merge request" iid: String!
`

const payload = '"The merge request after the mutation" mergeRequest: MergeRequest'

const idsOf = ({ projectPath, iid }: Named): Sent => ({ id: projectAt(projectPath), merge_request_iid: iid })

const shown = async ({ request }: MutationRun, row: unknown): Promise<Payload> => ({
  mergeRequest: await request.show(MergeRequest, row as MergeRequestRow),
})

/** The merge request as it is, with its project. */
const present = async (input: Named, run: MutationRun) =>
  (await run.subjects(UPDATE, idsOf(input))) as { readonly mergeRequest: MergeRequestRow; readonly project: ProjectWithRole }

const otherwise = async (input: Named, run: MutationRun): Promise<Payload> => shown(run, (await present(input, run)).mergeRequest)

/** A mutation that changes a merge request by the declaration of the REST API, to the values that `sent` makes of the input. */
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
    otherwise,
    async run(given: Input, run) {
      const values = await sent(given, run)
      // A merge request that is so already is left as it is.
      if (Object.keys(values).length > 0) await run.perform(UPDATE, { ...idsOf(given), ...values })
      return shown(run, (await present(given, run)).mergeRequest)
    },
  }
}

/** A mutation that makes a draft of a merge request, or ends it. */
const drafting = (name: 'draft' | 'wip', says: string) =>
  changing<Named & { draft?: boolean; wip?: boolean }>(says, `"Whether it is a draft" ${name}: Boolean!`, async (input, run) => {
    const { title } = (await present(input, run)).mergeRequest
    const next = titleOf(title, input[name] === true)
    return next === title ? {} : { title: next }
  })

const CREATE: Route = 'POST /projects/:id/merge_requests'
const MERGE: Route = 'PUT /projects/:id/merge_requests/:merge_request_iid/merge'
const SUBSCRIBE: Route = 'POST /projects/:id/merge_requests/:merge_request_iid/subscribe'
const UNSUBSCRIBE: Route = 'POST /projects/:id/merge_requests/:merge_request_iid/unsubscribe'

interface NewMergeRequest {
  readonly projectPath: string
  readonly title: string
  readonly sourceBranch: string
  readonly targetBranch: string
  readonly description?: string | null
  readonly labels?: readonly string[] | null
}

interface Acceptance extends Named {
  readonly strategy?: string | null
  readonly commitMessage?: string | null
  readonly sha: string
  readonly squashCommitMessage?: string | null
  readonly shouldRemoveSourceBranch?: boolean | null
  readonly squash?: boolean | null
}

export const mergeRequestMutations: Mutations = {
  mergeRequestCreate: {
    says: 'Create a merge request',
    input: `
      "Full path of the project" projectPath: ID!
      "Title" title: String!
      "Branch that the changes come from" sourceBranch: String!
      "Branch that the changes go to" targetBranch: String!
      "Description" description: String
      "Names of labels; those that are missing are created" labels: [String!]
    `,
    payload,
    runs: [CREATE],
    async run(input: NewMergeRequest, run) {
      const { projectPath, title, sourceBranch: source_branch, targetBranch: target_branch, description, labels } = input
      const sent = { id: projectAt(projectPath), title, source_branch, target_branch, description, labels: labels ?? undefined }
      return shown(run, (await run.perform(CREATE, sent)).result)
    },
  },
  mergeRequestUpdate: changing<
    Named & { title?: string | null; targetBranch?: string | null; description?: string | null; state?: 'OPEN' | 'CLOSED' | null }
  >(
    'Change a merge request',
    `"Title" title: String
    "Branch that the changes go to" targetBranch: String
    "Description" description: String
    "Close or reopen it" state: MergeRequestNewState`,
    ({ title, targetBranch, description, state }) => {
      const sent = {
        title: title ?? undefined,
        target_branch: targetBranch ?? undefined,
        description,
        state_event: state == null ? undefined : state === 'OPEN' ? 'reopen' : 'close',
      }
      return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
    },
  ),
  mergeRequestAccept: {
    says: 'Merge a merge request, or have it merged when its pipeline succeeds',
    input: `
      ${named}
      "How it is merged; immediately unless given" strategy: MergeStrategyEnum
      "Message of the merge commit" commitMessage: String
      "The newest commit, as the caller knows it" sha: String!
      "Message of the squashed commit" squashCommitMessage: String
      "Whether the source branch is deleted" shouldRemoveSourceBranch: Boolean = false
      "Whether the commits are squashed into one" squash: Boolean = false
    `,
    payload,
    runs: [MERGE],
    async run(input: Acceptance, run) {
      const { strategy, sha, commitMessage, squashCommitMessage, shouldRemoveSourceBranch, squash } = input
      const sent = {
        ...idsOf(input),
        sha,
        merge_commit_message: commitMessage ?? undefined,
        squash_commit_message: squashCommitMessage ?? undefined,
        should_remove_source_branch: shouldRemoveSourceBranch ?? undefined,
        squash: squash ?? undefined,
        merge_when_pipeline_succeeds: strategy == null ? undefined : true,
      }
      return shown(run, (await run.perform(MERGE, sent)).result)
    },
    otherwise: async (input: Named, run) => shown(run, (await run.subjects(MERGE, idsOf(input))).mergeRequest),
  },
  mergeRequestSetAssignees: changing<Named & { assigneeUsernames: readonly string[]; operationMode?: OperationMode | null }>(
    'Set the users that a merge request is assigned to',
    `"Usernames" assigneeUsernames: [String!]!
    "How the list changes" operationMode: MutationOperationMode = REPLACE`,
    async (input, run) => ({
      assignee_ids: listAfter(
        input.operationMode,
        (await present(input, run)).mergeRequest.assignee_ids,
        await userIds(run, input.assigneeUsernames),
      ),
    }),
  ),
  mergeRequestSetLabels: changing<Named & { labelIds: readonly string[]; operationMode?: OperationMode | null }>(
    'Set the labels of a merge request',
    `"Labels" labelIds: [LabelID!]!
    "How the list changes" operationMode: MutationOperationMode`,
    async (input, run) => {
      const names = await labelNames(run, (await present(input, run)).project, input.labelIds)
      const parameter = { REPLACE: 'labels', APPEND: 'add_labels', REMOVE: 'remove_labels' }[input.operationMode ?? 'REPLACE']
      return { [parameter]: names }
    },
  ),
  mergeRequestSetLocked: changing<Named & { locked: boolean }>(
    'Set whether only members may comment on a merge request',
    '"Whether only members may comment" locked: Boolean!',
    ({ locked }) => ({ discussion_locked: locked }),
  ),
  mergeRequestSetMilestone: changing<Named & { milestoneId?: string | null }>(
    'Set the milestone of a merge request',
    '"The milestone; none where it is left out" milestoneId: MilestoneID',
    ({ milestoneId }) => ({ milestone_id: milestoneId == null ? null : numberIn('MilestoneID', milestoneId) }),
  ),
  mergeRequestSetDraft: drafting('draft', 'Make a merge request a draft, or end that'),
  mergeRequestSetWip: drafting('wip', 'Make a merge request a draft, or end that; now mergeRequestSetDraft'),
  mergeRequestSetSubscription: {
    says: 'Subscribe to a merge request, or end the subscription',
    input: `${named} "Whether one is subscribed" subscribedState: Boolean!`,
    payload,
    runs: [SUBSCRIBE, UNSUBSCRIBE],
    async run(input: Named & { subscribedState: boolean }, run) {
      const { result, subjects } = await run.perform(input.subscribedState ? SUBSCRIBE : UNSUBSCRIBE, idsOf(input))
      return shown(run, result ?? subjects.mergeRequest)
    },
  },
}
