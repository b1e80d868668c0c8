/** The parameters of saying something, in notes and in threads alike (notes and discussions API at 14.0). */
import Type from 'typebox'
import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { DateTime } from '../../platform/kernel/types.ts'
import { TEXT_LENGTH } from '../item_kinds/kinds.ts'
import type { NewComment } from './commands.ts'
import type { Noteable } from './noteable.ts'

export const Body = Type.String({ maxLength: TEXT_LENGTH, description: 'What is said, in Markdown', examples: ['Sounds good'] })

const confidential = Type.Optional(Type.Boolean({ description: 'An internal note, for Reporters and above; 403 for others' }))

/** Whether a note is internal, wherever a note is written: an endpoint without these would publish what was meant for members. */
export const internalParams = {
  confidential,
  // Contract: the newer name of `confidential` (public behaviour after 14.0).
  internal: confidential,
}

export const commentParams = {
  body: Body,
  ...internalParams,
  created_at: Type.Optional(DateTime({ description: 'The time of writing; for administrators and owners' })),
}

/** What the caller says about who may read a note. */
export interface GivenFlag {
  readonly confidential?: boolean | undefined
  readonly internal?: boolean | undefined
}

interface Given extends GivenFlag {
  readonly body: string
  readonly created_at?: string | undefined
}

/** Is the note to be internal? Undefined where the caller does not say; 400 where the two names of the flag contradict each other. */
export function flagOf({ confidential, internal }: GivenFlag): boolean | undefined {
  if (confidential !== undefined && internal !== undefined && confidential !== internal)
    throw invalid({ internal: ['contradicts confidential'] })
  return confidential ?? internal
}

/** Administrators and owners of the project or group may. */
const mayChooseTime = ({ actor }: Context, { role }: Noteable): boolean => isAdmin(actor) || role >= roles.owner

/** What counts of these parameters: a time from those alone who may choose it, in silence (public behaviour at 14.0). */
export const commentOf = (ctx: Context, noteable: Noteable, given: Given): NewComment => ({
  body: given.body,
  confidential: flagOf(given),
  created_at: mayChooseTime(ctx, noteable) ? given.created_at : undefined,
})
