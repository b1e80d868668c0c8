/** The threads of a merge request's changes: those of some files, of which a bounded number is shown, and an index of all. */
import { sql } from 'kysely'
import { type DiscussionRow, visibleDiscussions } from '../../../collaboration/discussions/queries.ts'
import type { Noteable } from '../../../collaboration/notes/items/noteable.ts'
import type { Position } from '../../../collaboration/notes/positions/position.ts'
import { visibleNotes } from '../../../collaboration/notes/queries.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import type { Slices } from '../../../platform/kernel/answer/page.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type TimelineThread, threadsOf } from '../../items/timeline.ts'

/** Threads of one file that a page shows, and threads that the index has. */
const MOST_OF_FILE = 50
const MOST_INDEXED = 1000

/** A thread with its place in the changes. */
export interface PlacedThread extends TimelineThread {
  readonly position: Partial<Position>
  /** The commit that it is about, where that is one of the merge request's. */
  readonly commit: string | null
}

/** What the index knows of a thread. */
export interface IndexedThread {
  readonly id: string
  readonly position: Partial<Position>
  /** Undefined where it cannot be resolved. */
  readonly resolved: boolean | undefined
  /** Another one whenever something in the thread is another. */
  readonly stamp: string
}

const path = sql<string>`coalesce(notes.position->>'new_path', notes.position->>'old_path')`

/** The threads of the changes that the actor may read: one row each. */
const positioned = (db: Db, actor: Actor, noteable: Noteable) =>
  visibleNotes(db, actor, noteable)
    .clearSelect()
    .where('notes.position', 'is not', null)
    .groupBy('notes.discussion_id')
    .select(({ fn, ref }) => [
      ref('notes.discussion_id').as('id'),
      fn.min<number>('notes.id').as('first'),
      sql<string>`min(${path})`.as('path'),
      sql<boolean>`bool_or(notes.resolvable and notes.resolved_at is null)`.as('is_unresolved'),
    ])

/** The threads on some files, unresolved ones first: of each file those that are shown, and how many more there are. Fixed statements. */
export async function threadsOnFiles(
  ctx: Context,
  noteable: Noteable,
  paths: readonly string[],
): Promise<{ readonly threads: readonly PlacedThread[]; readonly left: ReadonlyMap<string, number> }> {
  const ranked = ctx.db
    .selectFrom(positioned(ctx.db, ctx.actor, noteable).where(path, '=', anyOf(paths)).as('thread'))
    .select([
      'id',
      'path',
      'first',
      sql<number>`count(*) over (partition by path)`.as('total'),
      sql<number>`row_number() over (partition by path order by is_unresolved desc, first)`.as('rank'),
    ])
  const rows = await ctx.db.selectFrom(ranked.as('ranked')).selectAll().where('rank', '<=', MOST_OF_FILE).orderBy('first').execute()
  const left = new Map(rows.filter(row => row.total > MOST_OF_FILE).map(row => [row.path, row.total - MOST_OF_FILE]))
  return {
    threads: await placedThreads(
      ctx,
      noteable,
      rows.map(({ id }) => id),
    ),
    left,
  }
}

/** The threads on files that the diff does not have: on earlier versions. The first few. */
export async function threadsElsewhere(ctx: Context, noteable: Noteable, paths: readonly string[], few: number) {
  const rows = await positioned(ctx.db, ctx.actor, noteable)
    .where(sql<boolean>`not (${path} = ${anyOf(paths)})`)
    .orderBy('first')
    .limit(few)
    .execute()
  return placedThreads(
    ctx,
    noteable,
    rows.map(({ id }) => id),
  )
}

/** All threads of the changes, or those of one file, oldest first. */
export function threadSlices(ctx: Context, noteable: Noteable, ofPath: string | undefined): Slices<DiscussionRow> {
  const all = positioned(ctx.db, ctx.actor, noteable)
  const threads = ofPath === undefined ? all : all.where(path, '=', ofPath)
  return {
    async slice(offset, limit) {
      const rows = await threads.orderBy('first').offset(offset).limit(limit).execute()
      return visibleDiscussions(
        ctx.db,
        ctx.actor,
        noteable,
        rows.map(({ id }) => id),
      )
    },
    async count(limit) {
      const { total } = await ctx.db
        .selectFrom(threads.limit(limit).as('some'))
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return total
    },
  }
}

/** Threads by their ids, as pages show them. */
export async function placedThreads(ctx: Context, noteable: Noteable, ids: readonly string[]): Promise<readonly PlacedThread[]> {
  return placed(ctx, noteable, await visibleDiscussions(ctx.db, ctx.actor, noteable, ids))
}

/** Threads with their places. */
export async function placed(ctx: Context, noteable: Noteable, rows: readonly DiscussionRow[]): Promise<readonly PlacedThread[]> {
  const shown = await threadsOf(ctx, noteable, rows)
  return rows.map(({ notes: [first] }, index) => ({
    ...(shown[index] as TimelineThread),
    position: (first?.position ?? {}) as Partial<Position>,
    commit: first?.commit_id ?? null,
  }))
}

/** All threads of the changes, as far as the index goes, oldest first. One statement. */
export async function indexOf(ctx: Context, noteable: Noteable): Promise<readonly IndexedThread[]> {
  const rows = await positioned(ctx.db, ctx.actor, noteable)
    .select([
      sql<Partial<Position>>`(array_agg(notes.position order by notes.created_at, notes.id))[1]`.as('position'),
      sql<boolean>`bool_or(notes.resolvable)`.as('is_resolvable'),
      sql<string>`left(md5(string_agg(concat_ws(' ', notes.id, notes.updated_at, notes.resolved_at, notes.position->>'head_sha',
        (select count(*) from award_emoji where award_emoji.note_id = notes.id),
        (select count(*) from suggestions where suggestions.note_id = notes.id and suggestions.applied)), ',' order by notes.id)), 12)`.as(
        'stamp',
      ),
    ])
    .orderBy('first')
    .limit(MOST_INDEXED)
    .execute()
  return rows.map(({ id, position, is_resolvable, is_unresolved, stamp }) => ({
    id,
    position,
    resolved: is_resolvable ? !is_unresolved : undefined,
    stamp,
  }))
}
