/** The attributes of a merge request, each in a form of its own, which the page of the merge request shows in its side column. */
import { timeTrackingEndpoints } from '../../../collaboration/time_tracking/endpoints.ts'
import { updateMergeRequest } from '../../../review/merge_requests/endpoints.ts'
import { mergeRequestApi } from '../../../review/merge_requests/item_kind/noteable.ts'
import type { MergeRequestRow } from '../../../review/merge_requests/queries.ts'
import { projectPlace } from '../../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { attributeFormsOf } from '../../item_attributes/forms.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'

interface InOne {
  readonly project: ProjectWithRole
  readonly mergeRequest: MergeRequestRow
}

const { people, labels, milestone, estimate, spent } = attributeFormsOf<InOne>({
  noun: 'a merge request',
  route: MERGE_REQUEST,
  scope: inMergeRequestPage,
  update: updateMergeRequest,
  times: timeTrackingEndpoints(mergeRequestApi, 'update_merge_request'),
  rowOf: ({ mergeRequest }) => mergeRequest,
  addressOf: mergeRequestPath,
  frame:
    title =>
    ({ actor, project, mergeRequest }) => ({
      title: `${title}: !${mergeRequest.iid} ${mergeRequest.title}`,
      place: projectPlace(actor, project, 'merge_requests'),
    }),
  changed: 'The merge request was changed.',
})

const attributes = {
  assignees: people({
    name: 'assignees',
    summary: 'Assign a merge request',
    column: 'assignee_ids',
    label: 'Assigned to',
    idsOf: ({ mergeRequest }) => mergeRequest.assignee_ids,
  }),
  reviewers: people({
    name: 'reviewers',
    summary: 'Choose the reviewers of a merge request',
    column: 'reviewer_ids',
    label: 'Reviewers',
    idsOf: ({ mergeRequest }) => mergeRequest.reviewer_ids,
  }),
  labels,
  milestone,
  estimate,
  spent,
}

export const mergeRequestAttributes = Object.fromEntries(
  Object.entries(attributes).flatMap(([name, { show, submit }]) => [
    [`show_${name}`, show],
    [name, submit],
  ]),
)
