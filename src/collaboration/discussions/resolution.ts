/** Resolving threads of merge requests. */
import { allows } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { noteableKind } from '../item_kinds/item_kind.ts'
import { type Noteable, subjectOf } from '../notes/items/noteable.ts'
import { setResolved } from '../notes/writing/resolved.ts'
import { insertNotes } from '../notes/writing/write.ts'
import { unresolvedThreads } from './unresolved.ts'

/** May the caller resolve the threads of an item? Its author may, whatever their role. */
export const mayResolve = (actor: Actor, noteable: Noteable): boolean =>
  allows(actor, 'resolve_thread', subjectOf(noteable, actor.user !== undefined && noteable.item.author_id === actor.user.id)) === 'yes'

/**
 * Resolves or reopens a thread, or one note of it. 403 for users who are neither the author of the merge request nor Developers, and
 * for notes that cannot be resolved.
 */
export async function resolveThread(
  ctx: Context,
  noteable: Noteable,
  notes: readonly { readonly id: number; readonly resolvable: boolean }[],
  resolved: boolean,
): Promise<void> {
  const { db, actor, now } = ctx
  if (!actor.user || !noteableKind(noteable.noun).resolvable) throw forbidden()
  if (!mayResolve(actor, noteable)) throw forbidden()
  const ids = notes.filter(note => note.resolvable).map(note => note.id)
  if (ids.length === 0) throw forbidden()
  const changed = await setResolved(db, ids, resolved ? actor.user.id : null, now)
  if (!resolved || changed === 0) return
  const { key, item } = noteable
  if ((await unresolvedThreads(db, [item.id])).get(item.id) === undefined)
    await insertNotes(db, [{ ...key, author_id: actor.user.id, action: 'discussion', body: 'resolved all threads', created_at: now }])
}
