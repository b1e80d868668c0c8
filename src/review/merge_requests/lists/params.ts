/** The parameters of lists of merge requests (document 3 "Merge request lists"). */
import Type, { type TProperties } from 'typebox'
import { NumberOrKeyword } from '../../../planning/shared/lists/keywords.ts'
import {
  negatedParams,
  only,
  rulesFor,
  sharedExclusives,
  sharedFilters,
  timesAndScope,
} from '../../../planning/shared/lists/list_params.ts'
import { CommaList, DateTime, flag, integer, OneOf, onTier, optional, text } from '../../../platform/kernel/declaration/types.ts'
import type { Deployed } from './filters.ts'

/** The parameters that `not` can negate. */
const negatable = {
  ...only(sharedFilters, 'labels', 'milestone', 'author_id', 'author_username', 'assignee_id', 'assignee_username', 'my_reaction_emoji'),
  reviewer_id: Type.Optional(NumberOrKeyword({ description: 'To be reviewed by the user with this id; `None`, `Any`' })),
  reviewer_username: optional(text('To be reviewed by the user with this username; `None`, `Any`')),
} satisfies TProperties

const Users = (description: string, most: number) =>
  onTier('premium', Type.Optional(CommaList(NumberOrKeyword(), { maxItems: most, description })))

/** The parameters of all lists of merge requests. */
export const listParams = {
  ...negatable,
  ...timesAndScope,
  not: negatedParams(negatable),
  search: sharedFilters.search,
  state: optional(OneOf(['opened', 'closed', 'locked', 'merged', 'all'], { description: 'Only merge requests in this state' })),
  order_by: optional(OneOf(['created_at', 'updated_at', 'title'], { description: 'What the list is ordered by' })),
  sort: optional(OneOf(['asc', 'desc'], { description: '`asc` or `desc`' })),
  view: Type.Optional(OneOf(['simple'], { description: '`simple`: number, address, title, description and state alone' })),
  with_merge_status_recheck: optional(
    flag('Check in the background whether the listed merge requests can be merged, where that is unknown'),
  ),
  with_labels_details: optional(flag('Labels with their colours and descriptions, not their names alone')),
  approver_ids: Users('That all these users are approvers of; `None`, `Any`', 100),
  // Contract: at most five (document 3).
  approved_by_ids: Users('Approved by all of these users, at most five; `None`, `Any`', 5),
  approved_by_usernames: onTier(
    'premium',
    Type.Optional(
      CommaList(text('Username'), {
        maxItems: 5,
        description: 'Approved by all of the users with these usernames, at most five; `None`, `Any`',
      }),
    ),
  ),
  source_branch: optional(text('Name of the source branch')),
  source_project_id: optional(integer('ID of the source project')),
  target_branch: optional(text('Name of the target branch')),
  wip: Type.Optional(OneOf(['yes', 'no'], { description: 'Only drafts, or no drafts' })),
} satisfies TProperties

/** Additional parameters of lists across projects. */
export const acrossProjects = {
  in: sharedFilters.in,
  environment: optional(text('Deployed to the environment of this name')),
  deployed_after: optional(DateTime('Deployed at this time or later')),
  deployed_before: optional(DateTime('Deployed at this time or earlier')),
} satisfies TProperties

/** Combines the three deployment parameters into one filter. */
export function deployedBy({ environment, deployed_after: after, deployed_before: before }: DeploymentParams): { deployed?: Deployed } {
  return environment === undefined && after === undefined && before === undefined ? {} : { deployed: { environment, after, before } }
}

interface DeploymentParams {
  readonly environment?: string | undefined
  readonly deployed_after?: string | undefined
  readonly deployed_before?: string | undefined
}

/** Additional parameters of the list of a project. */
export const numbers = { iids: sharedFilters.iids }

export const listRules = rulesFor(...sharedExclusives, ['reviewer_id', 'reviewer_username'])
