/** A protected tag as JSON (protected tags API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { described, text } from '../../platform/kernel/declaration/types.ts'
import { Level, namesIn, presentLevel } from '../protected_branches/entity.ts'
import type { ProtectedTagRow } from './queries.ts'

export const ProtectedTag = entity({
  name: 'ProtectedTag',
  schema: Type.Object({
    name: text('Name or pattern of the tags'),
    create_access_levels: described('Who may create matching tags', Type.Array(Level)),
  }),
  load: (ctx: Context, rows: readonly ProtectedTagRow[]) =>
    namesIn(
      ctx,
      rows.flatMap(row => row.levels),
    ),
  present: (row: ProtectedTagRow, names) => ({
    name: row.name,
    create_access_levels: row.levels.map(level => presentLevel(level, names)),
  }),
})
