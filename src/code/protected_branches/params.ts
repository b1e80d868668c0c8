/** The parameters that say who is allowed something, of protected branches and tags alike. */
import Type from 'typebox'
import { onTier } from '../../platform/kernel/types.ts'

const levelNames = '0 no one, 30 developers and maintainers, 40 maintainers, 60 administrators'

/** One of these access levels. */
export const AccessLevel = (values: readonly number[], description = levelNames) =>
  Type.Optional(Type.Unsafe<number>({ type: 'integer', enum: values, description }))

/** Several of those who are allowed: users, groups, levels. */
export const AllowedList = () =>
  onTier(
    'premium',
    Type.Optional(
      Type.Array(
        Type.Object({
          user_id: Type.Optional(Type.Integer()),
          group_id: Type.Optional(Type.Integer()),
          access_level: AccessLevel([0, 30, 40, 60]),
        }),
        { description: 'Hashes of `user_id`, `group_id` or `access_level`' },
      ),
    ),
  )
