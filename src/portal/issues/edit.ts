/** Changing an issue: its texts, and each of its attributes in a form of its own, which the page of the issue shows in its side column. */
import { noteEndpoints } from '../../collaboration/notes/endpoints.ts'
import { timeTrackingEndpoints } from '../../collaboration/time_tracking/endpoints.ts'
import { lockIssue } from '../../planning/issues/changes/update.ts'
import { deleteIssue, reorderIssue, subscribe, unsubscribe, updateIssue } from '../../planning/issues/endpoints.ts'
import { issueApi } from '../../planning/issues/item_kind/noteable.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { badRequest } from '../../platform/kernel/errors.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import { form, type Values } from '../../platform/pages/forms/form.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { attributeFormsOf } from '../item_attributes/forms.ts'
import { tickAction } from '../items/tasks.ts'
import { changesByOthers, descriptionParams, descriptionToStore } from '../items/text_changes.ts'
import { epicChoices, iterationChoices, oneOf } from './choices.ts'
import { type InIssue, ISSUE, inIssuePage, issuePath } from './scope.ts'

const notes = noteEndpoints(issueApi)

const back = (ctx: InIssue): string => issuePath(ctx)

const frame = (title: string) => (ctx: Context & InIssue) => ({
  title: `${title}: #${ctx.issue.iid} ${ctx.issue.title}`,
  place: projectPlace(ctx.actor, ctx.project, 'issues'),
  scripts: ['markdown_editor.js'],
})

/** The description as it is stored now, behind the lock on its row. */
async function lockedDescription({ db, issue }: Context & InIssue): Promise<string | null> {
  await lockIssue(db, issue.id)
  return (await db.selectFrom('issues').select('description').where('id', '=', issue.id).executeTakeFirstOrThrow()).description
}

const texts = form<InIssue>({
  path: `${ISSUE}/edit`,
  summary: 'Change the title and description of an issue',
  scope: inIssuePage,
  of: updateIssue,
  instead: {
    of: ['title', 'description'],
    params: { title: text('Title', { minLength: 1, maxLength: 255, examples: ['Paint the shed'] }), ...descriptionParams },
    async adapt(ctx, { description, known_description, ...params }) {
      return { ...params, description: descriptionToStore(await lockedDescription(ctx), { description, known_description }) }
    },
  },
  fields: ({ project }) => [
    { name: 'title', autofocus: true, hint: '' },
    { name: 'description', control: 'markdown', base: projectPath(project, '/-'), hint: '' },
  ],
  values: ({ issue }) => ({ title: issue.title, description: issue.description }),
  fixed: ({ issue }) => ({ known_description: issue.description ?? '' }),
  before: async ({ issue }, sent?: Values) => changesByOthers(issue.description, sent),
  next: back,
  cancel: back,
  notice: 'The issue was changed.',
  button: 'Save',
  frame: frame('Edit'),
})

const { declared, attribute, people, labels, milestone, estimate, spent } = attributeFormsOf<InIssue>({
  noun: 'an issue',
  route: ISSUE,
  scope: inIssuePage,
  update: updateIssue,
  times: timeTrackingEndpoints(issueApi, 'admin_issue'),
  rowOf: ({ issue }) => issue,
  addressOf: issuePath,
  frame,
  changed: 'The issue was changed.',
})

const assignees = people({
  name: 'assignees',
  summary: 'Assign an issue',
  column: 'assignee_ids',
  label: 'Assignees',
  notice: 'The issue was assigned.',
  idsOf: ({ issue }) => issue.assignee_ids,
})

const dueDate = attribute(
  'due_date',
  'Set the last day of an issue',
  async () => [{ name: 'due_date', label: 'Due date', hint: 'None when empty.' }],
  ({ issue }) => ({ due_date: issue.due_date }),
)

const weight = attribute(
  'weight',
  'Set the weight of an issue',
  async () => [{ name: 'weight', hint: 'None when empty.' }],
  ({ issue }) => ({ weight: issue.weight }),
)

const epic = attribute(
  'epic',
  'Choose the epic of an issue',
  async ctx => [{ name: 'epic_id', label: 'Epic', hint: '', ...oneOf(ctx, await epicChoices(ctx, ctx.project, ctx.issue.epic_id)) }],
  ({ issue }) => ({ epic_id: issue.epic_id ?? 0 }),
)

