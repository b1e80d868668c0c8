/** From the names and global ids of an input to the ids of a route. What is found here is not shown: the scope of the declaration asks who may see it. */
import { idsByUsername } from '../../../identity/users/queries.ts'
import { labelsIn } from '../../../planning/labels/queries.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { type PlanningPlace, placeOfProject } from '../../../spaces/places/places.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { globalIdIn, type IdScalar, numberOrGlobalId } from '../reading/ids.ts'
import type { MutationRun, Sent } from './run.ts'
import { required } from './run.ts'

/** The path of a project as `:id` of a route; a number would be taken for an id. */
export function projectAt(path: string): string {
  if (!path.includes('/')) throw notFound('Project')
  return path
}

/** The path of a group as `:id` of a route. */
export function groupAt(path: string): string {
  if (/^\d*$/.test(path)) throw notFound('Group')
  return path
}

/** Whether a list is replaced, added to or taken from. */
export type OperationMode = 'REPLACE' | 'APPEND' | 'REMOVE'

/** A list after the operation. */
export function listAfter(mode: OperationMode | null | undefined, present: readonly number[], named: readonly number[]): readonly number[] {
  if (mode === 'APPEND') return [...new Set([...present, ...named])]
  return mode === 'REMOVE' ? present.filter(id => !named.includes(id)) : named
}

/** The ids of the users with these names; names that are none are left out. */
export const userIds = (run: MutationRun, usernames: readonly string[]): Promise<readonly number[]> => idsByUsername(run.ctx.db, usernames)

/** The names of the labels with these ids, those that can be used in the project: a label of another place would be made by its name. */
export const labelNames = (run: MutationRun, project: ProjectWithRole, ids: readonly string[]): Promise<readonly string[]> =>
  labelNamesIn(run, placeOfProject(project), ids)

/** The same in a project or group. */
export async function labelNamesIn({ ctx }: MutationRun, place: PlanningPlace, ids: readonly string[]): Promise<readonly string[]> {
  const numbers = ids.map(id => numberOrGlobalId('LabelID', id))
  const rows = await labelsIn(ctx.db, ctx.actor, place, {}).where('labels.id', '=', anyOf(numbers)).execute()
  return rows.map(({ name }) => name)
}

/** Where the endpoints of something are that can be commented on, reacted to or put on the to-do list. */
export interface ItemPlace {
  readonly kind: 'issue' | 'merge_request' | 'epic' | 'snippet' | 'commit'
  readonly ids: Sent
}

/** The routes of what can be commented on. */
export const noteableRoutes = {
  issue: '/projects/:id/issues/:issue_iid',
  merge_request: '/projects/:id/merge_requests/:merge_request_iid',
  epic: '/groups/:id/epics/:epic_id',
  snippet: '/projects/:id/snippets/:snippet_id',
  commit: '/projects/:id/repository/commits/:sha',
} as const satisfies Record<ItemPlace['kind'], string>

/** The routes of what can be reacted to. */
export const awardableRoutes = {
  issue: noteableRoutes.issue,
  merge_request: noteableRoutes.merge_request,
  epic: '/groups/:id/epics/:epic_iid',
  snippet: noteableRoutes.snippet,
} as const

const places = {
  async Issue({ ctx }: MutationRun, id: number): Promise<ItemPlace> {
    const row = await ctx.db.selectFrom('issues').select(['project_id', 'iid']).where('id', '=', id).executeTakeFirst()
    const { project_id, iid } = required(row)
    return { kind: 'issue', ids: { id: String(project_id), issue_iid: iid } }
  },
  async MergeRequest({ ctx }: MutationRun, id: number): Promise<ItemPlace> {
    const row = await ctx.db.selectFrom('merge_requests').select(['project_id', 'iid']).where('id', '=', id).executeTakeFirst()
    const { project_id, iid } = required(row)
    return { kind: 'merge_request', ids: { id: String(project_id), merge_request_iid: iid } }
  },
  async Epic({ ctx }: MutationRun, id: number): Promise<ItemPlace> {
    const row = await ctx.db.selectFrom('epics').select(['namespace_id', 'iid']).where('id', '=', id).executeTakeFirst()
    const { namespace_id, iid } = required(row)
    return { kind: 'epic', ids: { id: String(namespace_id), epic_id: id, epic_iid: iid } }
  },
  async Snippet({ ctx }: MutationRun, id: number): Promise<ItemPlace> {
    const row = await ctx.db.selectFrom('snippets').select('project_id').where('id', '=', id).executeTakeFirst()
    return { kind: 'snippet', ids: { id: String(required(row?.project_id)), snippet_id: id } }
  },
} as const

/** Where an item with this global id is. */
export function itemPlace(run: MutationRun, scalar: IdScalar, globalId: string): Promise<ItemPlace> {
  const { kind, id } = globalIdIn(scalar, globalId)
  const name = kind.endsWith('Snippet') ? 'Snippet' : (kind as keyof typeof places)
  return places[name](run, Number(id))
}

/** Where what a note is on is. */
async function placeOfNote(run: MutationRun, note: NoteKeys): Promise<ItemPlace> {
  if (note.issue_id !== null) return places.Issue(run, note.issue_id)
  if (note.merge_request_id !== null) return places.MergeRequest(run, note.merge_request_id)
  if (note.epic_id !== null) return places.Epic(run, note.epic_id)
  if (note.snippet_id !== null) return places.Snippet(run, note.snippet_id)
  const commit = await run.ctx.db
    .selectFrom('commented_commits')
    .select(['project_id', 'sha'])
    .where('id', '=', note.commented_commit_id)
    .executeTakeFirst()
  const { project_id, sha } = required(commit)
  return { kind: 'commit', ids: { id: String(project_id), sha } }
}

interface NoteKeys {
  readonly issue_id: number | null
  readonly merge_request_id: number | null
  readonly epic_id: number | null
  readonly snippet_id: number | null
  readonly commented_commit_id: number | null
}

const noteKeys = ({ ctx }: MutationRun) =>
  ctx.db.selectFrom('notes').select(['discussion_id', 'issue_id', 'merge_request_id', 'epic_id', 'snippet_id', 'commented_commit_id'])

/** Where a note is: the place of what it is on, with its own ids. */
export async function notePlace(run: MutationRun, id: number): Promise<ItemPlace> {
  const note = required(await noteKeys(run).where('id', '=', id).executeTakeFirst())
  const { kind, ids } = await placeOfNote(run, note)
  return { kind, ids: { ...ids, note_id: id, discussion_id: note.discussion_id } }
}

/** Where a thread is. */
export async function discussionPlace(run: MutationRun, globalId: string): Promise<ItemPlace> {
  const { id } = globalIdIn('DiscussionID', globalId)
  const note = required(await noteKeys(run).where('discussion_id', '=', id).limit(1).executeTakeFirst())
  const { kind, ids } = await placeOfNote(run, note)
  return { kind, ids: { ...ids, discussion_id: id } }
}
