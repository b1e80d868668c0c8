/** An entry of a feed as JSON (events API). */

import Type from 'typebox'
import { type LoadedNotes, loadNotes, Note } from '../../collaboration/notes/entity.ts'
import { type NoteRow, notesById } from '../../collaboration/notes/queries.ts'
import { WikiPageBasic } from '../../collaboration/wikis/entity.ts'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import type { PushData } from '../../platform/events/catalog.ts'
import type { FeedTarget } from '../../platform/events/feed.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, described, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
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
  if (action === 'created') return target_type === 'project' || target_type === 'wiki' ? 'created' : 'opened'
  if (action === 'merged') return 'accepted'
  return action === 'commented' ? 'commented on' : action
}

export const FeedEntry = entity({
  name: 'Event',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    project_id: integer('ID of the project'),
    action_name: text('What was done, in words'),
    target_id: Nullable(integer('ID of what was acted on; null where it is a push')),
    target_iid: Nullable(integer('Number of what was acted on, within its project or group; null where it has none')),
    target_type: Nullable(text('Kind of what was acted on; null where it is a push')),
    target_title: Nullable(text('Title of what was acted on; null where it has none')),
    author_id: integer('ID of the author'),
    author_username: text('Username of the author'),
    author: described('The user who did it', Type.Object(summaryFields)),
    created_at: DateTime('When it was created'),
    // Contract: the note itself, for comments (events API).
    note: optional(described('The note; absent where the event is about something else', Note.schema)),
    // Contract: the page of a wiki, for events about one (events API).
    wiki_page: optional(described('The page of the wiki; absent where the event is about something else', WikiPageBasic.schema)),
    push_data: optional(
      described(
        'What was pushed',
        Type.Object({
          commit_count: integer('Number of pushed commits'),
          action: text('What was done to the reference: `created`, `removed` or `pushed`'),
          ref_type: text('`branch` or `tag`'),
          commit_from: Nullable(text('ID of the commit before the push; null where the reference is new')),
          commit_to: Nullable(text('ID of the commit after the push; null where the reference was deleted')),
          ref: Nullable(text('Name of the branch or tag; null where many were pushed in one step')),
          commit_title: Nullable(text('First line of the newest pushed commit; null where there is none')),
          ref_count: Nullable(integer('Number of references, where many were pushed in one step; null otherwise')),
        }),
      ),
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
      ...(named?.page ? { wiki_page: WikiPageBasic.present(named.page, undefined, facts) } : {}),
      ...(row.push_data === null ? {} : { push_data: row.push_data as unknown as PushData }),
    }
  },
})
