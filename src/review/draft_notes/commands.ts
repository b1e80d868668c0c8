/** Draft notes of a review, and publishing them. */

import { type DiscussionRow, visibleDiscussion } from '../../collaboration/discussions/queries.ts'
import { resolveThread } from '../../collaboration/discussions/resolution.ts'
import { type GivenPosition, placeInDiff } from '../../collaboration/discussions/resolve_position.ts'
import { assertSameFlag } from '../../collaboration/notes/internal.ts'
import { requireCommenter } from '../../collaboration/notes/items/commenter.ts'
import { subjectOf } from '../../collaboration/notes/items/noteable.ts'
import { flagOf, type GivenFlag } from '../../collaboration/notes/params.ts'
import type { Position } from '../../collaboration/notes/positions/position.ts'
import type { NoteRow } from '../../collaboration/notes/queries.ts'
import { createNoteWithQuickActions, type NotePlacement, readMentionsOfNote } from '../../collaboration/quick_actions/notes.ts'
import { allows } from '../../platform/access/abilities.ts'
import { countCreation } from '../../platform/application_settings/creation_limits.ts'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, invalid, notFound } from '../../platform/kernel/errors.ts'
import { type Approving, approve } from '../approvals/commands.ts'
import { lockMergeRequest } from '../merge_requests/changes/update.ts'
import type { NoteableMergeRequest } from '../merge_requests/item_kind/noteable.ts'
import { type DraftRow, draftsOf } from './queries.ts'

/** Drafts of a person for one merge request: they are published in one transaction, which keeps the merge request from all others. */
const MOST_DRAFTS = 100

export interface NewDraft extends GivenFlag {
  readonly note: string
  readonly commit_id?: string | undefined
  /** The thread that it replies to. */
  readonly in_reply_to_discussion_id?: string | undefined
  /** Whether publishing it resolves the thread. */
  readonly resolve_discussion?: boolean | undefined
  readonly position?: GivenPosition | undefined
}

/**
 * Stores a draft. Refuses with 400 for a blank text, a position that is not in the diff or an internal flag that differs from the
 * thread's, or if there are too many drafts already, and with 404 for a thread that does not exist. 429 where `notes_create_limit` says so.
 */
export async function createDraft(ctx: Context, noteable: NoteableMergeRequest, given: NewDraft): Promise<DraftRow> {
  const { db, now } = ctx
  const author = requireCommenter(ctx, noteable)
  const { in_reply_to_discussion_id = null } = given
  await assertThreadFlag(ctx, noteable, in_reply_to_discussion_id, given)
  const note = draftText(given.note)
  await countCreation(ctx, 'notes_create_limit')
  const position = given.position && (await placeInDiff(ctx, noteable, given.position))
  const add = async (tx: Db): Promise<DraftRow> => {
    await assertRoom(tx, noteable.mergeRequest.id, author.id)
    return tx
      .insertInto('draft_notes')
      .values({
        merge_request_id: noteable.mergeRequest.id,
        author_id: author.id,
        note,
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
  return db.isTransaction ? add(db) : transact(db, add)
}

/** 400 if a person has as many drafts for a merge request as may be published together. Others that add one wait, so that none exceeds it. */
async function assertRoom(db: Db, mergeRequestId: number, authorId: number): Promise<void> {
  await lockName(db, 'drafts', mergeRequestId, authorId)
  const { count } = await db
    .selectFrom('draft_notes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('merge_request_id', '=', mergeRequestId)
    .where('author_id', '=', authorId)
    .executeTakeFirstOrThrow()
  if (count >= MOST_DRAFTS) throw badRequest(`a person has ${MOST_DRAFTS} drafts at most for one merge request`)
}

/** Changes the text or the position of a draft, or both. */
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
  await db.deleteFrom('draft_notes').where('id', '=', draft.id).returning('id').executeTakeFirstOrThrow()
}

/** What a review has besides its drafts. */
export interface ReviewSummary extends Approving {
  /** A comment on the whole. */
  readonly note?: string | undefined
  readonly approve?: boolean | undefined
}

/** Publishes all of the caller's drafts, a comment on the whole and an approval, as far as they are given: all or nothing. */
export async function submitReview(
  ctx: Context,
  noteable: NoteableMergeRequest,
  { note = '', approve: isApproved, ...approving }: ReviewSummary,
): Promise<void> {
  await publishDrafts(ctx, noteable)
  if (note.trim() !== '') await createNoteWithQuickActions(ctx, noteable, { body: note }, 'alone')
  if (isApproved) await approve(ctx, noteable, approving)
}

/**
 * Publishes the caller's drafts on a merge request in order of writing, all of them or one. Does nothing if there are none. 404 if the
 * thread that a draft replies to no longer exists for the caller: a reply to an internal thread must not be published elsewhere.
 */
export async function publishDrafts(ctx: Context, noteable: NoteableMergeRequest, only?: DraftRow): Promise<void> {
  const { db, actor } = ctx
  requireCommenter(ctx, noteable)
  // Drafts go with their merge request: of one that was deleted meanwhile there are none to publish.
  await lockMergeRequest(db, noteable.mergeRequest.id)
  const ids = draftsOf(db, noteable.mergeRequest.id, actor.user?.id).clearSelect().select('id')
  // Deleting returns each draft to one of two concurrent requests only. The one that was asked for may be gone.
  const taken = db
    .deleteFrom('draft_notes')
    .where('id', 'in', only ? ids.where('id', '=', only.id) : ids)
    .returningAll()
  const drafts = only ? [await taken.executeTakeFirstOrThrow()] : await taken.execute()
  // All of them before the first is published: each long text that is found later would begin everything again.
  await Promise.all(drafts.map(({ note }) => readMentionsOfNote(ctx, noteable, note)))
  for (const draft of drafts.sort((a, b) => a.id - b.id)) await publish(ctx, noteable, draft)
}

async function publish(ctx: Context, noteable: NoteableMergeRequest, draft: DraftRow): Promise<void> {
  const { db, actor } = ctx
  const thread = await threadOf(ctx, noteable, draft.discussion_id)
  const position = draft.position === null ? undefined : (draft.position as unknown as Position)
  const first = thread?.notes[0]
  const manner: NotePlacement = first
    ? { answering: first as NoteRow }
    : position || draft.commit_id
      ? { beginning: { position, commit_id: draft.commit_id } }
      : 'alone'
  await createNoteWithQuickActions(ctx, noteable, { body: draft.note, isCounted: true }, manner)
  if (!first || !draft.resolve_discussion) return
  const notes = (await visibleDiscussion(db, actor, noteable, first.discussion_id))?.notes ?? []
  const isAuthor = noteable.item.author_id === actor.user?.id
  // A caller who may not resolve threads still publishes the note.
  if (allows(actor, 'resolve_thread', subjectOf(noteable, isAuthor)) === 'yes') await resolveThread(ctx, noteable, notes, true)
}

/** The thread that a draft replies to; 404 if it does not exist or the caller may not read it. */
async function threadOf({ db, actor }: Context, noteable: NoteableMergeRequest, id: string | null): Promise<DiscussionRow | undefined> {
  if (id === null) return undefined
  const thread = await visibleDiscussion(db, actor, noteable, id)
  if (!thread) throw notFound('Discussion')
  return thread
}

/** A draft is internal if its thread is; a draft that starts a thread is public. 400 if the caller asks for something else. */
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

/** The text of a draft; 400 if it is blank. */
function draftText(note: string): string {
  if (note.trim() === '') throw invalid({ note: ["can't be blank"] })
  return note
}
