import Type from 'typebox'
import { File, Nullable } from '../../platform/kernel/types.ts'

/** The parameter of whatever can have an avatar; empty or null takes it away. */
export const avatarParam = {
  avatar: Type.Optional(
    Nullable(File({ description: 'An image of at most 200 KB' }), { description: 'An image of at most 200 KB; empty for none' }),
  ),
}
