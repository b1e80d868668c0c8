/** The parameters of issue and merge request lists (document 3 "Issue list filters"). */
import Type, { type TProperties } from 'typebox'
import { CommaList, DateTime, flag, integer, OneOf, onTier, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { exclusive, type Rule } from '../../../platform/kernel/request/params.ts'
import { dueDateWords } from '../due_dates.ts'
import { NumberOrKeyword } from './keywords.ts'
import { orders } from './orders.ts'

/** Upper bound of the names in one list, which limits the cost of a query. */
const MOST_NAMES = 100
/** Maximum of a 32-bit column. */
const MOST = 2_147_483_647

const Names = (description: string) => Type.Optional(CommaList(Type.String({ maxLength: 255 }), { maxItems: MOST_NAMES, description }))
const SearchIn = () =>
  Type.Optional(CommaList(OneOf(['title', 'description']), { description: 'Fields that `search` reads: `title`, `description` or both' }))

/** Filters that lists accept directly and in `not`. */
export const sharedFilters = {
  assignee_id: Type.Optional(NumberOrKeyword({ description: 'Assigned to the user with this id; `None`, `Any`' })),
  assignee_username: Names('Assigned to the users with these usernames'),
  author_id: optional(integer('Created by the user with this id')),
  author_username: optional(text('Created by the user with this username')),
  iids: Type.Optional(CommaList(Type.Integer(), { description: 'Only these numbers' })),
  iteration_id: onTier('premium', Type.Optional(NumberOrKeyword({ description: 'Of this iteration; `None`, `Any`' }))),
  iteration_title: onTier('premium', optional(text('Of the iteration with this title'))),
  labels: Names('Labels that it must all have; `None`, `Any`'),
  milestone: optional(text('Of the milestone with this title; `None`, `Any`')),
  my_reaction_emoji: optional(text('With a reaction of the caller with this emoji; `None`, `Any`')),
  search: optional(text('Words in title and description', { maxLength: 255 })),
  in: SearchIn(),
  weight: onTier('premium', Type.Optional(NumberOrKeyword({ maximum: MOST, description: 'Of this weight; `None`, `Any`' }))),
} satisfies TProperties

/** Filters by time and owner. */
export const timesAndScope = {
  created_after: optional(DateTime('At this time or later')),
  created_before: optional(DateTime('At this time or earlier')),
  updated_after: optional(DateTime('Only those changed after this instant')),
  updated_before: optional(DateTime('Only those changed before this instant')),
  scope: Type.Optional(
    OneOf(['created_by_me', 'assigned_to_me', 'all', 'created-by-me', 'assigned-to-me'], {
      description: 'Owner of the items; the values with dashes are deprecated',
    }),
  ),
} satisfies TProperties

/** The filters of an issue list, without its order. */
export const issueFilters = {
  ...sharedFilters,
  ...timesAndScope,
  confidential: optional(flag('Only confidential issues, or only others')),
  due_date: Type.Optional(OneOf(dueDateWords, { description: '`0` for no due date' })),
  // Contract: filtered by epic and health as the platform got it later (public behaviour after 14.0).
  epic_id: onTier('premium', Type.Optional(NumberOrKeyword({ description: 'Of the epic with this id; `None`, `Any`' }))),
  health_status: onTier('ultimate', optional(text('`on_track`, `needs_attention` or `at_risk`; `None`, `Any`', { maxLength: 20 }))),
  issue_type: optional(OneOf(['issue', 'incident', 'test_case'], { description: 'Type of the issue: `issue` or `incident`' })),
} satisfies TProperties

/** The order of a list. */
export const orderParams = {
  order_by: optional(OneOf(orders, { description: 'What the list is ordered by' })),
  sort: optional(OneOf(['asc', 'desc'], { description: '`asc` or `desc`' })),
} satisfies TProperties

/** A hash of negated filters. */
export const negatedParams = <const P extends TProperties>(params: P) =>
  Type.Optional(Type.Object(params, { description: 'Negated filters' }))

/** The given keys of `params`. */
export const only = <const P extends TProperties, const K extends keyof P>(params: P, ...keys: readonly K[]) =>
  Object.fromEntries(keys.map(key => [key, params[key]])) as Pick<P, K>

/** A hash of negated filters of issues; each list has its own keys. */
export const notParam = <const K extends keyof typeof sharedFilters>(...keys: readonly K[]) => negatedParams(only(sharedFilters, ...keys))

/** The same rule for negated filters, whose errors are named `not[author_id]`. */
const negatedToo = ({ says, check }: Rule): Rule => ({
  says: `in \`not\`, ${says}`,
  check(params) {
    const failures = check((params.not ?? {}) as Record<string, unknown>)
    return failures && Object.fromEntries(Object.entries(failures).map(([name, words]) => [`not[${name}]`, words]))
  },
})

/** Rules for parameters that exclude each other, also when negated. */
export const rulesFor = (...exclusives: readonly (readonly [string, string])[]): readonly Rule[] =>
  exclusives.map(([one, other]) => exclusive(one, other)).flatMap(rule => [rule, negatedToo(rule)])

/** Pairs of parameters that exclude each other in all lists. */
export const sharedExclusives = [
  ['assignee_id', 'assignee_username'],
  ['author_id', 'author_username'],
] as const

export const filterRules = rulesFor(...sharedExclusives, ['iteration_id', 'iteration_title'])
