/** Writes of what people say. What the server tells of changes: system_notes/. */
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, invalid } from '../../platform/kernel/errors.ts'
import { itemKind } from '../item_kinds/item_kind.ts'
import { noticeMentions } from '../mentions/notice.ts'
import { keepSuggestions } from '../suggestions/write.ts'
import { finishTodos } from '../todos/write.ts'
import { countNotes } from './counts.ts'
import { assertSameFlag, requireInternalNotes } from './internal.ts'
import type { Noteable } from './noteable.ts'
import type { Position } from './position.ts'
import { type NoteRow, noteById } from './queries.ts'
import { speaker } from './speaker.ts'
import { insertNotes } from './write.ts'

/** What somebody says. */
export interface NewComment {
  readonly body: string
  readonly confidential?: boolean | undefined
  /** The time to record; for those who may choose it. */
  readonly created_at?: string | undefined
}

/** Where it is said: in a thread that is there, or in one of its own that can be answered. */
export interface Thread {
  readonly discussion_id?: string
  readonly confidential?: boolean
  /** Of a thread about a diff. */
  readonly position?: Position | undefined
  /** The commit of a merge request that it is about. */
  readonly commit_id?: string | null | undefined
}

/**
 * Says something about an item, and counts it. 400 for nothing but spaces, 403 where only members may talk, and for an internal note below Reporter.
 * @param thread undefined for a note that stands alone
 */
export async function createNote(ctx: Context, noteable: Noteable, given: NewComment, thread?: Thread): Promise<NoteRow> {
  const { db, now } = ctx
  const author = speaker(ctx, noteable)
  // A thread is confidential as a whole.
  const confidential = thread?.confidential ?? given.confidential
  if (confidential) requireInternalNotes(ctx.actor, noteable)
  const [id] = await insertNotes(db, [
    {
      ...noteable.key,
      author_id: author.id,
      body: saying(given.body),
      discussion_id: thread?.discussion_id,
      threaded: thread !== undefined,
      // Contract: threads of merge requests can be resolved, and no others (discussions API).
      resolvable: thread !== undefined && itemKind(noteable.noun).resolvable,
      position: thread?.position,
      commit_id: thread?.commit_id,
      confidential,
      created_at: given.created_at ?? now,
    },
  ])
  await countNotes(db, noteable.key, 1, now)
  await tell(ctx, noteable, 'note.created', id as number)
  const note = (await noteById(db, id as number)) as NoteRow
  await suggest(ctx, noteable, note, false)
  // Whoever answers has done something about it.
  await finishTodos(db, author.id, noteable.key, now)
  await noticeMentions(ctx, textPlaceOf(noteable), note.body, { note })
  return note
}

/** Answers a note. One that stood alone begins a thread by that (discussions API). 400 for a flag that is not the thread's. */
export async function answerNote(ctx: Context, noteable: Noteable, first: NoteRow, given: NewComment): Promise<NoteRow> {
  assertSameFlag(given.confidential, first.confidential)
  if (!first.threaded)
    await ctx.db
      .updateTable('notes')
      .set({ threaded: true, resolvable: itemKind(noteable.noun).resolvable })
      .where('id', '=', first.id)
      .execute()
  const { discussion_id, confidential, commit_id } = first
  const position = first.position === null ? undefined : (first.position as unknown as Position)
  return createNote(ctx, noteable, given, { discussion_id, confidential, commit_id, position })
}

/** What of a note can be changed. */
export interface NoteChanges {
  readonly body?: string | undefined
  readonly confidential?: boolean | undefined
}

/**
 * Changes what somebody has said; 403 for what the server told of a change, and for making it internal or public below Reporter; 400 for
 * making it so within a thread that is not.
 */
export async function updateNote(ctx: Context, noteable: Noteable, note: NoteRow, { body, confidential }: NoteChanges): Promise<NoteRow> {
  const { db, now } = ctx
  speaker(ctx, noteable)
  assertNotSystem(note)
  const changes = { ...(body === undefined ? {} : { body: saying(body) }), ...(confidential === undefined ? {} : { confidential }) }
  const isChanged = (body !== undefined && body !== note.body) || (confidential !== undefined && confidential !== note.confidential)
  if (!isChanged) return note
  if (changes.confidential !== undefined && changes.confidential !== note.confidential) {
    requireInternalNotes(ctx.actor, noteable)
    await assertThreadFlag(db, note, changes.confidential)
  }
  await db
    .updateTable('notes')
    .set({ ...changes, updated_at: now })
    .where('id', '=', note.id)
    .execute()
  await tell(ctx, noteable, 'note.updated', note.id)
  const changed = { ...note, ...changes, updated_at: now.toISOString() }
  if (body !== undefined) await suggest(ctx, noteable, changed, true)
  await noticeMentions(ctx, textPlaceOf(noteable), changed.body, { note: changed, isEdit: true })
  return changed
}

/** 400 where others have said something in the thread of the note that is not internal alike: the flag would split the thread. */
async function assertThreadFlag(db: Db, { id, discussion_id }: NoteRow, confidential: boolean): Promise<void> {
  const other = await db
    .selectFrom('notes')
    .select('confidential')
    .where('discussion_id', '=', discussion_id)
    .where('id', '!=', id)
    .where('action', 'is', null)
    .where('confidential', '!=', confidential)
    .limit(1)
    .executeTakeFirst()
  if (other) assertSameFlag(confidential, other.confidential)
}

/** Takes back what somebody has said; 403 for what the server told of a change. */
export async function removeNote(ctx: Context, noteable: Noteable, note: NoteRow): Promise<void> {
  speaker(ctx, noteable)
  assertNotSystem(note)
  const gone = await ctx.db.deleteFrom('notes').where('id', '=', note.id).returning('id').executeTakeFirst()
  // Somebody else was faster.
  if (!gone) return
  await countNotes(ctx.db, noteable.key, -1, ctx.now)
  await tell(ctx, noteable, 'note.deleted', note.id)
}

/** Keeps what a note about a place in a diff suggests. */
async function suggest(ctx: Context, noteable: Noteable, note: NoteRow, isEdit: boolean): Promise<void> {
  if (note.position === null || !noteable.project) return
  await keepSuggestions(ctx, noteable.project, { ...note, position: note.position as unknown as Position }, isEdit)
}

const textPlaceOf = (noteable: Noteable) => itemKind(noteable.noun).textPlace(noteable)

/** What is said; 400 for nothing but spaces. */
function saying(body: string): string {
  if (body.trim() === '') throw invalid({ note: ["can't be blank"] })
  return body
}

function assertNotSystem(note: NoteRow): void {
  if (note.action !== null) throw forbidden('The server wrote this note')
}

function tell({ db, actor }: Context, noteable: Noteable, kind: 'note.created' | 'note.updated' | 'note.deleted', note_id: number) {
  const { place } = noteable
  const where = 'project_id' in place ? { projectId: place.project_id } : { namespaceId: place.namespace_id }
  return recordEvent(db, { kind, payload: { note_id }, actorId: actor.user?.id, ...where })
}
