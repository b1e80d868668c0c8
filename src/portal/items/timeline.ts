/** What was said about an item, and what happened to it, in one order: its threads, of which notes of the server are threads of one. */
import { type Reaction, reactionsTo } from '../../collaboration/award_emoji/queries.ts'
import { type DiscussionRow, discussionsOf } from '../../collaboration/discussions/queries.ts'
import { loadNotes, Note } from '../../collaboration/notes/entity.ts'
import type { Noteable } from '../../collaboration/notes/items/noteable.ts'
import type { Position } from '../../collaboration/notes/positions/position.ts'
import type { NoteRow } from '../../collaboration/notes/queries.ts'
import { Suggestion } from '../../collaboration/suggestions/entity.ts'
import { suggestionsOf } from '../../collaboration/suggestions/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Html } from '../../platform/pages/html.ts'
import { eitherHome } from '../places/planning.ts'
import type { ShownSuggestion } from '../suggestions/suggestion_view.ts'
import { renderTexts } from './texts.ts'

/** Threads of one part of a timeline. Parts begin at multiples of it, so that what is added at the end moves none. */
export const PART = 50

/** Threads that the last part has at least: where there are fewer, it begins one part earlier. */
const FEW = 10

/** A note with what a page shows of it. */
export interface TimelineNote {
  readonly id: number
  readonly author: { readonly id: number; readonly name: string; readonly username: string; readonly avatar_url: string | null }
  readonly created_at: string
  readonly updated_at: string
  readonly system: boolean
  readonly internal: boolean
  readonly body: Html
  /** Only the beginning of the text is shown. */
  readonly isCut: boolean
  readonly reactions: readonly Reaction[]
  /** Changes of the lines that it is on, which it suggests. */
  readonly suggestions: readonly ShownSuggestion[]
}

export interface TimelineThread {
  /** 40 hex digits. */
  readonly id: string
  /** The first and the last ones, where there are many. */
  readonly notes: readonly TimelineNote[]
  /** Notes after the first that are not shown. */
  readonly left: number
  /** Can it be answered? */
  readonly isThread: boolean
  /** Undefined where it cannot be resolved. */
  readonly resolved: boolean | undefined
  /** The file, and the line where it is about one, that it is about; undefined for a thread on the item as a whole. */
  readonly place: { readonly path: string; readonly line: number | undefined } | undefined
}

/** Threads that follow each other, from the `from`th on. */
export interface TimelinePart {
  readonly from: number
  readonly threads: readonly TimelineThread[]
}

export interface Timeline {
  readonly total: number
  /** The texts that it was asked for with, rendered. */
  readonly texts: readonly Html[]
  readonly first: TimelinePart
  /** What stands between the two parts: shown on request. */
  readonly hidden: { readonly from: number; readonly to: number } | undefined
  readonly last: TimelinePart | undefined
}

/** Threads that are counted at most. */
const MOST = 100_000

/** A commit's page shows the threads on its lines in the changes. */
const shownIn = ({ noun }: Noteable) => (noun === 'commit' ? 'whole' : 'changes')

/**
 * The first and the last part of an item's timeline.
 * @param beside texts of the item that the page shows, too: what they name is looked up with what the notes name
 */
export async function timelineOf(ctx: Context, noteable: Noteable, beside: readonly string[] = []): Promise<Timeline> {
  const slices = discussionsOf(ctx.db, ctx.actor, noteable, shownIn(noteable))
  // As many as stand in one part, however few the last one would have. Where there are no more, they say their number.
  const begin = await slices.slice(0, PART + FEW)
  const total = begin.length < PART + FEW ? begin.length : await slices.count(MOST)
  const lastFrom = Math.max(0, Math.floor((total - FEW) / PART) * PART)
  const rows = lastFrom === 0 ? begin : begin.slice(0, PART)
  const tail = lastFrom === 0 ? [] : await slices.slice(lastFrom, total - lastFrom)
  const { threads: shown, texts } = await threadsBeside(ctx, noteable, [...rows, ...tail], beside)
  return {
    total,
    texts,
    first: { from: 0, threads: shown.slice(0, rows.length) },
    hidden: lastFrom > PART ? { from: PART, to: lastFrom } : undefined,
    last: lastFrom === 0 ? undefined : { from: lastFrom, threads: shown.slice(rows.length) },
  }
}

