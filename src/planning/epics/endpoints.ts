/** Epics of groups (epics API at 14.0). */
import Type, { type TProperties } from 'typebox'
import { allows } from '../../platform/access/abilities.ts'
import { endpoint, nothing, one, pageOf } from '../../platform/kernel/endpoint.ts'
import { exclusive } from '../../platform/kernel/request/params.ts'
import { CommaList, DateTime, Day, Nullable, OneOf, onTier } from '../../platform/kernel/types.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { removeEpic } from './commands.ts'
import { Epic, listedEpic } from './entity.ts'
import { epicsMatching } from './queries.ts'
import { createEpicWithQuickActions, updateEpicWithQuickActions } from './quick_actions/with_quick_actions.ts'
import { inEpic } from './scope.ts'

const Title = (options: object = {}) => Type.String({ minLength: 1, maxLength: 255, ...options })
const Labels = (description: string) => Type.Optional(CommaList(Type.String({ maxLength: 255 }), { maxItems: 100, description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const day = (description: string) => Type.Optional(Nullable(Day(), { description }))

const attributes = {
  description: Type.Optional(Nullable(Type.String({ maxLength: 1_048_576 }))),
  confidential: flag('Only for members from Reporter up'),
  labels: Labels('Names of all labels; those that are missing are created in the group'),
  start_date_is_fixed: flag('It begins at `start_date_fixed`; otherwise with what is in it'),
  start_date_fixed: day('The day when it begins'),
  due_date_is_fixed: flag('It ends at `due_date_fixed`; otherwise with what is in it'),
  due_date_fixed: day('The day when it ends'),
  start_date: Type.Optional(Nullable(Day(), { deprecated: true, description: 'An older name of `start_date_fixed`' })),
  end_date: Type.Optional(Nullable(Day(), { deprecated: true, description: 'An older name of `due_date_fixed`' })),
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
  author_id: Type.Optional(Type.Integer({ description: 'By the user with this id' })),
  author_username: Type.Optional(Type.String({ description: 'By the user with this username' })),
  labels: Labels('Labels that it must all have; `None`, `Any`'),
  my_reaction_emoji: Type.Optional(Type.String({ description: 'With a reaction of the caller with this emoji; `None`, `Any`' })),
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
    with_labels_details: flag('Labels with their colours and descriptions'),
    order_by: Type.Optional(OneOf(['created_at', 'updated_at', 'title'])),
    sort: Type.Optional(OneOf(['asc', 'desc'])),
    search: Type.Optional(Type.String({ maxLength: 255, description: 'Words in title and description' })),
    state: Type.Optional(OneOf(['opened', 'closed', 'all'])),
    created_after: Type.Optional(DateTime()),
    created_before: Type.Optional(DateTime()),
    updated_after: Type.Optional(DateTime()),
    updated_before: Type.Optional(DateTime()),
    include_ancestor_groups: flag('Those of the groups above too'),
    include_descendant_groups: flag('Those of the groups below too; default true'),
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
    created_at: Type.Optional(DateTime({ description: 'The time of creation; for administrators and owners' })),
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
    title: Type.Optional(Title()),
    ...attributes,
    add_labels: Labels('Names of labels to add; those that are missing are created in the group'),
    remove_labels: Labels('Names of labels to take away'),
    state_event: Type.Optional(OneOf(['close', 'reopen'])),
    updated_at: Type.Optional(DateTime({ description: 'The time of the change; for administrators and owners' })),
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