/** The API has no parameter for the iteration of an issue (14.0): a quick action sets it. */
const iteration = declared('iteration', 'Choose the iteration of an issue', {
  of: declarationOf(notes, 'POST', /\/notes$/),
  instead: {
    of: ['body', 'created_at', 'confidential', 'internal'],
    params: { iteration_id: integer('ID of an iteration of the project’s groups; 0 for none', { minimum: 0, examples: [0] }) },
    adapt: async (_ctx, { iteration_id }) => ({
      body: iteration_id === 0 ? '/remove_iteration' : `/iteration *iteration:${iteration_id}`,
    }),
  },
  fields: async ctx => [
    {
      name: 'iteration_id',
      label: 'Iteration',
      hint: '',
      ...oneOf(ctx, await iterationChoices(ctx, ctx.project, ctx.issue.iteration_id)),
    },
  ],
  values: ({ issue }) => ({ iteration_id: issue.iteration_id ?? 0 }),
})

const health = attribute(
  'health',
  'Set the health of an issue',
  async () => [
    {
      name: 'health_status',
      label: 'Health',
      control: 'select',
      hint: '',
      choices: [
        ['', 'Not set'],
        ['on_track', 'On track'],
        ['needs_attention', 'Needs attention'],
        ['at_risk', 'At risk'],
      ],
    },
  ],
  ({ issue }) => ({ health_status: issue.health_status }),
)

const flags = attribute(
  'visibility',
  'Set who may see an issue and comment on it',
  async () => [
    {
      name: 'confidential',
      label: 'Confidential',
      hint: 'Only members with the Reporter role or higher, its author and its assignees see it.',
    },
    { name: 'discussion_locked', label: 'Locked', hint: 'Only members comment.' },
    { name: 'issue_type', label: 'Type' },
  ],
  ({ issue }) => ({ confidential: issue.confidential, discussion_locked: issue.discussion_locked, issue_type: issue.issue_type }),
)

/** The forms, by the attribute that they change. */
export const attributeForms = {
  assignees,
  labels,
  milestone,
  iteration,
  epic,
  due_date: dueDate,
  weight,
  health,
  visibility: flags,
  estimate,
  spent,
}

export const issueChanges = {
  showEdit: texts.show,
  edit: texts.submit,
  ...Object.fromEntries(
    Object.entries(attributeForms).flatMap(([name, { show, submit }]) => [
      [`show_${name}`, show],
      [name, submit],
    ]),
  ),
  tick: tickAction<InIssue>({
    route: `POST ${ISSUE}/tasks`,
    of: updateIssue,
    scope: inIssuePage,
    stored: async ctx => ['description', (await lockedDescription(ctx)) ?? ''],
    next: back,
  }),
  change: action({ route: `POST ${ISSUE}/change`, of: updateIssue, scope: inIssuePage, next: back, notice: 'The issue was changed.' }),
  reorder: action<InIssue>({
    route: `POST ${ISSUE}/reorder`,
    of: reorderIssue,
    scope: inIssuePage,
    instead: {
      params: { ...reorderIssue.params, back: optional(text('The list to show again', { maxLength: 4_000 })) },
      adapt: async (_ctx, { move_after_id, move_before_id }) => {
        if (move_after_id === undefined && move_before_id === undefined) throw badRequest('a neighbour must be given')
        return { move_after_id, move_before_id }
      },
    },
    next: ctx => localPath((ctx as { params?: { back?: string } }).params?.back, projectPath(ctx.project, '/-/issues')),
    notice: 'The issue was moved.',
  }),
  remove: action({
    route: `POST ${ISSUE}/delete`,
    of: deleteIssue,
    scope: inIssuePage,
    next: ({ project }) => projectPath(project, '/-/issues'),
    notice: 'The issue was deleted.',
  }),
  subscribe: action({
    route: `POST ${ISSUE}/subscribe`,
    of: subscribe,
    scope: inIssuePage,
    next: back,
    notice: 'You are notified of changes.',
  }),
  unsubscribe: action({
    route: `POST ${ISSUE}/unsubscribe`,
    of: unsubscribe,
    scope: inIssuePage,
    next: back,
    notice: 'You are not notified any more.',
  }),
}
