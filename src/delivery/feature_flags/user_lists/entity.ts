/** A list of users of feature flags as JSON (feature flag user lists API at 14.0). */
import Type from 'typebox'
import { plain } from '../../../platform/kernel/answer/entity.ts'
import { DateTime, integer, text } from '../../../platform/kernel/declaration/types.ts'

export const UserList = plain(
  'FeatureFlagUserList',
  Type.Object({
    id: integer('ID, unique on the instance'),
    iid: integer('Number within the project'),
    project_id: integer('ID of the project'),
    name: text('Name of the list'),
    user_xids: text('Ids of users of the application, separated by commas'),
    created_at: DateTime('When it was created'),
    updated_at: DateTime('When it was last changed'),
  }),
)
