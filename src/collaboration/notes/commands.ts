/** Writes of user notes. System notes: system_notes/. */
import { countCreation } from '../../platform/application_settings/creation_limits.ts'
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, invalid } from '../../platform/kernel/errors.ts'
import { noteableKind } from '../item_kinds/item_kind.ts'
import { processMentions, readMentions } from '../mentions/process.ts'
import { storeSuggestions } from '../suggestions/write.ts'
import { finishTodos } from '../todos/write.ts'
import { assertSameFlag, requireInternalNotes } from './internal.ts'
import { requireCommenter } from './items/commenter.ts'
import { countNotes } from './items/counts.ts'
import type { Noteable } from './items/noteable.ts'
import type { Position } from './positions/position.ts'
import { type NoteRow, noteById } from './queries.ts'
import { insertNotes } from './writing/write.ts'

/** Input of a new note. */
export interface NewComment {
  readonly body: string
  readonly confidential?: boolean | undefined
  /** The recorded time, for callers who may set it. */
  readonly created_at?: string | undefined
  /** It was counted when it was drafted. */
  readonly isCounted?: true
}

/** The thread of a note: an existing one, or a new one that can be replied to. */
export interface Thread {
  readonly discussion_id?: string
  readonly confidential?: boolean
  /** For a thread on a diff. */
  readonly position?: Position | undefined
  /** The commit of a merge request that it is about. */
  readonly commit_id?: string | null | undefined
}

/**
 * Adds a note to an item, and counts it. 429 where `notes_create_limit` says so; 400 for a blank text; 403 if only members may comment, and for an internal note below Reporter.
 * @param thread undefined for an individual note
 */
export async function createNote(ctx: Context, on: Noteable, given: NewComment, thread?: Thread): Promise<NoteRow> {
  const { db, now } = ctx
  const author = requireCommenter(ctx, on)
  const body = requireText(given.body)
  await readMentions(body)
  if (!given.isCounted) await countCreation(ctx, 'notes_create_limit')
  // A thread is confidential as a whole.
  const confidential = thread?.confidential ?? given.confidential
  if (confidential) requireInternalNotes(ctx.actor, on)
  const noteable = (await noteableKind(on.noun).begin?.(ctx, on)) ?? on
  const [id] = await insertNotes(db, [
    {
      ...noteable.key,
      author_id: author.id,
      body,
      discussion_id: thread?.discussion_id,
      threaded: thread !== undefined,
      // Contract: only threads of merge requests can be resolved (discussions API).
      resolvable: thread !== undefined && noteableKind(noteable.noun).resolvable,
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
  // Commenting completes the author's to-do item.
  await finishTodos(db, author.id, noteable.key, now)
  await processMentions(ctx, textPlaceOf(noteable), note.body, { note })
  return note
}

/** Replies to a note. A reply turns an individual note into a thread (discussions API). 400 for a flag that differs from the thread's. */
export async function replyToNote(ctx: Context, noteable: Noteable, first: NoteRow, given: NewComment): Promise<NoteRow> {
  assertSameFlag(given.confidential, first.confidential)
  if (!first.threaded)
    await ctx.db
      .updateTable('notes')
      .set({ threaded: true, resolvable: noteableKind(noteable.noun).resolvable })
      .where('id', '=', first.id)
      .execute()
  const { discussion_id, confidential, commit_id } = first
  const position = first.position === null ? undefined : (first.position as unknown as Position)
  return createNote(ctx, noteable, given, { discussion_id, confidential, commit_id, position })
}

/** Changes of a note. */
export interface NoteChanges {
  readonly body?: string | undefined
  readonly confidential?: boolean | undefined
}

/**
 * Changes a note. 403 for system notes, and for making it internal or public below Reporter; 400 for making it differ from its
 * thread.
 */
export async function updateNote(ctx: Context, noteable: Noteable, note: NoteRow, { body, confidential }: NoteChanges): Promise<NoteRow> {
  const { db, now } = ctx
  requireCommenter(ctx, noteable)
  assertNotSystem(note)
  const changes = { ...(body === undefined ? {} : { body: requireText(body) }), ...(confidential === undefined ? {} : { confidential }) }
  const isChanged = (body !== undefined && body !== note.body) || (confidential !== undefined && confidential !== note.confidential)
  if (!isChanged) return note
  await readMentions(body ?? note.body)
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
  await processMentions(ctx, textPlaceOf(noteable), changed.body, { note: changed, isEdit: true })
  return changed
}

/** 400 if the thread has other notes with a different internal flag: the flag would split the thread. */
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

/** Deletes a note; 403 for system notes. */
export async function removeNote(ctx: Context, noteable: Noteable, note: NoteRow): Promise<void> {
  requireCommenter(ctx, noteable)
  assertNotSystem(note)
  const gone = await ctx.db.deleteFrom('notes').where('id', '=', note.id).returning('id').executeTakeFirst()
  // A concurrent request deleted it first.
  if (!gone) return
  await countNotes(ctx.db, noteable.key, -1, ctx.now)
  await tell(ctx, noteable, 'note.deleted', note.id)
}

/** Stores the suggestions of a note on a diff. */
async function suggest(ctx: Context, noteable: Noteable, note: NoteRow, isEdit: boolean): Promise<void> {
  if (note.position === null || !noteable.project) return
  await storeSuggestions(ctx, noteable.project, { ...note, position: note.position as unknown as Position }, isEdit)
}

const textPlaceOf = (noteable: Noteable) => noteableKind(noteable.noun).textPlace(noteable)

/** The text of a note; 400 if it is blank. */
function requireText(body: string): string {
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
