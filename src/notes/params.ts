/** The parameters of saying something, in notes and in threads alike (notes and discussions API at 14.0). */
import Type from 'typebox'
import { roles } from '../access/abilities.ts'
import { isAdmin } from '../access/actor.ts'
import { DESCRIPTION_LENGTH } from '../issues/params.ts'
import type { Context } from '../kernel/context.ts'
import { DateTime } from '../kernel/types.ts'
import type { NewComment } from './commands.ts'
import type { Noteable } from './noteable.ts'

export const Body = Type.String({ maxLength: DESCRIPTION_LENGTH, description: 'What is said, in Markdown', examples: ['Sounds good'] })

const confidential = Type.Optional(Type.Boolean({ description: 'An internal note, for Reporters and above; 403 for others' }))

export const commentParams = {
  body: Body,
  confidential,
  // Contract: the newer name of `confidential` (public behaviour after 14.0).
  internal: confidential,
  created_at: Type.Optional(DateTime({ description: 'The time of writing; for administrators and owners' })),
}

interface Given {
  readonly body: string
  readonly confidential?: boolean | undefined
  readonly internal?: boolean | undefined
  readonly created_at?: string | undefined
}

/** Administrators and owners of the project or group may. */
const mayChooseTime = ({ actor }: Context, { role }: Noteable): boolean => isAdmin(actor) || role >= roles.owner

/** What counts of these parameters: a time from those alone who may choose it, in silence (public behaviour at 14.0). */
export const commentOf = (ctx: Context, noteable: Noteable, { body, confidential, internal, created_at }: Given): NewComment => ({
  body,
  confidential: confidential ?? internal,
  created_at: mayChooseTime(ctx, noteable) ? created_at : undefined,
})
