/** Who may comment on an item. */
import { roles } from '../../../platform/access/abilities.ts'
import { type ActingUser, type Actor, isAdmin } from '../../../platform/access/actor.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import type { Noteable } from './noteable.ts'

/** The commenting or reacting user; 403 for anonymous callers, and if only members may comment (`discussion_locked`). */
export function requireCommenter({ actor }: Context, { item, role }: Pick<Noteable, 'item' | 'role'>): ActingUser {
  if (!actor.user) throw forbidden()
  if (isLockedFor(actor, { item, role })) throw forbidden('The discussion is locked')
  return actor.user
}

/** Is the discussion locked for this actor? Members and administrators comment in spite of it. */
export const isLockedFor = (actor: Actor, { item, role }: Pick<Noteable, 'item' | 'role'>): boolean =>
  Boolean(item.discussion_locked) && !isAdmin(actor) && role < roles.guest
