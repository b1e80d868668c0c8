/** Making and changing an epic: its texts, and each of its attributes in a form of its own, which the page of the epic shows in its side column. */
import { noteEndpoints } from '../../collaboration/notes/endpoints.ts'
import { lockEpic } from '../../planning/epics/commands.ts'
import { createEpic, deleteEpic, updateEpic } from '../../planning/epics/endpoints.ts'
import { epicApi } from '../../planning/epics/item_kind/noteable.ts'
import { visibleEpicsById } from '../../planning/epics/queries.ts'
import { labelsById } from '../../planning/labels/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { action } from '../../platform/pages/forms/action.ts'
import { declarationOf } from '../../platform/pages/forms/declared.ts'
import type { FieldSpec } from '../../platform/pages/forms/fields.ts'
import { type FormDeclaration, form, type Values } from '../../platform/pages/forms/form.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { placeOfGroup } from '../../spaces/places/places.ts'
import { labelChoices, moreOf } from '../issues/choices.ts'
import { typed } from '../items/comment_fields.ts'
import { tickAction } from '../items/tasks.ts'
import { changesByOthers, descriptionParams, descriptionToStore } from '../items/text_changes.ts'
import type { GroupWithRole } from '../places/planning.ts'
import { epicIdNamed } from './contents/endpoints.ts'
import { EPIC, epicPath, type InEpic, inEpicPage } from './scope.ts'

const back = (ctx: InEpic): string => epicPath(ctx)

const frame = (title: string) => (ctx: Context & InEpic) => ({
  title: `${title}: &${ctx.epic.iid} ${ctx.epic.title}`,
  place: groupPlace(ctx.actor, ctx.group, 'epics'),
  scripts: ['markdown_editor.js'],
})

const descriptionField = ({ group }: { readonly group: GroupWithRole }): FieldSpec => ({
  name: 'description',
  control: 'markdown',
  base: groupPath(group, '/-'),
  withoutFiles: true,
  hint: '',
})

const confidentialField: FieldSpec = {
  name: 'confidential',
  label: 'Confidential',
  hint: 'Only members with the Reporter role or higher see it. What is in it must be confidential too.',
}

/** What the forms ask for in place of two parameters of each date: the day, fixed where one is given. */
const dates = {
  of: ['start_date_is_fixed', 'due_date_is_fixed'],
  params: {
    begins: optional(OneOf(['inherited', 'fixed'], { description: 'Where the first day comes from' })),
    ends: optional(OneOf(['inherited', 'fixed'], { description: 'Where the last day comes from' })),
  },
  adapt: ({ begins, ends, ...params }: Values) => ({
    ...params,
    ...(begins !== undefined && { start_date_is_fixed: begins === 'fixed' }),
    ...(ends !== undefined && { due_date_is_fixed: ends === 'fixed' }),
  }),
}

const sources = [
  ['inherited', 'From what is in it', 'From the milestones of its issues, and the epics in it.'],
  ['fixed', 'On a day of its own'],
] as const

const dateFields: readonly FieldSpec[] = [
  { name: 'begins', label: 'It begins', control: 'radio', hint: '', choices: sources },
  { name: 'start_date_fixed', label: 'First day', hint: '' },
  { name: 'ends', label: 'It ends', control: 'radio', hint: '', choices: sources },
  { name: 'due_date_fixed', label: 'Last day', hint: '' },
]

const creation = form<{ readonly group: GroupWithRole }>({
  path: '/groups/:group_path/-/epics/new',
  summary: 'Open an epic',
  scope: inGroupPage,
  of: createEpic,
  instead: {
    of: ['description', ...dates.of],
    params: { description: descriptionParams.description, ...dates.params },
    adapt: async (_ctx, { description, ...params }) => ({ ...dates.adapt(params), description: typed(description) }),
  },
  fields: async ctx => [
    { name: 'title', autofocus: true, hint: '' },
    descriptionField(ctx),
    confidentialField,
    {
      name: 'labels',
      label: 'Labels',
      control: 'checkboxes',
      hint: '',
      ...moreOf(ctx, await labelChoices(ctx, placeOfGroup(ctx.group), [])),
    },
    ...dateFields,
  ],
  values: ({ request }) => {
    const given = new URLSearchParams(request.address.split('?', 2)[1] ?? '')
    return { title: given.get('title') ?? '', description: given.get('description') ?? '', begins: 'inherited', ends: 'inherited' }
  },
  next: ({ group }, epic: { readonly iid: number }) => epicPath({ group, epic }),
  cancel: ({ group }) => groupPath(group, '/-/epics'),
  notice: 'The epic was opened.',
  button: 'Open epic',
  frame: ({ actor, group }) => ({ title: 'New epic', place: groupPlace(actor, group, 'epics'), scripts: ['markdown_editor.js'] }),
})

/** The description as it is stored now, read behind the lock on its row. */
async function lockedDescription({ db, epic }: Context & InEpic): Promise<string | null> {
  await lockEpic(db, epic.id)
  return (await db.selectFrom('epics').select('description').where('id', '=', epic.id).executeTakeFirstOrThrow()).description
}

