/** Epics of groups (epics API at 14.0). */
import Type, { type TProperties } from 'typebox'
import { allows } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import {
  CommaList,
  DateTime,
  Day,
  flag,
  integer,
  Nullable,
  OneOf,
  onTier,
  optional,
  text,
} from '../../platform/kernel/declaration/types.ts'
import { exclusive } from '../../platform/kernel/request/params.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { removeEpic } from './commands.ts'
import { Epic, listedEpic } from './entity.ts'
import { createEpicWithQuickActions, updateEpicWithQuickActions } from './item_kind/quick_actions/with_quick_actions.ts'
import { epicsMatching } from './queries.ts'
import { inEpic } from './scope.ts'

const Title = (options: object = {}) => text('Title', { minLength: 1, maxLength: 255, ...options })
const Labels = (description: string) => Type.Optional(CommaList(Type.String({ maxLength: 255 }), { maxItems: 100, description }))
const optionalFlag = (description: string) => optional(flag(description))
const day = (description: string) => optional(Nullable(Day(description)))

const attributes = {
  description: optional(Nullable(text('Description', { maxLength: 1_048_576 }))),
  confidential: optionalFlag('Only for members from Reporter up'),
  labels: Labels('Names of all labels; those that are missing are created in the group'),
  start_date_is_fixed: optionalFlag('It begins at `start_date_fixed`; otherwise with what is in it'),
  start_date_fixed: day('The day when it begins'),
  due_date_is_fixed: optionalFlag('It ends at `due_date_fixed`; otherwise with what is in it'),
  due_date_fixed: day('The day when it ends'),
  start_date: optional(Nullable(Day('An older name of `start_date_fixed`'), { deprecated: true })),
  end_date: optional(Nullable(Day('An older name of `due_date_fixed`'), { deprecated: true })),
  parent_id: onTier('ultimate', Type.Optional(Nullable(Type.Integer(), { description: 'The parent epic; 0 for none' }))),
} satisfies TProperties

type OldNames = { readonly start_date?: string | null | undefined; readonly end_date?: string | null | undefined }
type Days = { readonly start_date_fixed?: string | null | undefined; readonly due_date_fixed?: string | null | undefined }

/** Replaces deprecated parameter names; the current names take precedence. */
function named<P extends OldNames & Days>({ start_date, end_date, ...given }: P) {
  return {
    ...given,
    start_date_fixed: given.start_date_fixed === undefined ? start_date : given.start_date_fixed,
    due_date_fixed: given.due_date_fixed === undefined ? end_date : given.due_date_fixed,
  }
}

/** Filters that `not` supports, too. */
const negatable = {
  author_id: optional(integer('By the user with this id')),
  author_username: optional(text('By the user with this username')),
  labels: Labels('Labels that it must all have; `None`, `Any`'),
  my_reaction_emoji: optional(text('With a reaction of the caller with this emoji; `None`, `Any`')),
} satisfies TProperties

export const listEpics = endpoint({
  route: 'GET /groups/:id/epics',
  summary: 'List the epics of a group and of the groups below it',
  tier: 'premium',
  scope: inGroup,
  can: 'read_epic',
  params: {
    ...negatable,
    not: Type.Optional(Type.Object(negatable, { description: 'Negated filters' })),
    with_labels_details: optionalFlag('Labels with their colours and descriptions'),
    order_by: optional(OneOf(['created_at', 'updated_at', 'title'], { description: 'What the list is ordered by' })),
    sort: optional(OneOf(['asc', 'desc'], { description: '`asc` or `desc`' })),
    search: optional(text('Words in title and description', { maxLength: 255 })),
    state: optional(OneOf(['opened', 'closed', 'all'], { description: 'Only epics in this state' })),
    created_after: optional(DateTime('Only epics created after this instant')),
    created_before: optional(DateTime('Only epics created before this instant')),
    updated_after: optional(DateTime('Only epics changed after this instant')),
    updated_before: optional(DateTime('Only epics changed before this instant')),
    include_ancestor_groups: optionalFlag('Those of the groups above too'),
    include_descendant_groups: optionalFlag('Those of the groups below too; default true'),
  },
  rules: [exclusive('author_id', 'author_username')],
  answers: pageOf(listedEpic),
  run: ctx => epicsMatching(ctx, ctx.group, ctx.params),
})

export const getEpic = endpoint({
  route: 'GET /groups/:id/epics/:epic_iid',
  summary: 'Get an epic of a group',
  tier: 'premium',
  scope: inEpic,
  can: 'read_epic',
  answers: one(Epic),
  run: ({ epic }) => epic,
})

export const createEpic = endpoint({
  route: 'POST /groups/:id/epics',
  summary: 'Create an epic of a group',
  tier: 'premium',
  scope: inGroup,
  can: 'create_epic',
  params: {
    title: Title({ examples: ['Rebuild the harbour'] }),
    ...attributes,
    created_at: optional(DateTime('The time of creation; for administrators and owners')),
  },
  answers: one(Epic),
  run(ctx) {
    const { created_at, ...given } = named(ctx.params)
    const mayChoose = allows(ctx.actor, 'destroy_epic', inGroup.subject(ctx)) === 'yes'
    return createEpicWithQuickActions(ctx, ctx.group, { ...given, ...(mayChoose && { created_at }) })
  },
})

export const updateEpic = endpoint({
  route: 'PUT /groups/:id/epics/:epic_iid',
  summary: 'Change, close or reopen an epic of a group',
  tier: 'premium',
  scope: inEpic,
  can: 'admin_epic',
  params: {
    title: optional(Title()),
    ...attributes,
    add_labels: Labels('Names of labels to add; those that are missing are created in the group'),
    remove_labels: Labels('Names of labels to take away'),
    state_event: optional(OneOf(['close', 'reopen'], { description: '`close` or `reopen`' })),
    updated_at: optional(DateTime('The time of the change; for administrators and owners')),
  },
  answers: one(Epic),
  run(ctx) {
    const { updated_at, ...changes } = named(ctx.params)
    const mayChoose = allows(ctx.actor, 'destroy_epic', inGroup.subject(ctx)) === 'yes'
    return updateEpicWithQuickActions(ctx, ctx.group, ctx.epic, { ...changes, ...(mayChoose && { updated_at }) })
  },
})

export const deleteEpic = endpoint({
  route: 'DELETE /groups/:id/epics/:epic_iid',
  summary: 'Delete an epic of a group',
  tier: 'premium',
  scope: inEpic,
  can: 'destroy_epic',
  answers: nothing,
  run: ctx => removeEpic(ctx, ctx.epic),
})
