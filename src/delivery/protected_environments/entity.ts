/** A protected environment as JSON (document 2 "Group protected environment"; protected environments API at 14.0). */
import Type from 'typebox'
import { namesIn, presentLevel } from '../../code/protected_branches/entity.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Nullable } from '../../platform/kernel/types.ts'
import type { ProtectedEnvironmentRow } from './queries.ts'

export const ProtectedEnvironment = entity({
  name: 'ProtectedEnvironment',
  schema: Type.Object({
    name: Type.String(),
    deploy_access_levels: Type.Array(
      Type.Object({
        access_level: Type.Integer(),
        access_level_description: Type.String(),
        user_id: Nullable(Type.Integer()),
        group_id: Nullable(Type.Integer()),
      }),
    ),
  }),
  load: (ctx: Context, rows: readonly ProtectedEnvironmentRow[]) =>
    namesIn(
      ctx,
      rows.flatMap(row => row.levels),
    ),
  present: (row: ProtectedEnvironmentRow, names) => ({
    name: row.name,
    deploy_access_levels: row.levels.map(level => {
      // Contract: unlike those of branches, these levels have no id (document 2).
      const { id: _, ...shown } = presentLevel(level, names)
      return shown
    }),
  }),
})
