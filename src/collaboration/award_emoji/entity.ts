/** A reaction as JSON (award emoji API at 14.0). */

import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, described, integer, text } from '../../platform/kernel/declaration/types.ts'
import { idIn, keyOf, typeNameOf } from '../item_kinds/kinds.ts'
import type { AwardRow } from './queries.ts'

export const AwardEmoji = entity({
  name: 'AwardEmoji',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    name: text('Name of the emoji, without colons'),
    user: described('The user who reacted', Type.Object(summaryFields)),
    created_at: DateTime('When it was created'),
    updated_at: DateTime('When it was last changed'),
    awardable_id: integer('ID of what the reaction is to'),
    awardable_type: text('Kind of what the reaction is to'),
  }),
  load: ({ db }, rows: readonly AwardRow[]) => usersById(db, idsOf(rows, 'user_id')),
  present: (row: AwardRow, users: Map<number, SummaryRow>, facts) => {
    const key = row.snippet_id === null ? keyOf(row) : { snippet_id: row.snippet_id }
    return {
      id: row.id,
      name: row.name,
      user: presentSummary(users.get(row.user_id) as SummaryRow, facts),
      created_at: row.created_at,
      updated_at: row.updated_at,
      awardable_id: key ? idIn(key) : (row.note_id as number),
      awardable_type: key ? typeNameOf(key) : 'Note',
    }
  },
})
