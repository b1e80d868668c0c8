/** The parameters of creating and updating an issue (issues API at 14.0), and which of them a caller may use. */
import Type, { type TProperties } from 'typebox'
import { TEXT_LENGTH } from '../../collaboration/item_kinds/kinds.ts'
import type { Context } from '../../platform/kernel/context.ts'
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
import { HIGHEST_CHOSEN_IID } from '../../spaces/places/iids.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { type WithLists, withLists } from '../shared/lists/given_lists.ts'
import { mayAdminister, mayChooseTimes } from './changes/attributes.ts'
import { healthStatuses, issueTypes } from './states.ts'

/** Maximum length of a title, in characters. */
export const TITLE_LENGTH = 255
const MOST_LABELS = 100
const MOST_ASSIGNEES = 100
const MOST_WEIGHT = 2_147_483_647

const Labels = (description: string) =>
  Type.Optional(Nullable(CommaList(Type.String({ maxLength: 255 }), { maxItems: MOST_LABELS }), { description }))

export const issueAttributes = {
  description: optional(Nullable(text('Description', { maxLength: TEXT_LENGTH }))),
  assignee_ids: Type.Optional(
    Nullable(CommaList(Type.Integer(), { maxItems: MOST_ASSIGNEES }), { description: 'Users to assign; 0 or an empty list for none' }),
  ),
  assignee_id: Type.Optional(Nullable(Type.Integer(), { deprecated: true, description: 'The user to assign; 0 for none' })),
  milestone_id: Type.Optional(Nullable(Type.Integer(), { description: 'The milestone; 0 for none' })),
  labels: Labels('Names of all labels; those that are missing are created'),
  due_date: optional(Nullable(Day('Last day'))),
  confidential: optional(flag('Whether only members with the Reporter role or higher, authors and assignees may see it')),
  discussion_locked: optional(flag('Only members may comment')),
  issue_type: optional(OneOf(issueTypes, { description: 'Type of the issue: `issue` or `incident`' })),
  epic_id: onTier('premium', Type.Optional(Nullable(Type.Integer(), { description: 'The epic; 0 for none' }))),
  epic_iid: onTier(
    'premium',
    Type.Optional(Nullable(Type.Integer(), { deprecated: true, description: 'The number of an epic of the project’s group; 0 for none' })),
  ),
  weight: onTier('premium', optional(Nullable(integer('Weight', { minimum: 0, maximum: MOST_WEIGHT })))),
  health_status: onTier(
    'ultimate',
    optional(Nullable(OneOf(healthStatuses, { description: '`on_track`, `needs_attention` or `at_risk`' }))),
  ),
} satisfies TProperties

/** Two parameters for the same epic. */
export const oneEpic = exclusive('epic_id', 'epic_iid')

export const newIssueParams = {
  title: text('Title', { minLength: 1, maxLength: TITLE_LENGTH, examples: ['Paint the shed'] }),
  ...issueAttributes,
  iid: optional(integer('The number; for administrators and owners', { minimum: 1, maximum: HIGHEST_CHOSEN_IID })),
  created_at: optional(DateTime('The time of creation; for administrators and owners')),
  merge_request_to_resolve_discussions_of: optional(
    integer('Number of a merge request whose open threads the issue follows up and resolves', { minimum: 1 }),
  ),
  discussion_to_resolve: optional(text('ID of the only thread of it that the issue follows up', { maxLength: 64 })),
} satisfies TProperties

export const issueChangeParams = {
  title: optional(text('Title', { minLength: 1, maxLength: TITLE_LENGTH })),
  ...issueAttributes,
  add_labels: Labels('Names of labels to add; those that are missing are created'),
  remove_labels: Labels('Names of labels to take away'),
  state_event: optional(OneOf(['close', 'reopen'], { description: '`close` or `reopen`' })),
  updated_at: optional(DateTime('The time of the change; for administrators and owners')),
} satisfies TProperties

interface Given {
  readonly assignee_id?: number | null | undefined
  readonly assignee_ids?: readonly number[] | null | undefined
}

/** Parameters that require the Reporter role. */
const administrative = [
  'labels',
  'add_labels',
  'remove_labels',
  'assignee_ids',
  'milestone_id',
  'epic_id',
  'epic_iid',
  'due_date',
  'weight',
  'health_status',
  'discussion_locked',
] as const

/** Parameters that only administrators and owners may set. */
const chosen = ['iid', 'created_at', 'updated_at'] as const

/** The parameters that this caller may use. Contract: others are silently ignored (public behaviour at 14.0). */
export function permitted<P extends Given>(ctx: Context, project: ProjectWithRole, params: P, also: readonly string[] = []) {
  const { assignee_id, ...given } = withLists(params)
  // Deprecated in favour of `assignee_ids`, which takes precedence.
  const older = assignee_id === undefined ? undefined : [assignee_id ?? 0]
  const left: Record<string, unknown> = { ...given, assignee_ids: given.assignee_ids ?? older }
  const withheld = [...(mayAdminister(ctx, project) ? [] : [...administrative, ...also]), ...(mayChooseTimes(ctx, project) ? [] : chosen)]
  for (const name of withheld) delete left[name]
  return left as Omit<WithLists<P>, 'assignee_id'>
}
