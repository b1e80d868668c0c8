/** A protected environment as JSON (document 2 "Group protected environment"; protected environments API at 14.0). */
import Type from 'typebox'
import { namesIn, presentLevel } from '../../code/protected_branches/entity.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { described, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { ProtectedEnvironmentRow } from './queries.ts'

export const ProtectedEnvironment = entity({
  name: 'ProtectedEnvironment',
  schema: Type.Object({
    name: text('Name of the environment'),
    deploy_access_levels: described(
      'Who may deploy',
      Type.Array(
        Type.Object({
          access_level: integer('Level: 10 Guest, 20 Reporter, 30 Developer, 40 Maintainer, 50 Owner; 0 no access'),
          access_level_description: text('The level in words'),
          user_id: Nullable(integer('ID of the user; null where the level is a role or group')),
          group_id: Nullable(integer('ID of the group; null where the level is a role or user')),
        }),
      ),
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
