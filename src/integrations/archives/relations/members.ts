/** Members. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { allows } from '../../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../../platform/access/actor.ts'
import { isCurrentMembership } from '../../../platform/access/memberships.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { DB } from '../../../platform/db/schema.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { visibleGroup } from '../../../spaces/groups/queries.ts'
import { groupSubject } from '../../../spaces/groups/scope.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'

/**
 * `project_members.ndjson`: the members of the project, and those of its groups where the actor administers them. Contract: the address that a member
 * shows comes along, and any other for administrators alone (import and export of projects at 14.0).
 */
export async function* exportMembers(db: Db, project: ProjectRow, actor: Actor): AsyncGenerator<object> {
  const groups = await administered(db, project, actor)
  yield* membersWhere(db, actor, ({ or, eb }) =>
    or([eb('members.project_id', '=', project.id), eb('members.namespace_id', '=', anyOf(groups))]),
  )
}

/** `members.ndjson`: the members of a group itself, with addresses as those of a project. */
export const exportGroupMembers = (db: Db, groupId: number, actor: Actor): AsyncGenerator<object> =>
  membersWhere(db, actor, ({ eb }) => eb('members.namespace_id', '=', groupId))

async function* membersWhere(
  db: Db,
  actor: Actor,
  isMeant: (eb: ExpressionBuilder<DB, 'members'>) => Expression<SqlBool>,
): AsyncGenerator<object> {
  const members = await db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .selectAll('members')
    .select(['users.username', 'users.email', 'users.public_email'])
    .where(isMeant)
    .where('users.kind', '=', 'human')
    .where(isCurrentMembership('members'))
    .orderBy('members.id')
    .execute()
  for (const { id, project_id, namespace_id, user_id, access_level, expires_at, created_by_id, created_at, updated_at, ...user } of members)
    yield {
      id,
      access_level,
      source_id: project_id ?? namespace_id,
      source_type: project_id === null ? 'Namespace' : 'Project',
      user_id,
      notification_level: 3,
      created_at,
      updated_at,
      created_by_id,
      invite_email: null,
      invite_accepted_at: null,
      requested_at: null,
      expires_at,
      ldap: false,
      override: false,
      user: { id: user_id, public_email: user.public_email, username: user.username, ...(isAdmin(actor) && { email: user.email }) },
    }
}

/** The groups above a project that the actor administers. */
async function administered(db: Db, project: ProjectRow, actor: Actor): Promise<number[]> {
  const found: number[] = []
  for (const id of project.namespace_kind === 'group' ? project.namespace_traversal_ids : []) {
    const group = await visibleGroup(db, actor, String(id))
    if (group && allows(actor, 'admin_group', groupSubject(group)) === 'yes') found.push(id)
  }
  return found
}
