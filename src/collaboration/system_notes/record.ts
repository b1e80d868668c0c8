/** Records system notes about changes, in the transaction of the change. */

import { usersById } from '../../identity/users/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { ChangeSet } from '../../platform/events/audit/kinds.ts'
import { itemKindOf, wordsOf } from '../item_kinds/item_kind.ts'
import type { ItemKey } from '../item_kinds/kinds.ts'
import { referencesOf } from '../item_kinds/references.ts'
import { insertNotes } from '../notes/writing/write.ts'
import { formatDuration } from '../time_tracking/durations.ts'
import { type Names, sentencesOf } from './texts.ts'

/** What closed an issue automatically: a merge request or a commit, with its project if that is another one. */
export type Closer = { readonly merge_request_id: number; readonly iid: number; readonly project_path: string } | NamedCommit

/** A commit named in an item of the same project or, with `project`, of another one. */
export interface NamedCommit {
  readonly commit: string
  readonly project?: { readonly id: number; readonly full_path: string } | undefined
}

/** Contract: `commit <id>`, and `commit group/project@<id>` from elsewhere (public behaviour at 14.0). */
export const commitNamed = ({ commit, project }: NamedCommit): string => `commit ${project ? `${project.full_path}@` : ''}${commit}`

/** The columns of a note that name a commit, so that only users who may read the code see the note. */
export const namedCommit = ({ commit, project }: NamedCommit) => ({
  named_commit: commit,
  ...(project && { named_project_id: project.id }),
})

/** Author, item and time of a change. */
export type NoteContext = ItemKey & {
  readonly author_id: number
  /** Full path of the project, or of the group of an epic. */
  readonly project_path: string
  readonly created_at: Date
  readonly closer?: Closer | undefined
}

/** Writes a note for each change of a change set. At most five statements resolve names, whatever has changed. */
export async function recordSystemNotes(db: Db, { project_path, closer, ...context }: NoteContext, changes: ChangeSet): Promise<void> {
  const names = await namesIn(db, project_path, wordsOf(itemKindOf(context)[0]), changes)
  const sentences = sentencesOf(changes, { ...names, closer: closer && nameOf(closer, project_path) })
  await insertNotes(
    db,
    sentences.map(sentence => ({ ...context, ...sentence, ...(sentence.action === 'state' && closer && namedBy(closer)) })),
  )
}

/** Contract: `merge request !7` (public behaviour at 14.0). */
const nameOf = (closer: Closer, project_path: string): string =>
  'commit' in closer ? commitNamed(closer) : `merge request ${referencesOf('!', closer.iid, closer.project_path, project_path).relative}`

/** The note is hidden from users who may not see what it names. */
const namedBy = (closer: Closer) => ('commit' in closer ? namedCommit(closer) : { named_merge_request_id: closer.merge_request_id })

/** The ids in a change set under a name, as a list or a single value. */
const idsIn = (changes: ChangeSet, name: string): number[] => {
  const change = changes[name]
  return change ? [change.from, change.to].flat().filter(id => typeof id === 'number') : []
}

/** References to issues as used in the project `project_path`. */
export async function issueReferences(db: Db, project_path: string, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('issues')
    .innerJoin('routes', 'routes.project_id', 'issues.project_id')
    .select(['issues.id', 'issues.iid', 'routes.path'])
    .where('issues.id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(row => [row.id, referencesOf('#', row.iid, row.path, project_path).relative]))
}

async function titlesOf(db: Db, table: 'milestones' | 'iterations', ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom(table).select(['id', 'title']).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row.title]))
}

async function namesIn(db: Db, project_path: string, noun: string, changes: ChangeSet): Promise<Names> {
  const users = await usersById(db, [...idsIn(changes, 'assignees'), ...idsIn(changes, 'reviewers')])
  const milestones = await titlesOf(db, 'milestones', idsIn(changes, 'milestone_id'))
  const iterations = await titlesOf(db, 'iterations', idsIn(changes, 'iteration_id'))
  const issues = await issueReferences(db, project_path, [...idsIn(changes, 'moved_to_id'), ...idsIn(changes, 'duplicated_to_id')])
  return {
    noun,
    // By id, since a label can be renamed.
    label: id => `~${id}`,
    user: id => `@${users.get(id)?.username ?? 'ghost'}`,
    milestone: id => `%"${milestones.get(id) ?? ''}"`,
    iteration: id => `*iteration:"${iterations.get(id) ?? ''}"`,
    issue: id => issues.get(id) ?? '',
    duration: seconds => formatDuration(seconds) ?? '0h',
  }
}
