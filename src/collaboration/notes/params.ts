/** The parameters of notes and threads (notes and discussions API at 14.0). */
import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, flag, optional, text } from '../../platform/kernel/declaration/types.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { TEXT_LENGTH } from '../item_kinds/kinds.ts'
import type { NewComment } from './commands.ts'
import type { Noteable } from './items/noteable.ts'

export const Body = text('The text in Markdown', { maxLength: TEXT_LENGTH, examples: ['Sounds good'] })

const confidential = optional(flag('Whether the note is internal, for Reporters and above; 403 for others'))

/** The internal flag, for every endpoint that writes notes: one without it would publish what was meant for members. */
export const internalParams = {
  confidential,
  // Contract: the newer name of `confidential` (public behaviour after 14.0).
  internal: confidential,
}

export const commentParams = {
  body: Body,
  ...internalParams,
  created_at: optional(DateTime('Time of creation; for administrators and owners')),
}

/** The internal flag as given by the caller. */
export interface GivenFlag {
  readonly confidential?: boolean | undefined
  readonly internal?: boolean | undefined
}

interface Given extends GivenFlag {
  readonly body: string
  readonly created_at?: string | undefined
}

/** Is the note internal? Undefined if no flag is given; 400 if the two names of the flag contradict each other. */
export function flagOf({ confidential, internal }: GivenFlag): boolean | undefined {
  if (confidential !== undefined && internal !== undefined && confidential !== internal)
    throw invalid({ internal: ['contradicts confidential'] })
  return confidential ?? internal
}

/** Administrators and owners of the project or group may set the time. */
const mayChooseTime = ({ actor }: Context, { role }: Noteable): boolean => isAdmin(actor) || role >= roles.owner

/** The effective parameters: the time is silently ignored unless the caller may set it (public behaviour at 14.0). */
export const commentOf = (ctx: Context, noteable: Noteable, given: Given): NewComment => ({
  body: given.body,
  confidential: flagOf(given),
  created_at: mayChooseTime(ctx, noteable) ? given.created_at : undefined,
})
