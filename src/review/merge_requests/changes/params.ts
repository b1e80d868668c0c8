/** The parameters of creating and updating a merge request (merge requests API at 14.0), and which of them a caller may use. */
import Type, { type TProperties } from 'typebox'
import { TEXT_LENGTH } from '../../../collaboration/item_kinds/kinds.ts'
import { TITLE_LENGTH } from '../../../planning/issues/params.ts'
import { type WithLists, withLists } from '../../../planning/shared/lists/given_lists.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { CommaList, described, flag, integer, Nullable, OneOf, onTier, optional, text } from '../../../platform/kernel/declaration/types.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { mayAdminister } from './attributes.ts'

const MOST_LABELS = 100
const MOST_PEOPLE = 100
const MOST_APPROVALS = 100

/** Maximum length of a branch name, in characters. */
const BRANCH_LENGTH = 1024

const Labels = (description: string) =>
  Type.Optional(Nullable(CommaList(Type.String({ maxLength: 255 }), { maxItems: MOST_LABELS }), { description }))
const People = (description: string) => Type.Optional(Nullable(CommaList(Type.Integer(), { maxItems: MOST_PEOPLE }), { description }))

export const mergeRequestAttributes = {
  description: optional(Nullable(text('Description', { maxLength: TEXT_LENGTH }))),
  assignee_id: Type.Optional(Nullable(Type.Integer(), { description: 'The user to assign; 0 for none' })),
  assignee_ids: People('Users to assign; 0 or an empty list for nobody'),
  reviewer_ids: People('Users to ask for a review; 0 or an empty list for nobody'),
  labels: Labels('Names of all labels; those that are missing are created'),
  milestone_id: Type.Optional(Nullable(Type.Integer(), { description: 'The milestone; 0 for none' })),
  remove_source_branch: optional(flag('Remove the source branch when it is merged')),
  allow_collaboration: optional(flag('Users who may merge may push to the source branch')),
  allow_maintainer_to_push: optional(flag('An older name of `allow_collaboration`', { deprecated: true })),
  squash: optional(flag('Squash the commits when it is merged')),
  approvals_before_merge: onTier(
    'premium',
    optional(integer('Number of approvals that are required', { minimum: 0, maximum: MOST_APPROVALS })),
  ),
} satisfies TProperties

const Branch = (about: string, options: object = {}) => text(about, { minLength: 1, maxLength: BRANCH_LENGTH, ...options })

export const newMergeRequestParams = {
  title: text('Title', { minLength: 1, maxLength: TITLE_LENGTH, examples: ['Paint the shed'] }),
  source_branch: Branch('Name of the source branch', { examples: ['proposed'] }),
  target_branch: Branch('Name of the target branch', { examples: ['main'] }),
  target_project_id: optional(integer('Target project, from a fork; default the project itself')),
  ...mergeRequestAttributes,
} satisfies TProperties

export const mergeRequestChangeParams = {
  title: optional(text('Title', { minLength: 1, maxLength: TITLE_LENGTH })),
  target_branch: optional(described('Name of the target branch', Branch('Name of the target branch'))),
  ...mergeRequestAttributes,
  add_labels: Labels('Names of labels to add; those that are missing are created'),
  remove_labels: Labels('Names of labels to take away'),
  discussion_locked: Type.Optional(Nullable(Type.Boolean(), { description: 'Only members may comment' })),
  state_event: optional(OneOf(['close', 'reopen'], { description: '`close` or `reopen`' })),
} satisfies TProperties

interface Given {
  readonly assignee_id?: number | null | undefined
  readonly assignee_ids?: readonly number[] | null | undefined
  readonly allow_collaboration?: boolean | undefined
  readonly allow_maintainer_to_push?: boolean | undefined
}

/** Parameters that require the Developer role in the target project. */
const administrative = [
  'labels',
  'add_labels',
  'remove_labels',
  'assignee_ids',
  'reviewer_ids',
  'milestone_id',
  'discussion_locked',
] as const

/**
 * The parameters that this caller may use, with deprecated names replaced. Contract: parameters that they may not set are silently
 * ignored (public behaviour at 14.0).
 */
export function permitted<P extends Given>(ctx: Pick<Context, 'actor'>, target: ProjectWithRole, params: P) {
  const { assignee_id, allow_maintainer_to_push, ...given } = withLists(params)
  const left: Record<string, unknown> = {
    ...given,
    assignee_ids: given.assignee_ids ?? (assignee_id === undefined ? undefined : [assignee_id ?? 0]),
    allow_collaboration: given.allow_collaboration ?? allow_maintainer_to_push,
  }
  if (!mayAdminister(ctx, target)) for (const name of administrative) delete left[name]
  return left as Omit<WithLists<P>, 'assignee_id' | 'allow_maintainer_to_push'>
}
