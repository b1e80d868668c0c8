/** The attributes of a merge request, each in a form of its own, which the page of the merge request shows in its side column. */
import { timeTrackingEndpoints } from '../../../collaboration/time_tracking/endpoints.ts'
import { usersById } from '../../../identity/users/queries.ts'
import { labelsById } from '../../../planning/labels/queries.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { declarationOf } from '../../../platform/pages/forms/declared.ts'
import type { FieldSpec } from '../../../platform/pages/forms/fields.ts'
import { type FormDeclaration, form, type Values } from '../../../platform/pages/forms/form.ts'
import { updateMergeRequest } from '../../../review/merge_requests/endpoints.ts'
import { mergeRequestApi } from '../../../review/merge_requests/item_kind/noteable.ts'
import type { MergeRequestRow } from '../../../review/merge_requests/queries.ts'
import { projectPlace } from '../../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { labelChoices, memberChoices, milestoneChoices, moreOf, oneOf, planningPlace } from '../../issues/choices.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'

interface InOne {
  readonly project: ProjectWithRole
  readonly mergeRequest: MergeRequestRow
}

const back = (ctx: InOne): string => mergeRequestPath(ctx)

/** A form for one attribute. */
const attribute = (
  name: string,
  summary: string,
  notice: string,
  rest: Pick<FormDeclaration<InOne>, 'fields' | 'values' | 'of' | 'empty'>,
) =>
  form<InOne>({
    path: `${MERGE_REQUEST}/edit/${name}`,
    summary,
    scope: inMergeRequestPage,
    ...rest,
    next: back,
    cancel: back,
    notice,
    button: 'Save',
    within: () => `edit-${name}`,
    frame: ({ actor, project, mergeRequest }) => ({
      title: `${summary}: !${mergeRequest.iid} ${mergeRequest.title}`,
      place: projectPlace(actor, project, 'merge_requests'),
    }),
  })

const updating = (
  name: string,
  summary: string,
  fields: (ctx: Context & InOne) => Promise<readonly FieldSpec[]>,
  values: (ctx: Context & InOne) => Values | Promise<Values>,
) => attribute(name, summary, 'The merge request was changed.', { of: updateMergeRequest, empty: 'sent', fields, values })

/** On the free tier there is one person at most. */
const persons = (name: 'assignees' | 'reviewers', summary: string, column: 'assignee_ids' | 'reviewer_ids', label: string) =>
  updating(
    name,
    summary,
    async ctx => {
      const people = await usersById(ctx.db, ctx.mergeRequest[column])
      const members = await memberChoices(ctx, ctx.project, [...people.values()])
      return [
        ctx.tier === 'free'
          ? { name: column, label, control: 'radio', hint: '', ...moreOf(ctx, [['0', 'Nobody'], ...members]) }
          : { name: column, label, control: 'checkboxes', hint: '', ...moreOf(ctx, members) },
      ]
    },
    ({ tier, mergeRequest }) => ({ [column]: tier === 'free' ? (mergeRequest[column][0] ?? 0) : mergeRequest[column] }),
  )

const namesOf = async ({ db, mergeRequest }: Context & InOne): Promise<string[]> =>
  [...(await labelsById(db, mergeRequest.label_ids)).values()].map(({ name }) => name)

const labels = updating(
  'labels',
  'Choose the labels of a merge request',
  async ctx => [
    {
      name: 'labels',
      label: 'Labels',
      control: 'checkboxes',
      hint: '',
      ...moreOf(ctx, await labelChoices(ctx, planningPlace(ctx.project), await namesOf(ctx))),
    },
    { name: 'add_labels', label: 'New labels', hint: 'Several with commas.' },
  ],
  async ctx => ({ labels: await namesOf(ctx) }),
)

const milestone = updating(
  'milestone',
  'Choose the milestone of a merge request',
  async ctx => [
    {
      name: 'milestone_id',
      label: 'Milestone',
      hint: '',
      ...oneOf(ctx, await milestoneChoices(ctx, ctx.project, ctx.mergeRequest.milestone_id)),
    },
  ],
  ({ mergeRequest }) => ({ milestone_id: mergeRequest.milestone_id ?? 0 }),
)

const times = timeTrackingEndpoints(mergeRequestApi, 'update_merge_request')

const estimate = attribute('estimate', 'Set the estimated time of a merge request', 'The estimate was set.', {
  of: declarationOf(times, 'POST', /\/time_estimate$/),
  fields: () => [{ name: 'duration', label: 'Estimate', hint: 'Such as 1w 2d 3h 30m.', autofocus: true }],
})

const spent = attribute('spent', 'Add spent time to a merge request', 'The time was added.', {
  of: declarationOf(times, 'POST', /\/add_spent_time$/),
  fields: () => [
    { name: 'duration', label: 'Time spent', hint: 'Such as 1w 2d 3h 30m.', autofocus: true },
    { name: 'summary', label: 'What was done' },
  ],
})

export const mergeRequestAttributes = Object.fromEntries(
  Object.entries({
    assignees: persons('assignees', 'Assign a merge request', 'assignee_ids', 'Assigned to'),
    reviewers: persons('reviewers', 'Choose the reviewers of a merge request', 'reviewer_ids', 'Reviewers'),
    labels,
    milestone,
    estimate,
    spent,
  }).flatMap(([name, { show, submit }]) => [
    [`show_${name}`, show],
    [name, submit],
  ]),
)
