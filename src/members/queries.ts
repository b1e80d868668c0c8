/** Reads of memberships, in groups and projects alike. */
import { sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { containing } from '../db/like.ts'
import type { GroupRow } from '../groups/queries.ts'
import type { ProjectRow } from '../projects/queries.ts'

/** A member with what of their user is shown. */
export interface MemberRow {
  readonly id: number
  readonly name: string
  readonly username: string
  readonly state: string
  readonly avatar_url: string | null
  readonly access_level: number
  readonly expires_at: string | null
  readonly created_at: string
}

export interface MemberFilters {
  query?: string | undefined
  user_ids?: number[] | undefined
  skip_users?: number[] | undefined
}

const columns = [
  'users.id',
  'users.name',
  'users.username',
  'users.state',
  'users.avatar_url',
  'members.access_level',
  'members.expires_at',
  'members.created_at',
] as const

const members = (db: Db) => db.selectFrom('members').innerJoin('users', 'users.id', 'members.user_id')

function matching<Q extends ReturnType<typeof members>>(query: Q, filters: MemberFilters): Q {
  let result: ReturnType<typeof members> = query.where(sql<boolean>`(members.expires_at is null or members.expires_at > current_date)`)
  if (filters.query) {
    const like = containing(filters.query)
    result = result.where(({ or, eb }) => or([eb('users.name', 'ilike', like), eb('users.username', 'ilike', like)]))
  }
  if (filters.user_ids?.length) result = result.where('users.id', 'in', filters.user_ids)
  if (filters.skip_users?.length) result = result.where('users.id', 'not in', filters.skip_users)
  return result as Q
}

/** The direct members of a group or project. */
export const directMembers = (db: Db, place: { namespace_id: number } | { project_id: number }, filters: MemberFilters = {}) =>
  matching(
    'project_id' in place
      ? members(db).where('members.project_id', '=', place.project_id)
      : members(db).where('members.namespace_id', '=', place.namespace_id),
    filters,
  )
    .select(columns)
    .orderBy('users.id')

/** The members of a group or project, inherited ones too; each person once, with their highest level. */
export const allMembers = (db: Db, of: { project: ProjectRow } | { group: GroupRow }, filters: MemberFilters = {}) => {
  const groupIds = 'project' in of ? of.project.namespace_traversal_ids : of.group.traversal_ids
  const inGroups = sql<boolean>`members.namespace_id = any(${groupIds})`
  return matching(members(db), filters)
    .where(({ or, eb }) => or([inGroups, ...('project' in of ? [eb('members.project_id', '=', of.project.id)] : [])]))
    .select(columns)
    .distinctOn('users.id')
    .orderBy('users.id')
    .orderBy('members.access_level', 'desc')
}
