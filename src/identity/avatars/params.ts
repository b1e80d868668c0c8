import Type from 'typebox'
import { File, Nullable } from '../../platform/kernel/declaration/types.ts'

/** The parameter of every resource with an avatar; empty or null removes it. */
export const avatarParam = {
  avatar: Type.Optional(
    Nullable(File({ description: 'An image of at most 200 KB' }), { description: 'An image of at most 200 KB; empty for none' }),
  ),
}
