/** Reads of threads, which group notes. An individual note is a thread of one. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { genericPlan } from '../../platform/db/statements/prepared.ts'
import type { Slices } from '../../platform/kernel/answer/page.ts'
import type { Noteable } from '../notes/items/noteable.ts'
import { isListed, type NoteRow, visibleNotes } from '../notes/queries.ts'

export interface DiscussionRow {
  /** 40 hex digits. */
  readonly id: string
  /** Oldest first; never empty. */
  readonly notes: readonly NoteRow[]
}

/** The notes of threads that the actor may read, oldest first. */
const notesIn = (db: Db, actor: Actor, noteable: Noteable, ids: readonly string[]) =>
  visibleNotes(db, actor, noteable).where('notes.discussion_id', '=', anyOf(ids)).orderBy('notes.created_at').orderBy('notes.id').execute()

/** Threads in slices, whose way does not depend on how many there are. */
interface Threads extends Slices<DiscussionRow> {
  slice(offset: number, limit: number): Promise<readonly DiscussionRow[]>
}

/**
 * The threads on an item that the actor may read, in order of creation. One statement a page, and one for their number. Their plans are kept: whatever the
 * values, the notes of the item are read.
 * @param which with `changes` also the notes about changes that the API lists as resource events; with `whole` none that have a position
 */
export function discussionsOf(db: Db, actor: Actor, noteable: Noteable, which: 'listed' | 'changes' | 'whole' = 'listed'): Threads {
  const visible = visibleNotes(db, actor, noteable)
  const wanted = which === 'listed' ? visible.where(isListed) : which === 'whole' ? visible.where('notes.position', 'is', null) : visible
  const threads = wanted.clearSelect().select('notes.discussion_id').groupBy('notes.discussion_id')
  const isFirst = [sql`min(notes.created_at)`, sql`min(notes.id)`] as const
  return {
    async slice(offset, limit) {
      const slice = threads
        .select(sql<number>`row_number() over (order by ${sql.join(isFirst)})`.as('at'))
        .orderBy(isFirst[0])
        .orderBy(isFirst[1])
        .limit(limit)
        .offset(offset)
      const rows = await visible
        .modifyFront(genericPlan)
        .innerJoin(slice.as('slice'), 'slice.discussion_id', 'notes.discussion_id')
        .orderBy('slice.at')
        .orderBy('notes.created_at')
        .orderBy('notes.id')
        .execute()
      return [...Map.groupBy(rows, row => row.discussion_id)].map(([id, notes]) => ({ id, notes }))
    },
    async count(limit) {
      const { total } = await db
        .selectFrom(threads.limit(limit).as('some'))
        .modifyFront(genericPlan)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return total
    },
  }
}

/** These threads on an item, in the given order, as far as the actor may read them. One statement. */
export async function visibleDiscussions(db: Db, actor: Actor, noteable: Noteable, ids: readonly string[]): Promise<DiscussionRow[]> {
  if (ids.length === 0) return []
  const notes = Map.groupBy(await notesIn(db, actor, noteable, ids), note => note.discussion_id)
  return ids.flatMap(id => ({ id, notes: notes.get(id) ?? [] })).filter(({ notes }) => notes.length > 0)
}

/** The ids of the threads on an item that the actor may read and that the API lists, in order of creation. */
export const discussionIdsOf = (db: Db, actor: Actor, noteable: Noteable) =>
  visibleNotes(db, actor, noteable)
    .where(isListed)
    .clearSelect()
    .select('notes.discussion_id')
    .groupBy('notes.discussion_id')
    .orderBy(sql`min(notes.created_at)`)
    .orderBy(sql`min(notes.id)`)

/** Threads on several items, as far as the actor may read them: for each item its threads by id. One statement. */
export async function discussionsByNoteable(
  db: Db,
  actor: Actor,
  wanted: readonly { readonly noteable: Noteable; readonly ids: readonly string[] }[],
): Promise<readonly ReadonlyMap<string, DiscussionRow>[]> {
  if (wanted.length === 0) return []
  const parts = wanted.map(
    ({ noteable, ids }, index) =>
      sql`(select found.*, ${sql.lit(index)}::int as at_item
             from (${visibleNotes(db, actor, noteable).where('notes.discussion_id', '=', anyOf(ids))}) as found)`,
  )
  const { rows } = await sql<NoteRow & { at_item: number }>`
    select * from (${sql.join(parts, sql` union all `)}) as notes order by at_item, created_at, id`.execute(db)
  const byItem = Map.groupBy(rows, row => row.at_item)
  return wanted.map((_, index) => {
    const threads = Map.groupBy(
      (byItem.get(index) ?? []).map(({ at_item: _at, ...note }) => note as NoteRow),
      note => note.discussion_id,
    )
    return new Map([...threads].map(([id, notes]) => [id, { id, notes }]))
  })
}

/** A thread on an item, if the actor may read it. */
export async function visibleDiscussion(db: Db, actor: Actor, noteable: Noteable, id: string): Promise<DiscussionRow | undefined> {
  const notes = await notesIn(db, actor, noteable, [id])
  return notes.length === 0 ? undefined : { id, notes }
}

/** Is there a thread with this id on an item, with a note that the actor may read? */
export async function isThreadVisible(db: Db, actor: Actor, noteable: Noteable, id: string): Promise<boolean> {
  const first = visibleNotes(db, actor, noteable).where('notes.discussion_id', '=', id).clearSelect().select('notes.id').limit(1)
  return (await first.executeTakeFirst()) !== undefined
}
