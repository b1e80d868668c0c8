/** Resolving threads of merge requests. */
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { noteableKind } from '../item_kinds/item_kind.ts'
import { type Noteable, subjectOf } from '../notes/items/noteable.ts'
import { setResolved } from '../notes/writing/resolved.ts'
import { insertNotes } from '../notes/writing/write.ts'
import { unresolvedThreads } from './unresolved.ts'

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
  const isAuthor = actor.user !== undefined && noteable.item.author_id === actor.user.id
  if (!actor.user || !noteableKind(noteable.noun).resolvable) throw forbidden()
  if (allows(actor, 'resolve_thread', subjectOf(noteable, isAuthor)) !== 'yes') throw forbidden()
  const ids = notes.filter(note => note.resolvable).map(note => note.id)
  if (ids.length === 0) throw forbidden()
  const changed = await setResolved(db, ids, resolved ? actor.user.id : null, now)
  if (!resolved || changed === 0) return
  const { key, item } = noteable
  if ((await unresolvedThreads(db, [item.id])).get(item.id) === undefined)
    await insertNotes(db, [{ ...key, author_id: actor.user.id, action: 'discussion', body: 'resolved all threads', created_at: now }])
}
