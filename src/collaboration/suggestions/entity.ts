/** A suggestion as JSON (suggest changes API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { flag, integer, text } from '../../platform/kernel/declaration/types.ts'
import type { Position } from '../notes/positions/position.ts'
import type { SuggestionRow } from './queries.ts'
import { linesOf } from './write.ts'

const schema = Type.Object({
  id: integer('ID, unique on the instance'),
  from_line: integer('Number of the first replaced line'),
  to_line: integer('Number of the last replaced line'),
  appliable: flag('Whether it can be applied to the branch as it is now'),
  applied: flag('Whether it was applied'),
  from_content: text('Lines that are replaced'),
  to_content: text('Lines that replace them'),
})

/** Can it be applied: is the merge request open, and are the lines unchanged? */
export const isAppliable = (row: SuggestionRow): boolean =>
  !row.applied && row.state === 'opened' && (row.at as unknown as Position).head_sha === row.head_sha && row.from_content !== row.to_content

function present(row: SuggestionRow) {
  const { from, to } = linesOf(row.at as unknown as Position, row)
  return {
    id: row.id,
    from_line: from,
    to_line: to,
    appliable: isAppliable(row),
    applied: row.applied,
    from_content: row.from_content,
    to_content: row.to_content,
  }
}

export const Suggestion = entity({ name: 'Suggestion', schema, present })

/** Several suggestions that were applied together. */
export const Suggestions = entity({
  name: 'Suggestions',
  schema: Type.Array(schema),
  present: (rows: readonly SuggestionRow[]) => rows.map(row => present(row)),
})
