/** Drafts of what somebody will say in a review, and saying it all at once. */

import { type GivenPosition, placeInDiff } from '../../collaboration/discussions/placing.ts'
import { type DiscussionRow, visibleDiscussion } from '../../collaboration/discussions/queries.ts'
import { resolveThread } from '../../collaboration/discussions/resolution.ts'
import { assertSameFlag } from '../../collaboration/notes/internal.ts'
import { subjectOf } from '../../collaboration/notes/noteable.ts'
import { flagOf, type GivenFlag } from '../../collaboration/notes/params.ts'
import type { Position } from '../../collaboration/notes/position.ts'
import type { NoteRow } from '../../collaboration/notes/queries.ts'
import { speaker } from '../../collaboration/notes/speaker.ts'
import { createNoteWithQuickActions, type Manner } from '../../collaboration/quick_actions/notes.ts'
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid, notFound } from '../../platform/kernel/errors.ts'
import type { NoteableMergeRequest } from '../merge_requests/noteable.ts'
import { type DraftRow, draftsOf } from './queries.ts'

export interface NewDraft extends GivenFlag {
  readonly note: string
  readonly commit_id?: string | undefined
  /** The thread that it answers. */
  readonly in_reply_to_discussion_id?: string | undefined
  /** Whether the thread is resolved by it. */
  readonly resolve_discussion?: boolean | undefined
  readonly position?: GivenPosition | undefined
}

/**
 * Keeps a draft. 400 for nothing but spaces, for places that the diff does not have and for a flag that is not the thread's, 404 for a
 * thread that is not there.
 */
export async function createDraft(ctx: Context, noteable: NoteableMergeRequest, given: NewDraft): Promise<DraftRow> {
  const { db, now } = ctx
  const author = speaker(ctx, noteable)
  const { in_reply_to_discussion_id = null } = given
  await assertThreadFlag(ctx, noteable, in_reply_to_discussion_id, given)
  const position = given.position && (await placeInDiff(ctx, noteable, given.position))
  return db
    .insertInto('draft_notes')
    .values({
      merge_request_id: noteable.mergeRequest.id,
      author_id: author.id,
      note: draftText(given.note),
      discussion_id: in_reply_to_discussion_id,
      resolve_discussion: given.resolve_discussion ?? false,
      commit_id: given.commit_id ?? null,
      position: position ? JSON.stringify(position) : null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes a draft: its text, its place, or both. */
export async function updateDraft(
  ctx: Context,
  noteable: NoteableMergeRequest,
  draft: DraftRow,
  { note, position, ...flag }: Partial<Pick<NewDraft, 'note' | 'position'>> & GivenFlag,
): Promise<DraftRow> {
  if (flagOf(flag) !== undefined) await assertThreadFlag(ctx, noteable, draft.discussion_id, flag)
  const placed = position && (await placeInDiff(ctx, noteable, position))
  return ctx.db
    .updateTable('draft_notes')
    .set({
      ...(note !== undefined && { note: draftText(note) }),
      ...(placed && { position: JSON.stringify(placed) }),
      updated_at: ctx.now,
    })
    .where('id', '=', draft.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function removeDraft({ db }: Context, draft: DraftRow): Promise<void> {
  await db.deleteFrom('draft_notes').where('id', '=', draft.id).execute()
}

/**
 * Says what the caller has drafted for a merge request, in the order of writing: all of it, or one draft. Nothing where there is none.
 * 404 where the thread that a draft answers is gone, for the caller too: said elsewhere an answer to an internal thread would be public.
 */
export async function publishDrafts(ctx: Context, noteable: NoteableMergeRequest, only?: DraftRow): Promise<void> {
  const { db, actor } = ctx
  speaker(ctx, noteable)
  const ids = draftsOf(db, noteable.mergeRequest.id, actor.user?.id).clearSelect().select('id')
  // Of two who publish at once one finds them.
  const drafts = await db
    .deleteFrom('draft_notes')
    .where('id', 'in', only ? ids.where('id', '=', only.id) : ids)
    .returningAll()
    .execute()
  for (const draft of drafts.sort((a, b) => a.id - b.id)) await publish(ctx, noteable, draft)
}

async function publish(ctx: Context, noteable: NoteableMergeRequest, draft: DraftRow): Promise<void> {
  const { db, actor } = ctx
  const thread = await threadOf(ctx, noteable, draft.discussion_id)
  const position = draft.position === null ? undefined : (draft.position as unknown as Position)
  const first = thread?.notes[0]
  const manner: Manner = first
    ? { answering: first as NoteRow }
    : position || draft.commit_id
      ? { beginning: { position, commit_id: draft.commit_id } }
      : 'alone'
  await createNoteWithQuickActions(ctx, noteable, { body: draft.note }, manner)
  if (!first || !draft.resolve_discussion) return
  const notes = (await visibleDiscussion(db, actor, noteable, first.discussion_id))?.notes ?? []
  const isAuthor = noteable.item.author_id === actor.user?.id
  // Whoever may not resolve threads has still said what they wanted to say.
  if (allows(actor, 'resolve_thread', subjectOf(noteable, isAuthor)) === 'yes') await resolveThread(ctx, noteable, notes, true)
}

/** The thread that a draft answers; 404 for one that is not there or that the caller may not read. */
async function threadOf({ db, actor }: Context, noteable: NoteableMergeRequest, id: string | null): Promise<DiscussionRow | undefined> {
  if (id === null) return undefined
  const thread = await visibleDiscussion(db, actor, noteable, id)
  if (!thread) throw notFound('Discussion')
  return thread
}

/** A draft is internal where the thread is that it answers; a thread that it begins is public. 400 where the caller says otherwise. */
async function assertThreadFlag(
  ctx: Context,
  noteable: NoteableMergeRequest,
  discussionId: string | null,
  given: GivenFlag,
): Promise<void> {
  const thread = await threadOf(ctx, noteable, discussionId)
  if (thread) assertSameFlag(flagOf(given), thread.notes[0]?.confidential ?? false)
  else assertSameFlag(flagOf(given), false, 'a thread that a draft begins')
}

/** What is drafted; 400 for nothing but spaces. */
function draftText(note: string): string {
  if (note.trim() === '') throw invalid({ note: ["can't be blank"] })
  return note
}
