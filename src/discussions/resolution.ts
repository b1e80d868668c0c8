/** Threads of merge requests that are settled, and those that are not. */
import { allows } from '../access/abilities.ts'
import { anyOf } from '../db/any.ts'
import type { Db } from '../db/connection.ts'
import type { Context } from '../kernel/context.ts'
import { forbidden } from '../kernel/errors.ts'
import { type Noteable, subjectOf } from '../notes/noteable.ts'
import { setResolved } from '../notes/resolved.ts'
import { insertNotes } from '../notes/write.ts'

/**
 * Resolves a thread, or one note of it, or takes that back. 403 for whoever neither proposes the change nor develops the project, and
 * for what cannot be resolved.
 */
export async function resolveThread(
  ctx: Context,
  noteable: Noteable,
  notes: readonly { readonly id: number; readonly resolvable: boolean }[],
  resolved: boolean,
): Promise<void> {
  const { db, actor, now } = ctx
  const isAuthor = actor.user !== undefined && noteable.thing.author_id === actor.user.id
  if (!actor.user || noteable.type !== 'MergeRequest') throw forbidden()
  if (allows(actor, 'resolve_thread', subjectOf(noteable, isAuthor)) !== 'yes') throw forbidden()
  const ids = notes.filter(note => note.resolvable).map(note => note.id)
  if (ids.length === 0) throw forbidden()
  const changed = await setResolved(db, ids, resolved ? actor.user.id : null, now)
  if (!resolved || changed === 0) return
  const { id } = noteable.mergeRequest
  if ((await unresolvedThreads(db, [id])).get(id) === undefined)
    await insertNotes(db, [
      { merge_request_id: id, author_id: actor.user.id, action: 'discussion', body: 'resolved all threads', created_at: now },
    ])
}

/** How many threads of each of these merge requests are not resolved; those that have none are left out. One statement. */
export async function unresolvedThreads(db: Db, mergeRequestIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('notes')
    .select(({ ref, fn }) => [ref('merge_request_id').$notNull().as('id'), fn.count<number>('discussion_id').distinct().as('threads')])
    .where('merge_request_id', '=', anyOf(mergeRequestIds))
    .where('resolvable', '=', true)
    .where('resolved_at', 'is', null)
    .groupBy('merge_request_id')
    .execute()
  return new Map(rows.map(row => [row.id, Number(row.threads)]))
}
