/** The parameters of creating and updating a merge request (merge requests API at 14.0), and which of them a caller may use. */
import Type, { type TProperties } from 'typebox'
import { TEXT_LENGTH } from '../../collaboration/item_kinds/kinds.ts'
import { TITLE_LENGTH } from '../../planning/issues/params.ts'
import { type WithLists, withLists } from '../../planning/shared/given_lists.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { CommaList, Nullable, OneOf, onTier } from '../../platform/kernel/types.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
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
  description: Type.Optional(Nullable(Type.String({ maxLength: TEXT_LENGTH }))),
  assignee_id: Type.Optional(Nullable(Type.Integer(), { description: 'The user to assign; 0 for none' })),
  assignee_ids: People('Users to assign; 0 or an empty list for nobody'),
  reviewer_ids: People('Users to ask for a review; 0 or an empty list for nobody'),
  labels: Labels('Names of all labels; those that are missing are created'),
  milestone_id: Type.Optional(Nullable(Type.Integer(), { description: 'The milestone; 0 for none' })),
  remove_source_branch: Type.Optional(Type.Boolean({ description: 'Remove the source branch when it is merged' })),
  allow_collaboration: Type.Optional(Type.Boolean({ description: 'Users who may merge may push to the source branch' })),
  allow_maintainer_to_push: Type.Optional(Type.Boolean({ deprecated: true, description: 'An older name of `allow_collaboration`' })),
  squash: Type.Optional(Type.Boolean({ description: 'Squash the commits when it is merged' })),
  approvals_before_merge: onTier('premium', Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_APPROVALS }))),
} satisfies TProperties

const Branch = (options: object) => Type.String({ minLength: 1, maxLength: BRANCH_LENGTH, ...options })

export const newMergeRequestParams = {
  title: Type.String({ minLength: 1, maxLength: TITLE_LENGTH, examples: ['Paint the shed'] }),
  source_branch: Branch({ examples: ['proposed'] }),
  target_branch: Branch({ examples: ['main'] }),
  target_project_id: Type.Optional(Type.Integer({ description: 'Target project, from a fork; default the project itself' })),
  ...mergeRequestAttributes,
} satisfies TProperties

export const mergeRequestChangeParams = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: TITLE_LENGTH })),
  target_branch: Type.Optional(Branch({})),
  ...mergeRequestAttributes,
  add_labels: Labels('Names of labels to add; those that are missing are created'),
  remove_labels: Labels('Names of labels to take away'),
  discussion_locked: Type.Optional(Nullable(Type.Boolean(), { description: 'Only members may comment' })),
  state_event: Type.Optional(OneOf(['close', 'reopen'])),
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