/** One part of an item's timeline, up to the `to`th thread. */
export async function timelinePart(ctx: Context, noteable: Noteable, from: number, to: number): Promise<TimelinePart> {
  const slices = discussionsOf(ctx.db, ctx.actor, noteable, shownIn(noteable))
  const rows = await slices.slice(from, Math.max(0, Math.min(PART, to - from)))
  return { from, threads: await threadsOf(ctx, noteable, rows) }
}

/** Notes of one thread that a timeline shows; characters of all texts of a page together, and of each that is then too long. */
const MOST_NOTES = 50
const MOST_CHARACTERS = 400_000
const OF_LONG = 5_000

/** The notes of a thread that a timeline shows: the first, and the latest. */
const shownOf = (notes: DiscussionRow['notes']): DiscussionRow['notes'] =>
  notes.length <= MOST_NOTES ? notes : [...notes.slice(0, 1), ...notes.slice(1 - MOST_NOTES)]

/** The texts of a page: once they are many characters together, only the beginnings of long ones. */
function textsOf(notes: DiscussionRow['notes']): readonly string[] {
  let left = MOST_CHARACTERS
  return notes.map(({ body }) => {
    const text = body.length <= Math.max(OF_LONG, left / 4) ? body : body.slice(0, OF_LONG)
    left -= text.length
    return text.length <= OF_LONG || left >= 0 ? text : text.slice(0, OF_LONG)
  })
}

/** Threads as a page shows them. A fixed number of statements, and a bounded page whatever was written. */
export const threadsOf = async (ctx: Context, noteable: Noteable, rows: readonly DiscussionRow[]): Promise<readonly TimelineThread[]> =>
  (await threadsBeside(ctx, noteable, rows, [])).threads

async function threadsBeside(ctx: Context, noteable: Noteable, rows: readonly DiscussionRow[], beside: readonly string[]) {
  const { notes: shown, texts } = await notesBeside(
    ctx,
    noteable,
    rows.flatMap(row => shownOf(row.notes)),
    beside,
  )
  const byId = new Map(shown.map(note => [note.id, note]))
  const threads = rows.map(({ id, notes }) => ({
    id,
    isThread: notes.some(note => note.threaded),
    resolved: notes.some(note => note.resolvable) ? notes.every(note => !note.resolvable || note.resolved_at !== null) : undefined,
    place: placeOf(notes[0]),
    notes: shownOf(notes).map(note => byId.get(note.id) as TimelineNote),
    left: notes.length - shownOf(notes).length,
  }))
  return { threads, texts }
}

/** Notes as a page shows them. */
export const notesOf = async (ctx: Context, noteable: Noteable, rows: DiscussionRow['notes']): Promise<readonly TimelineNote[]> =>
  (await notesBeside(ctx, noteable, rows, [])).notes

async function notesBeside(ctx: Context, noteable: Noteable, rows: DiscussionRow['notes'], beside: readonly string[]) {
  const texts = rows.length === 1 ? rows.map(({ body }) => body) : textsOf(rows)
  const ids = rows.map(({ id }) => id)
  const [loaded, bodies, reactions, suggested] = await Promise.all([
    loadNotes(ctx, rows),
    renderTexts(ctx, eitherHome(noteable), [...texts, ...beside]),
    reactionsTo(ctx, 'note_id', ids),
    // Only the lines of merge requests can be changed by one.
    noteable.noun === 'merge_request' ? suggestionsOf(ctx.db, rows.flatMap(suggesting)) : undefined,
  ])
  const notes = rows.map((note, index) => {
    const { author, created_at, updated_at, system, internal } = Note.present(note, loaded, ctx)
    return {
      id: note.id,
      author,
      created_at: String(created_at),
      updated_at: String(updated_at),
      system,
      internal,
      body: bodies[index] as Html,
      isCut: (texts[index] as string).length < note.body.length,
      reactions: reactions.get(note.id) ?? [],
      suggestions: (suggested?.get(note.id) ?? []).map(row => Suggestion.present(row, undefined, ctx) as ShownSuggestion),
    }
  })
  return { notes, texts: bodies.slice(texts.length) }
}

/** The id of a note that may have suggestions: one on lines. */
const suggesting = ({ id, position }: NoteRow): readonly number[] => (position === null ? [] : [id])

/** Where in the changes a thread stands. */
function placeOf(first: NoteRow | undefined): TimelineThread['place'] {
  const position = first?.position as Partial<Position> | null | undefined
  const path = position?.new_path ?? position?.old_path
  return path === undefined || path === null ? undefined : { path, line: position?.new_line ?? position?.old_line ?? undefined }
}
