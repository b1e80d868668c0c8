/** Notes on issues, merge requests and snippets, with reactions and suggestions. */

import { randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { Compile } from 'typebox/compile'
import { Position } from '../../../../collaboration/notes/positions/position.ts'
import { nameItems } from '../../../../collaboration/notes/writing/write.ts'
import type { Place } from '../../../../platform/access/places.ts'
import { parseJson } from '../../../../platform/bounded_json.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { insertRows, insertRowsWithIds } from '../../../../platform/db/statements/insert_rows.ts'
import { type Import, renamed, timesOf } from '../../importing/import.ts'
import { ArchiveRefused } from '../../reading/refused.ts'
import type { Row } from '../../reading/row.ts'
import { byId } from '../read.ts'
import { exportedAction, importedAction } from './actions.ts'
import { awardRows, exportedAwards } from './awards.ts'

/** The column of a table that says what a row belongs to. */
export type ItemColumn = 'issue_id' | 'merge_request_id' | 'snippet_id' | 'epic_id'

const nouns = { issue_id: 'Issue', merge_request_id: 'MergeRequest', snippet_id: 'ProjectSnippet', epic_id: 'Epic' } as const

/** What a note names is in this project. */
const namesNothingOutside = (
  projectId: number,
): RawBuilder<boolean> => sql<boolean>`coalesce(notes.named_project_id, ${projectId}) = ${projectId}
  and not exists (select from issues where issues.id = notes.named_issue_id and issues.project_id <> ${projectId})
  and not exists (select from merge_requests where merge_requests.id = notes.named_merge_request_id and merge_requests.project_id <> ${projectId})
  and not exists (select from snippets where snippets.id = notes.named_snippet_id and snippets.project_id is distinct from ${projectId})`

/** All that notes of groups name is outside of the archive, but epics. */
const namesNothing = sql<boolean>`notes.named_project_id is null and notes.named_issue_id is null
  and notes.named_merge_request_id is null and notes.named_snippet_id is null`

/** Bytes that a note takes beside its text. */
const BESIDE_TEXT = 700

/** Most bytes of the notes of an item: a line of an archive, which is read whole, has 24 MB (archive/lines.ts). Notes after that are left out. */
const MOST_NOTES = 16 * 1024 * 1024

/** The notes of these items as archives write them, by item. Those that name something in another project stay here: not all who read the archive may see it. */
export async function exportedNotes(db: Db, place: Place, column: ItemColumn, ids: readonly number[]): Promise<Map<number, object[]>> {
  const { rows: fitting } = await sql<{ readonly id: number }>`
    select id from (
      select id, sum(octet_length(body) + ${BESIDE_TEXT}) over (partition by ${sql.ref(column)} order by id) as bytes
        from notes where ${sql.ref(column)} = any(${ids}::bigint[])
    ) as measured where bytes <= ${MOST_NOTES}`.execute(db)
  const notes = await db
    .selectFrom('notes')
    .innerJoin('users', 'users.id', 'notes.author_id')
    .selectAll('notes')
    .select('users.name as author_name')
    .where('notes.id', '=', anyOf(fitting.map(({ id }) => id)))
    .where('notes.named_epic_id', 'is', null)
    .where('project_id' in place ? namesNothingOutside(place.project_id) : namesNothing)
    .orderBy('notes.id')
    .execute()
  const noteIds = notes.map(({ id }) => id)
  const awards = await exportedAwards(db, 'note_id', noteIds)
  const suggestions = byId(
    await db.selectFrom('suggestions').selectAll().where('note_id', '=', anyOf(noteIds)).orderBy('position').execute(),
    'note_id',
  )
  const found = new Map<number, object[]>(ids.map(id => [id, []]))
  for (const note of notes)
    found.get(note[column] as number)?.push({
      id: note.id,
      note: note.body,
      noteable_type: nouns[column],
      author_id: note.author_id,
      created_at: note.created_at,
      updated_at: note.updated_at,
      project_id: 'project_id' in place ? place.project_id : null,
      attachment: { url: null },
      line_code: null,
      commit_id: note.commit_id,
      system: note.action !== null,
      st_diff: null,
      updated_by_id: null,
      type: note.position !== null ? 'DiffNote' : note.threaded ? 'DiscussionNote' : null,
      position: note.position,
      original_position: note.original_position,
      change_position: null,
      resolved_at: note.resolved_at,
      resolved_by_id: note.resolved_by_id,
      resolved_by_push: null,
      discussion_id: note.discussion_id,
      confidential: note.confidential,
      author: { name: note.author_name },
      award_emoji: awards.get(note.id) ?? [],
      ...(note.action !== null && {
        system_note_metadata: {
          commit_count: null,
          action: exportedAction(note.action, note.body),
          created_at: note.created_at,
          updated_at: note.updated_at,
        },
      }),
      events: [],
      suggestions: suggestions(note.id).map(({ id: _id, note_id: _note, position, ...rest }) => ({
        relative_order: position,
        ...rest,
        outdated: false,
      })),
    })
  return found
}

/** An item here, and its row in the archive. */
export interface ImportedItem {
  readonly id: number
  readonly row: Row
}

const positions = Compile(Position)
const commitId = /^[0-9a-f]{40}$/
const LONGEST_PATH = 4096

/** The position of a note; undefined for none, and for one that is not understood. */
function positionIn(row: Row, name: string): Position | undefined {
  const given = row.raw(name)
  const value: unknown = typeof given === 'string' ? parsed(given) : given
  if (typeof value !== 'object' || value === null) return undefined
  const known = Object.fromEntries(Object.entries(value).filter(([key]) => key in Position.properties))
  if (!positions.Check(known) || !positions.Check(positions.Clean(known))) return undefined
  const position = positions.Clean(known) as Position
  const paths = [position.old_path, position.new_path]
  const isSound =
    [position.base_sha, position.start_sha, position.head_sha].every(sha => commitId.test(sha)) &&
    ['text', 'image'].includes(position.position_type) &&
    paths.every(path => path === null || (path.length <= LONGEST_PATH && !path.includes('\0')))
  return isSound ? position : undefined
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Contract: notes of people who have no account here say who wrote them (import and export of projects at 14.0). */
function bodyOf({ people, labelIds }: Import, row: Row, action: string | undefined): string {
  const given = row.maybeText('note') ?? ''
  // Notes name labels by their ids.
  const text = action === 'labels' ? given.replace(/~(\d{1,15})\b/g, (_, id) => `~${labelIds.get(Number(id)) ?? 'unknown'}`) : given
  if (people.areNamed || people.knows(row.maybeId('author_id'))) return text
  const name = row.row('author')?.maybeText('name', 255) ?? 'Ghost User'
  const time = (row.maybeText('updated_at', 64) ?? row.maybeText('created_at', 64) ?? '').split('.')[0]
  return `${text === '' ? '*Blank note*' : text}\n\n *By ${name} on ${time} (imported from GitLab)*`
}

const mention = /^mentioned in (issue #|merge request !)(\d{1,9})\b/

/** A note that names another item of the project, whose id is known when all are there. */
interface Naming {
  readonly note: number
  readonly column: 'named_issue_id' | 'named_merge_request_id'
  readonly iid: number
}

/** The notes that name items, until `connectMentions`. */
const namings = new WeakMap<Import, Map<string, Naming>>()

/** Writes the notes of items, and answers the number of those by people, in the order of the items. */
export async function importNotes(state: Import, column: ItemColumn, items: readonly ImportedItem[]): Promise<number[]> {
  const { db, people } = state
  const rows = items.flatMap(item => item.row.rows('notes').map(note => ({ item, note })))
  const threads = new Map<string, number>()
  for (const { note } of rows) {
    const thread = note.maybeText('discussion_id', 255)
    if (thread) threads.set(thread, (threads.get(thread) ?? 0) + 1)
  }
  const counts = new Map<number, number>()
  const ids = await insertRowsWithIds(
    db,
    'notes',
    rows.map(({ item, note }) => {
      const isSystem = note.flag('system')
      const text = note.maybeText('note') ?? ''
      const action = isSystem ? importedAction(note.row('system_note_metadata')?.maybeText('action', 255) ?? 'other', text) : undefined
      if (!isSystem) counts.set(item.id, (counts.get(item.id) ?? 0) + 1)
      const thread = note.maybeText('discussion_id', 255)
      const position = column === 'merge_request_id' ? positionIn(note, 'position') : undefined
      const isThreaded =
        !isSystem &&
        (position !== undefined ||
          ['DiscussionNote', 'DiffNote', 'LegacyDiffNote'].includes(note.maybeText('type', 255) ?? '') ||
          (threads.get(thread ?? '') ?? 0) > 1)
      const resolvable = column === 'merge_request_id' && isThreaded
      const resolved_at = resolvable ? (note.maybeInstant('resolved_at') ?? null) : null
      return {
        [column]: item.id,
        author_id: people.idOf(note.maybeId('author_id')),
        body: bodyOf(state, note, action),
        // The same thread may be here already, of the project that was exported.
        discussion_id: thread ? renamed(state, thread) : randomBytes(20).toString('hex'),
        threaded: isThreaded,
        confidential: note.flag('confidential'),
        action: action ?? null,
        position: position ? JSON.stringify(position) : null,
        original_position: position ? JSON.stringify(positionIn(note, 'original_position') ?? position) : null,
        commit_id: note.maybeCommit('commit_id') ?? null,
        resolvable,
        resolved_at,
        resolved_by_id: resolved_at === null ? null : people.maybeIdOf(note.maybeId('resolved_by_id')),
        ...timesOf(state, note),
      }
    }),
  )
  await insertRows(
    db,
    'award_emoji',
    rows.flatMap(({ note }, at) => awardRows(state, 'note_id', { id: ids[at] as number, row: note })),
  )
  await insertRows(
    db,
    'suggestions',
    rows.flatMap(({ note }, at) =>
      note.rows('suggestions').map((suggestion, position) => ({
        note_id: ids[at] as number,
        position,
        lines_above: suggestion.maybeInteger('lines_above') ?? 0,
        lines_below: suggestion.maybeInteger('lines_below') ?? 0,
        from_content: suggestion.maybeText('from_content') ?? '',
        to_content: suggestion.maybeText('to_content') ?? '',
        applied: suggestion.flag('applied'),
        commit_id: suggestion.maybeCommit('commit_id') ?? null,
      })),
    ),
  )
  const named = namings.get(state) ?? new Map<string, Naming>()
  namings.set(state, named)
  for (const [at, { item, note }] of rows.entries()) {
    const [, kind, iid] = mention.exec(note.flag('system') ? (note.maybeText('note') ?? '') : '') ?? []
    const target = kind?.startsWith('issue') ? 'named_issue_id' : 'named_merge_request_id'
    // An item names another one in one note.
    if (kind) named.set(`${column} ${item.id} ${target} ${iid}`, { note: ids[at] as number, column: target, iid: Number(iid) })
  }
  return items.map(({ id }) => counts.get(id) ?? 0)
}

/** Lets notes name the items that their texts name, so that those see them alone who may see both. */
export async function connectMentions(
  state: Import,
  { issues, mergeRequests }: { readonly issues: ReadonlyMap<number, number>; readonly mergeRequests: ReadonlyMap<number, number> },
): Promise<void> {
  for (const column of ['named_issue_id', 'named_merge_request_id'] as const) {
    const ids = column === 'named_issue_id' ? issues : mergeRequests
    const pairs = [...(namings.get(state)?.values() ?? [])].flatMap(naming => {
      const named = naming.column === column ? ids.get(naming.iid) : undefined
      return named === undefined ? [] : [{ note: naming.note, named }]
    })
    await nameItems(state.db, column, pairs)
  }
}

/** Refuses a list of one item that is longer than any item has. */
export function assertFew(rows: readonly unknown[], most: number, relation: string, what: string): void {
  if (rows.length > most) throw new ArchiveRefused(`${relation}: an item has more than ${most} ${what}`, relation)
}
