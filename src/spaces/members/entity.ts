/** A member as JSON: a user summary with the membership (members API). */
import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { entity, plain } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Day, described, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { Additions } from './commands.ts'
import type { MemberRow } from './queries.ts'

const memberSchema = Type.Object({
  ...summaryFields,
  access_level: integer('Level: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner; 0 no access'),
  created_at: DateTime('When it was created'),
  expires_at: Nullable(Day('Last day of the membership; null: none')),
  membership_state: text('State of the membership'),
})

export const Member = entity({
  name: 'Member',
  schema: memberSchema,
  present: (row: MemberRow, _loaded: undefined, facts) => ({
    ...presentSummary(row, facts),
    access_level: row.access_level,
    created_at: row.created_at,
    expires_at: row.expires_at,
    // New members are active immediately: there is no limit of seats.
    membership_state: 'active',
  }),
})

const additionsSchema = Type.Object({
  status: text('`success` or `error`'),
  message: optional(described('What is wrong, by user', Type.Record(Type.String(), Type.String()))),
})

/** Contract: the answer for one user is the member, for a list it is the result (members API). */
export const MemberOrAdditions = entity({
  name: 'MemberOrAdditions',
  schema: Type.Union([memberSchema, additionsSchema]),
  present: (row: MemberRow | Additions, loaded: undefined, facts) => ('status' in row ? row : Member.present(row, loaded, facts)),
})

/** One of a user's memberships, for administrators. */
export const Membership = plain(
  'Membership',
  Type.Object({
    source_id: integer('ID of where the membership is'),
    source_name: text('Name of where the membership is'),
    source_type: text('Kind of where the membership is'),
    access_level: integer('Level: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner; 0 no access'),
  }),
)
