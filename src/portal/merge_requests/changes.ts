/** What people change about a merge request by forms and buttons. */
import { usersById } from '../../identity/users/queries.ts'
import { labelsById } from '../../planning/labels/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { action } from '../../platform/pages/forms/action.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { form, type Values } from '../../platform/pages/forms/form.ts'
import { approveMergeRequest, unapproveMergeRequest } from '../../review/approvals/endpoints.ts'
import { createMergeRequest, subscribe, unsubscribe, updateMergeRequest } from '../../review/merge_requests/endpoints.ts'
import { cancelAutoMerge, rebase } from '../../review/merge_requests/merging/endpoints.ts'
import type { MergeRequestRow } from '../../review/merge_requests/queries.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { forkSourcesOf } from '../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { labelChoices, memberChoices, milestoneChoices, planningPlace } from '../issues/choices.ts'
import { typed } from '../items/comment_fields.ts'
import { tickAction } from '../items/tasks.ts'
import { changesByOthers, descriptionParams, descriptionToStore } from '../items/text_changes.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from './scope.ts'

interface InOne {
  readonly project: ProjectWithRole
  readonly mergeRequest: MergeRequestRow
}

const back = (ctx: InOne): string => mergeRequestPath(ctx)

/** Fields for people, labels and milestone. */
async function attributeFields(ctx: Context, project: ProjectWithRole, row?: MergeRequestRow): Promise<readonly FieldSpec[]> {
  const people = row ? await usersById(ctx.db, [...row.assignee_ids, ...row.reviewer_ids]) : new Map<number, never>()
  const members = await memberChoices(ctx, project, [...people.values()])
  const chosen = row ? [...(await labelsById(ctx.db, row.label_ids)).values()].map(({ name }) => name) : []
  const persons = (name: string, label: string): FieldSpec =>
    ctx.tier === 'free'
      ? { name, label, control: 'select', hint: '', choices: [['0', 'Nobody'], ...members] }
      : { name, label, control: 'checkboxes', hint: '', choices: members }
  return [
    persons('assignee_ids', 'Assigned to'),
    persons('reviewer_ids', 'Reviewers'),
    { name: 'labels', label: 'Labels', control: 'checkboxes', hint: '', choices: await labelChoices(ctx, planningPlace(project), chosen) },
    {
      name: 'milestone_id',
      label: 'Milestone',
      control: 'select',
      hint: '',
      choices: await milestoneChoices(ctx, project, row?.milestone_id ?? null),
    },
    { name: 'remove_source_branch', label: 'Delete the source branch when it is merged', hint: '' },
    { name: 'squash', label: 'Squash the commits when it is merged', hint: '' },
  ]
}

/** The description as it is stored now, behind the lock on its row. */
const lockedDescription = async ({ db, mergeRequest }: Context & InOne): Promise<string | null> =>
  (await db.selectFrom('merge_requests').select('description').where('id', '=', mergeRequest.id).forNoKeyUpdate().executeTakeFirstOrThrow())
    .description

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

const made = form<{ readonly project: ProjectWithRole }>({
  path: '/:project_path/-/merge_requests/new',
  summary: 'Open a merge request',
  scope: inProjectPage,
  of: createMergeRequest,
  instead: {
    of: ['description'],
    params: { description: descriptionParams.description },
    adapt: async (_ctx, { description, ...params }) => ({ ...params, description: typed(description) }),
  },
  fields: async ({ project, ...ctx }) => [
    { name: 'source_branch', label: 'Source branch', hint: 'The branch with your commits.' },
    ...(await targetFields(ctx, project)),
    { name: 'target_branch', label: 'Target branch', hint: 'Where they are to be merged.' },
    { name: 'title', hint: 'A draft begins with `Draft:`.' },
    { name: 'description', control: 'markdown', base: projectPath(project, '/-'), hint: '' },
    ...(await attributeFields({ ...ctx }, project)),
  ],
  // What the link in the answer to a push gives: `?merge_request[source_branch]=…`.
  values({ project, request }) {
    const given = new URLSearchParams(request.address.split('?', 2)[1] ?? '')
    const value = (name: string) => given.get(`merge_request[${name}]`) ?? given.get(name) ?? undefined
    const source = value('source_branch')
    return {
      source_branch: source,
      target_project_id: value('target_project_id'),
      target_branch: value('target_branch') ?? project.default_branch ?? '',
      title: value('title') ?? (source === undefined ? '' : titleOf(source)),
      description: value('description'),
    }
  },
  // In the project that it goes to, which a fork's is not.
  next: (_ctx, row: MergeRequestRow) => mergeRequestPath({ project: { full_path: row.project_path }, mergeRequest: row }),
  cancel: ({ project }) => projectPath(project, '/-/merge_requests'),
  notice: 'The merge request was opened.',
  button: 'Open merge request',
  frame: ({ actor, project }) => ({
    title: 'New merge request',
    place: projectPlace(actor, project, 'merge_requests'),
    scripts: ['markdown_editor.js'],
  }),
})

/** In a fork: where the merge request is to go. The project that it was forked from comes first. */
async function targetFields({ db, actor }: Pick<Context, 'db' | 'actor'>, project: ProjectWithRole): Promise<readonly FieldSpec[]> {
  const source = (await forkSourcesOf(db, actor, [project.id])).get(project.id)
  if (!source) return []
  const choices = [source, project].map(({ id, full_path }) => [String(id), full_path] as const)
  return [{ name: 'target_project_id', label: 'Target project', control: 'select', hint: '', choices }]
}

/** `feature/12-paint-the-shed` as `Paint the shed`. */
function titleOf(branch: string): string {
  const words = (branch.split('/').at(-1) ?? '').replace(/^\d+-/, '').replace(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const one = { scope: inMergeRequestPage, next: back } as const

export const mergeRequestChanges = {
  showNew: made.show,
  open: made.submit,
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
