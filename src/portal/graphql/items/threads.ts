/** Threads of items, for many items at a time: a list of items with their threads costs the same number of statements however long it is. */
import type { DiscussionRow } from '../../../collaboration/discussions/queries.ts'
import { discussionsByNoteable } from '../../../collaboration/discussions/queries.ts'
import { itemKinds, noteableKinds } from '../../../collaboration/item_kinds/item_kind.ts'
import { type Noteable, subjectOf } from '../../../collaboration/notes/items/noteable.ts'
import type { NoteRow } from '../../../collaboration/notes/queries.ts'
import { isOwnNote } from '../../../collaboration/notes/scope.ts'
import { type Ability, type AbilitySubject, allows } from '../../../platform/access/abilities.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { renderTexts } from '../../items/texts.ts'
import type { GraphRequest } from '../reading/request.ts'
import { remembered } from './shared.ts'

/** A thread, with what it is on. */
export interface ShownDiscussion extends DiscussionRow {
  readonly noteable: Noteable
}

/** What a note is on, where it was read together with that. */
const noteables = new WeakMap<NoteRow, Noteable>()

/** The notes of a thread, which know what they are on. */
export function notesOfThread({ notes, noteable }: ShownDiscussion): readonly NoteRow[] {
  for (const note of notes) noteables.set(note, noteable)
  return notes
}

/** The same for a note alone. */
export function onNoteable<Row extends NoteRow>(note: Row, noteable: Noteable): Row {
  noteables.set(note, noteable)
  return note
}

interface Wanted {
  readonly noteable: Noteable
  readonly id: string
}

type Threads = (wanted: readonly Wanted[]) => Promise<ReadonlyMap<Wanted, ShownDiscussion>>
const threadLoaders = new WeakMap<GraphRequest, Threads>()

/** A thread on an item, as far as the caller may read it: one statement for all that are asked for meanwhile. */
export function threadOf(request: GraphRequest, noteable: Noteable, id: string): Promise<ShownDiscussion | undefined> {
  const load = remembered(threadLoaders, request, () => async wanted => {
    const groups = [...Map.groupBy(wanted, one => one.noteable)].map(([on, some]) => ({ noteable: on, ids: some.map(one => one.id) }))
    const found = await discussionsByNoteable(request.ctx.db, request.ctx.actor, groups)
    const threads = new Map(groups.map(({ noteable: on }, index) => [on, found[index] ?? new Map<string, DiscussionRow>()]))
    return new Map(
      wanted.flatMap(one => {
        const thread = threads.get(one.noteable)?.get(one.id)
        return thread ? [[one, { ...thread, noteable: one.noteable }] as const] : []
      }),
    )
  })
  return request.byId(load, { noteable, id })
}

/** What a note is on; found by its number where the note was not read together with it. */
export async function noteableOfNote(request: GraphRequest, note: NoteRow): Promise<Noteable | undefined> {
  const known = noteables.get(note)
  if (known) return known
  const kind = itemKinds.value.find(({ key }) => note[key] !== null)
  const project = note.project_id === null ? undefined : await request.project(note.project_id)
  return project && note.noteable_iid !== null ? kind?.find?.(request.ctx, project, note.noteable_iid) : undefined
}

type Html = (texts: readonly string[]) => Promise<ReadonlyMap<string, string>>
const renderers = new WeakMap<GraphRequest, Map<number, Html>>()

/** The text of a note as HTML; null where its project is not there for the caller. */
export async function htmlOf(request: GraphRequest, { project_id, body }: NoteRow): Promise<string | null> {
  const project = project_id === null ? undefined : await request.project(project_id)
  if (!project) return null
  const known = remembered(renderers, request, () => new Map<number, Html>())
  const render: Html =
    known.get(project.id) ??
    (async texts => {
      const shown = await renderTexts(request.ctx, project, texts)
      return new Map(texts.map((text, index) => [text, shown[index]?.text ?? '']))
    })
  known.set(project.id, render)
  request.repositories.count('texts', body.length)
  return (await request.byId(render, body)) ?? null
}

type Authors = (ids: readonly number[]) => Promise<ReadonlyMap<number, number>>
const authorLoaders = new WeakMap<GraphRequest, Authors>()

/** May the caller do this with a note? */
export async function permissionsOfNote(request: GraphRequest, note: NoteRow): Promise<Readonly<Record<string, boolean>>> {
  const { actor, db } = request.ctx
  const can = noteableKinds.value.find(({ key }) => note[key] !== null)?.notesApi.can
  const project = note.project_id === null ? undefined : await request.project(note.project_id)
  const subject: AbilitySubject | undefined = project ? projectSubject(project) : noteables.get(note)?.subject
  const own = isOwnNote(actor, note)
  const may = (ability: Ability | undefined, isOwn = own) =>
    ability !== undefined && subject !== undefined && allows(actor, ability, subjectOf({ subject: subject as never }, isOwn)) === 'yes'
  const authors = remembered(authorLoaders, request, () => async ids => {
    const rows = await db.selectFrom('merge_requests').select(['id', 'author_id']).where('id', '=', anyOf(ids)).execute()
    return new Map(rows.map(row => [row.id, row.author_id]))
  })
  const author = note.merge_request_id === null || !note.resolvable ? undefined : await request.byId(authors, note.merge_request_id)
  return {
    adminNote: note.action === null && may(can?.change),
    awardEmoji: may(can?.award),
    createNote: may(can?.say, false),
    readNote: may(can?.read),
    resolveNote: author !== undefined && may('resolve_thread', author === actor.user?.id),
  }
}
