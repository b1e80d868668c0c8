/** Parameters for access levels of protected branches and tags. */
import Type from 'typebox'
import { integer, onTier, optional } from '../../platform/kernel/declaration/types.ts'

const levelNames = '0 no one, 30 developers and maintainers, 40 maintainers, 60 administrators'

/** A parameter that is one of these access levels. */
export const AccessLevel = (values: readonly number[], description = levelNames) =>
  Type.Optional(Type.Unsafe<number>({ type: 'integer', enum: values, description }))

/** A list of users, groups and levels. */
export const AllowedList = () =>
  onTier(
    'premium',
    Type.Optional(
      Type.Array(
        Type.Object({
          user_id: optional(integer('ID of the user')),
          group_id: optional(integer('ID of the group')),
          access_level: AccessLevel([0, 30, 40, 60]),
        }),
        { description: 'Hashes of `user_id`, `group_id` or `access_level`' },
      ),
    ),
  )
