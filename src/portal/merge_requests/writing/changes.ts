/** What people change about a merge request by forms and buttons. */
import { usersById } from '../../../identity/users/queries.ts'
import { labelsById } from '../../../planning/labels/queries.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { action } from '../../../platform/pages/forms/action.ts'
import type { FieldSpec } from '../../../platform/pages/forms/fields.ts'
import { form, type Values } from '../../../platform/pages/forms/form.ts'
import { approveMergeRequest, unapproveMergeRequest } from '../../../review/approvals/endpoints.ts'
import { subscribe, unsubscribe, updateMergeRequest } from '../../../review/merge_requests/endpoints.ts'
import { cancelAutoMerge, rebase } from '../../../review/merge_requests/merging/endpoints.ts'
import type { MergeRequestRow } from '../../../review/merge_requests/queries.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { labelChoices, memberChoices, milestoneChoices, moreOf, oneOf, planningPlace } from '../../issues/choices.ts'
import { tickAction } from '../../items/tasks.ts'
import { changesByOthers, descriptionParams, descriptionToStore } from '../../items/text_changes.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'

interface InOne {
  readonly project: ProjectWithRole
  readonly mergeRequest: MergeRequestRow
}

const back = (ctx: InOne): string => mergeRequestPath(ctx)

/** Fields for people, labels and milestone. `at`: the address of the form's page, where it is not the one that was asked for. */
export async function attributeFields(
  ctx: Context,
  project: ProjectWithRole,
  row?: MergeRequestRow,
  at?: string,
): Promise<readonly FieldSpec[]> {
  const people = row ? await usersById(ctx.db, [...row.assignee_ids, ...row.reviewer_ids]) : new Map<number, never>()
  const members = await memberChoices(ctx, project, [...people.values()])
  const chosen = row ? [...(await labelsById(ctx.db, row.label_ids)).values()].map(({ name }) => name) : []
  const persons = (name: string, label: string): FieldSpec =>
    ctx.tier === 'free'
      ? { name, label, hint: '', ...oneOf(ctx, [['0', 'Nobody'], ...members], at) }
      : { name, label, control: 'checkboxes', hint: '', ...moreOf(ctx, members, at) }
  return [
    persons('assignee_ids', 'Assigned to'),
    persons('reviewer_ids', 'Reviewers'),
    {
      name: 'labels',
      label: 'Labels',
      control: 'checkboxes',
      hint: '',
      ...moreOf(ctx, await labelChoices(ctx, planningPlace(project), chosen), at),
    },
    {
      name: 'milestone_id',
      label: 'Milestone',
      hint: '',
      ...oneOf(ctx, await milestoneChoices(ctx, project, row?.milestone_id ?? null), at),
    },
    { name: 'remove_source_branch', label: 'Delete the source branch when it is merged', hint: '' },
    ...squashField(project),
  ]
}

/** The project may have decided for all merge requests. */
const squashField = ({ squash_option }: Pick<ProjectWithRole, 'squash_option'>): readonly FieldSpec[] => {
  const label = 'Squash the commits when it is merged'
  if (squash_option === 'always') return [{ name: 'squash', label, hint: '', disabled: 'The project squashes always.' }]
  if (squash_option === 'never') return [{ name: 'squash', label, hint: '', disabled: 'The project never squashes.' }]
  return [{ name: 'squash', label, hint: '' }]
}

/** The description as it is stored now, behind the lock on its row. */
const lockedDescription = async ({ db, mergeRequest }: Context & InOne): Promise<string | null> =>
  (await db.selectFrom('merge_requests').select('description').where('id', '=', mergeRequest.id).forNoKeyUpdate().executeTakeFirstOrThrow())
    .description

const isOfFork = ({ source_project_id, project_id }: MergeRequestRow): boolean =>
  source_project_id !== null && source_project_id !== project_id

const edit = form<InOne>({
  path: `${MERGE_REQUEST}/edit`,
  summary: 'Change a merge request',
  scope: inMergeRequestPage,
  of: updateMergeRequest,
  empty: 'sent',
  instead: {
    of: ['description'],
    params: descriptionParams,
    async adapt(ctx, { description, known_description, ...params }) {
      return { ...params, description: descriptionToStore(await lockedDescription(ctx), { description, known_description }) }
    },
  },
  fields: async ({ project, mergeRequest, ...ctx }) => [
    { name: 'title', autofocus: true, hint: 'A draft begins with `Draft:`.' },
    { name: 'description', control: 'markdown', base: projectPath(project, '/-'), hint: '' },
    { name: 'target_branch', label: 'Target branch', hint: '' },
    ...(await attributeFields({ ...ctx }, project, mergeRequest)),
    {
      name: 'allow_collaboration',
      label: 'Let members who may merge push to the source branch',
      hint: '',
      ...(isOfFork(mergeRequest) ? {} : { disabled: 'For merge requests from forks: here members push anyway.' }),
    },
  ],
  values: async ({ db, mergeRequest: row }) => ({
    title: row.title,
    description: row.description,
    target_branch: row.target_branch,
    assignee_ids: row.assignee_ids,
    reviewer_ids: row.reviewer_ids,
    labels: [...(await labelsById(db, row.label_ids)).values()].map(({ name }) => name),
    milestone_id: row.milestone_id ?? 0,
    remove_source_branch: row.force_remove_source_branch,
    squash: row.squash,
    allow_collaboration: row.allow_collaboration,
  }),
  fixed: ({ mergeRequest }) => ({ known_description: mergeRequest.description ?? '' }),
  before: async ({ mergeRequest }, sent?: Values) => changesByOthers(mergeRequest.description, sent),
  next: back,
  cancel: back,
  notice: 'The merge request was changed.',
  button: 'Save',
  frame: ({ actor, project, mergeRequest }) => ({
    title: `Edit !${mergeRequest.iid}`,
    place: projectPlace(actor, project, 'merge_requests'),
    scripts: ['markdown_editor.js'],
  }),
})

const one = { scope: inMergeRequestPage, next: back } as const

export const mergeRequestChanges = {
  showEdit: edit.show,
  edit: edit.submit,
  change: action<InOne>({
    ...one,
    route: `POST ${MERGE_REQUEST}/change`,
    of: updateMergeRequest,
    notice: 'The merge request was changed.',
  }),
  tick: tickAction<InOne>({
    ...one,
    route: `POST ${MERGE_REQUEST}/tasks`,
    of: updateMergeRequest,
    stored: async ctx => ['description', (await lockedDescription(ctx)) ?? ''],
  }),
  cancelAutoMerge: action<InOne>({
    ...one,
    route: `POST ${MERGE_REQUEST}/cancel_auto_merge`,
    of: cancelAutoMerge,
    notice: 'It is not merged by itself any more.',
  }),
  rebase: action<InOne>({ ...one, route: `POST ${MERGE_REQUEST}/rebase`, of: rebase, notice: 'The source branch is being rebased.' }),
  approve: action<InOne>({ ...one, route: `POST ${MERGE_REQUEST}/approve`, of: approveMergeRequest, notice: 'You approved it.' }),
  unapprove: action<InOne>({
    ...one,
    route: `POST ${MERGE_REQUEST}/unapprove`,
    of: unapproveMergeRequest,
    notice: 'Your approval was taken back.',
  }),
  subscribe: action<InOne>({ ...one, route: `POST ${MERGE_REQUEST}/subscribe`, of: subscribe, notice: 'You are notified of changes.' }),
  unsubscribe: action<InOne>({
    ...one,
    route: `POST ${MERGE_REQUEST}/unsubscribe`,
    of: unsubscribe,
    notice: 'You are not notified any more.',
  }),
}
