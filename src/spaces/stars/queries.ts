/** Reads of stars. */

import { type RawBuilder, sql } from 'kysely'
import { activityVisibleTo } from '../../identity/users/activity/private_profile.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { summaryColumns } from '../../identity/users/queries.ts'
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { containing } from '../../platform/db/statements/like.ts'

/** A star: the summary of the user, and its time. */
export interface StarrerRow extends SummaryRow {
  readonly starred_since: string
}

/**
 * The users who have starred a project, the newest star first, as far as their profile shows it to the actor. `search` is part of a name or
 * username.
 */
export function starrersOf(db: Db, actor: Actor, projectId: number, search: string | undefined) {
  const query = db
    .selectFrom('project_stars')
    .innerJoin('users', 'users.id', 'project_stars.user_id')
    .select([...summaryColumns, 'project_stars.created_at as starred_since'])
    .where('project_stars.project_id', '=', projectId)
    .where(activityVisibleTo(actor))
    .orderBy('project_stars.created_at', 'desc')
    .orderBy('project_stars.user_id', 'desc')
  if (!search) return query
  const like = containing(search)
  return query.where(({ or, eb }) => or([eb('users.name', 'ilike', like), eb('users.username', 'ilike', like)]))
}

/** Has the user starred the project `projects`? */
export const isStarredBy = (userId: number): RawBuilder<boolean> =>
  sql`projects.id in (select project_id from project_stars where user_id = ${userId})`
