/** An entry of a feed as JSON (events API). */
import Type from 'typebox'
import { type LoadedNotes, loadNotes, Note } from '../../collaboration/notes/entity.ts'
import { type NoteRow, notesById } from '../../collaboration/notes/queries.ts'
import { presentSummary, type SummaryRow, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import type { FeedTarget, PushData } from '../../platform/events/feed.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import type { FeedRow } from './queries.ts'
import { type TargetName, targets } from './targets.ts'

interface Loaded {
  readonly authors: Map<number, SummaryRow>
  readonly notes: Map<number, NoteRow>
  readonly noteParts: LoadedNotes
  readonly names: Map<string, Map<number, TargetName>>
}

/** One statement for the authors, and one for each kind of target, whether or not the page has any. */
async function load(ctx: Context, rows: readonly FeedRow[]): Promise<Loaded> {
  const { db } = ctx
  const notes = await notesById(
    db,
    rows.filter(row => row.target_type === 'note').map(row => row.target_id as number),
  )
  const names = Object.entries(targets).map(async ([type, target]) => {
    const ids = rows.filter(row => row.target_type === type).map(row => row.target_id as number)
    return [type, await target.names(db, ids)] as const
  })
  return {
    authors: await usersById(db, idsOf(rows, 'author_id')),
    notes,
    noteParts: await loadNotes(ctx, [...notes.values()]),
    names: new Map(await Promise.all(names)),
  }
}

/** Contract: the action, in the words of the events API. */
function actionName({ action, target_type, push_data }: FeedRow): string {
  if (push_data !== null)
    return { created: 'pushed new', removed: 'deleted', pushed: 'pushed to' }[(push_data as unknown as PushData).action]
  if (action === 'created') return target_type === 'project' ? 'created' : 'opened'
  if (action === 'merged') return 'accepted'
  return action === 'commented' ? 'commented on' : action
}

export const FeedEntry = entity({
  name: 'Event',
  schema: Type.Object({
    id: Type.Integer(),
    project_id: Type.Integer(),
    action_name: Type.String(),
    target_id: Nullable(Type.Integer()),
    target_iid: Nullable(Type.Integer()),
    target_type: Nullable(Type.String()),
    target_title: Nullable(Type.String()),
    author_id: Type.Integer(),
    author_username: Type.String(),
    author: Type.Object(summaryFields),
    created_at: DateTime(),
    // Contract: the note itself, for comments (events API).
    note: Type.Optional(Note.schema),
    push_data: Type.Optional(
      Type.Object({
        commit_count: Type.Integer(),
        action: Type.String(),
        ref_type: Type.String(),
        commit_from: Nullable(Type.String()),
        commit_to: Nullable(Type.String()),
        ref: Nullable(Type.String()),
        commit_title: Nullable(Type.String()),
        ref_count: Nullable(Type.Integer()),
      }),
    ),
  }),
  load,
  present: (row: FeedRow, { authors, names, notes, noteParts }: Loaded, facts) => {
    const type = row.target_type as FeedTarget | null
    const shownAs = (type && targets[type]?.shownAs) ?? null
    const named = type && row.target_id !== null ? names.get(type)?.get(row.target_id) : undefined
    const note = type === 'note' ? notes.get(row.target_id as number) : undefined
    const author = authors.get(row.author_id) as SummaryRow
    return {
      id: row.id,
      project_id: row.project_id,
      action_name: actionName(row),
      target_id: shownAs === null ? null : row.target_id,
      target_iid: named?.iid ?? null,
      target_type: shownAs,
      target_title: named?.title ?? null,
      author_id: row.author_id,
      author_username: author.username,
      author: presentSummary(author, facts),
      created_at: row.created_at,
      ...(note ? { note: Note.present(note, noteParts, facts) } : {}),
      ...(row.push_data === null ? {} : { push_data: row.push_data as unknown as PushData }),
    }
  },
})