const texts = form<InEpic>({
  path: `${EPIC}/edit`,
  summary: 'Change the title and description of an epic',
  scope: inEpicPage,
  of: updateEpic,
  instead: {
    of: ['title', 'description'],
    params: { title: text('Title', { minLength: 1, maxLength: 255, examples: ['Rebuild the harbour'] }), ...descriptionParams },
    adapt: async (ctx, { description, known_description, ...params }) => ({
      ...params,
      description: descriptionToStore(await lockedDescription(ctx), { description, known_description }),
    }),
  },
  fields: ctx => [{ name: 'title', autofocus: true, hint: '' }, descriptionField(ctx)],
  values: ({ epic }) => ({ title: epic.title, description: epic.description }),
  fixed: ({ epic }) => ({ known_description: epic.description ?? '' }),
  before: async ({ epic }, sent?: Values) => changesByOthers(epic.description, sent),
  next: back,
  cancel: back,
  notice: 'The epic was changed.',
  button: 'Save',
  frame: frame('Edit'),
})

/** A form for one attribute. */
const attribute = (
  name: string,
  summary: string,
  { fields, values, instead }: Pick<FormDeclaration<InEpic>, 'fields' | 'values' | 'instead'>,
) =>
  form<InEpic>({
    path: `${EPIC}/edit/${name}`,
    summary,
    scope: inEpicPage,
    of: updateEpic,
    fields,
    ...(values && { values }),
    ...(instead && { instead }),
    empty: 'sent',
    next: back,
    cancel: back,
    notice: 'The epic was changed.',
    button: 'Save',
    within: () => `edit-${name}`,
    frame: frame(summary),
  })

const namesOf = async ({ db, epic }: Context & InEpic): Promise<string[]> =>
  [...(await labelsById(db, epic.label_ids)).values()].map(({ name }) => name)

const labels = attribute('labels', 'Choose the labels of an epic', {
  fields: async ctx => [
    {
      name: 'labels',
      label: 'Labels',
      control: 'checkboxes',
      hint: '',
      ...moreOf(ctx, await labelChoices(ctx, placeOfGroup(ctx.group), await namesOf(ctx))),
    },
    { name: 'add_labels', label: 'New labels', hint: 'Several with commas.' },
  ],
  values: async ctx => ({ labels: await namesOf(ctx) }),
})

const days = attribute('dates', 'Set the days of an epic', {
  instead: { ...dates, adapt: async (_ctx, params) => dates.adapt(params) },
  fields: () => dateFields,
  values: ({ epic }) => ({
    begins: epic.start_date_is_fixed ? 'fixed' : 'inherited',
    start_date_fixed: epic.start_date_fixed,
    ends: epic.due_date_is_fixed ? 'fixed' : 'inherited',
    due_date_fixed: epic.due_date_fixed,
  }),
})

/** Parents are of the highest tier, and so is their form. */
const parent = attribute('parent', 'Choose the parent of an epic', {
  instead: {
    of: ['parent_id'],
    params: { parent: text('The epic: `&3`, or `group&3`', { maxLength: 512, default: '' }) },
    adapt: async (ctx, { parent, ...params }) => ({
      ...params,
      parent_id: String(parent ?? '').trim() === '' ? 0 : await epicIdNamed(ctx, 'parent', parent),
    }),
  },
  fields: () => [{ name: 'parent', label: 'Parent', hint: 'As `&3` or `group&3`, or the address of its page; none when empty.' }],
  async values({ db, actor, epic, group }) {
    const above = epic.parent_id === null ? undefined : (await visibleEpicsById(db, actor, [epic.parent_id])).get(epic.parent_id)
    return { parent: above ? `${above.namespace_id === group.id ? '' : above.group_path}&${above.iid}` : '' }
  },
})

const visibility = attribute('visibility', 'Set who may see an epic', {
  fields: () => [confidentialField],
  values: ({ epic }) => ({ confidential: epic.confidential }),
})

/** The API has no endpoint to subscribe to an epic (14.0): a quick action does it. */
const subscription = (word: 'subscribe' | 'unsubscribe', notice: string): Endpoint =>
  action<InEpic>({
    route: `POST ${EPIC}/${word}`,
    of: declarationOf(noteEndpoints(epicApi), 'POST', /\/notes$/),
    scope: inEpicPage,
    instead: { params: {}, adapt: async () => ({ body: `/${word}` }) },
    next: back,
    notice,
  })

export const epicChanges = {
  showNew: creation.show,
  submitNew: creation.submit,
  showEdit: texts.show,
  edit: texts.submit,
  ...Object.fromEntries(
    Object.entries({ labels, days, parent, visibility }).flatMap(([name, { show, submit }]) => [
      [`show_${name}`, show],
      [name, submit],
    ]),
  ),
  tick: tickAction<InEpic>({
    route: `POST ${EPIC}/tasks`,
    of: updateEpic,
    scope: inEpicPage,
    stored: async ctx => ['description', (await lockedDescription(ctx)) ?? ''],
    next: back,
  }),
  change: action({ route: `POST ${EPIC}/change`, of: updateEpic, scope: inEpicPage, next: back, notice: 'The epic was changed.' }),
  remove: action({
    route: `POST ${EPIC}/delete`,
    of: deleteEpic,
    scope: inEpicPage,
    next: ({ group }) => groupPath(group, '/-/epics'),
    notice: 'The epic was deleted.',
  }),
  subscribe: subscription('subscribe', 'You are notified of changes.'),
  unsubscribe: subscription('unsubscribe', 'You are not notified any more.'),
}
