/** The searchable lists: each scope has its own kind of item (search API at 14.0). */
import { type RawBuilder, sql } from 'kysely'
import { internalNoteVisible } from '../../collaboration/notes/internal.ts'
import { notes } from '../../collaboration/notes/queries.ts'
import { users } from '../../identity/users/queries.ts'
import { issueVisibleTo } from '../../planning/issues/lists/visible.ts'
import { issues } from '../../planning/issues/queries.ts'
import { milestones } from '../../planning/milestones/queries.ts'
import { matchesText, patternsOf } from '../../planning/shared/lists/text_search.ts'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import { projectVisibleTo } from '../../platform/access/visible.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { mergeRequestVisibleTo } from '../../review/merge_requests/lists/visible.ts'
import { mergeRequests } from '../../review/merge_requests/queries.ts'
import { projects } from '../../spaces/projects/queries.ts'

type SearchContext = Pick<Context, 'db' | 'actor'>

/** A condition on `projects`: the searched ones. */
export type Searched = RawBuilder<boolean>

/** Filters and order of a search. */
export interface SearchOptions {
  readonly search: string
  readonly state?: string | undefined
  readonly confidential?: boolean | undefined
  readonly sort?: 'asc' | 'desc' | undefined
}

/** `#5` and `!5` mean the item with that iid (search API). */
const numberIn = (search: string, sign: '#' | '!') =>
  search.startsWith(sign) && /^.\d{1,9}$/.test(search) ? Number(search.slice(1)) : undefined

export function searchIssues(
  { db, actor }: SearchContext,
  askedIn: string | null,
  where: Searched,
  { search, state, confidential, sort = 'desc' }: SearchOptions,
) {
  const iid = numberIn(search, '#')
  let query = issues(db, askedIn)
    .where(issueVisibleTo(actor, where))
    .where(iid === undefined ? matchesText(['issues.title', 'issues.description'], search) : sql<boolean>`issues.iid = ${iid}`)
  if (state !== undefined && state !== 'all') query = query.where('issues.state', '=', state as 'opened')
  if (confidential !== undefined) query = query.where('issues.confidential', '=', confidential)
  return query.orderBy('issues.created_at', sort).orderBy('issues.id', sort)
}

export function searchMergeRequests(
  { db, actor }: SearchContext,
  askedIn: string | null,
  where: Searched,
  { search, state, sort = 'desc' }: SearchOptions,
) {
  const iid = numberIn(search, '!')
  let query = mergeRequests(db, askedIn)
    .where(mergeRequestVisibleTo(actor, where))
    .where(
      iid === undefined
        ? matchesText(['merge_requests.title', 'merge_requests.description'], search)
        : sql<boolean>`merge_requests.iid = ${iid}`,
    )
  if (state !== undefined && state !== 'all') query = query.where('merge_requests.state', '=', state as 'opened')
  return query.orderBy('merge_requests.created_at', sort).orderBy('merge_requests.id', sort)
}

/** The milestones of projects whose issues or merge requests the caller may see. */
export const searchMilestones = ({ db, actor }: SearchContext, where: Searched, { search }: SearchOptions) =>
  milestones(db)
    .where(sql<boolean>`milestones.project_id in (${projectsAllowing(actor, 'read_milestone', where)})`)
    .where(matchesText(['milestones.title', 'milestones.description'], search))
    .orderBy('milestones.id', 'desc')

export const searchProjects = ({ db, actor }: SearchContext, where: Searched, { search }: SearchOptions) =>
  projects(db)
    .where(where)
    .where(projectVisibleTo(actor))
    .where(matchesText(['projects.name', 'projects.path', 'projects.description'], search))
    .orderBy('projects.id', 'desc')

/** Users by name and username, or by their full email address, which must be confirmed; among `userIds` if that is given. */
export function searchUsers({ db, actor }: SearchContext, userIds: RawBuilder<number> | undefined, { search }: SearchOptions) {
  const byEmail = isAdmin(actor)
    ? sql`users.email ilike ${patternsOf(search)[0]}`
    : sql`lower(users.email) = ${search.toLowerCase()} and users.confirmed_at is not null`
  return users(db)
    .where('users.kind', '<>', 'ghost')
    .where(userIds === undefined ? sql<boolean>`true` : sql<boolean>`users.id in (${userIds})`)
    .where(sql<boolean>`(${matchesText(['users.name', 'users.username'], search)} or ${byEmail})`)
    .orderBy('users.name')
    .orderBy('users.id')
}

/** Notes of a project on items that the caller may see; internal notes, as far as they may read those. */
export const searchNotes = ({ db, actor }: SearchContext, where: Searched, { search }: SearchOptions) =>
  notes(db)
    .where('notes.action', 'is', null)
    .where(
      sql<boolean>`(notes.issue_id in (select issues.id from issues where ${issueVisibleTo(actor, where)})
        or notes.merge_request_id in (select merge_requests.id from merge_requests where ${mergeRequestVisibleTo(actor, where)}))`,
    )
    .where(internalNoteVisible(actor))
    .where(matchesText(['notes.body'], search))
    .orderBy('notes.id', 'desc')
