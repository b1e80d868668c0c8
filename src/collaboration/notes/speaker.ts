/** Who may take part in the talk about an item. */
import { roles } from '../../platform/access/abilities.ts'
import { type ActingUser, isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import type { Noteable } from './noteable.ts'

/** Who speaks or reacts; 403 for nobody in person, and where only members may (`discussion_locked`). */
export function speaker({ actor }: Context, { item, role }: Pick<Noteable, 'item' | 'role'>): ActingUser {
  if (!actor.user) throw forbidden()
  if (item.discussion_locked && !isAdmin(actor) && role < roles.guest) throw forbidden('The discussion is locked')
  return actor.user
}
