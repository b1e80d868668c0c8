/** A list of users of feature flags as JSON (feature flag user lists API at 14.0). */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import { DateTime, integer, text } from '../../../platform/kernel/declaration/types.ts'
import type { UserListRow } from './queries.ts'

export const UserList = entity({
  name: 'FeatureFlagUserList',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    iid: integer('Number within the project'),
    project_id: integer('ID of the project'),
    name: text('Name of the list'),
    user_xids: text('Ids of users of the application, separated by commas'),
    created_at: DateTime('When it was created'),
    updated_at: DateTime('When it was last changed'),
  }),
  // A page can have a hundred of the largest ones.
  load: async ({ deps, ...ctx }, rows: readonly UserListRow[]) =>
    deps.limiter.answer(
      ctx,
      rows.reduce((sum, { user_xids }) => sum + user_xids.length, 0),
    ),
  present: (row: UserListRow) => row,
})
