/** The access levels of users other than the caller in a project or group. */
import { roles } from '../../platform/access/abilities.ts'
import type { Actor } from '../../platform/access/actor.ts'
import { personKind, personOfKind } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { allMembersOf, type MemberPlace } from './queries.ts'

export interface AccessLevel {
  readonly id: number
  readonly admin: boolean
  readonly external: boolean
  /** The highest of their own, inherited and shared roles. */
  readonly level: number
}

/** The active users among these, by id, with their level in the place. Two statements. */
export async function accessLevelsAt(
  db: Db,
  place: Omit<MemberPlace, 'role'>,
  userIds: readonly number[],
): Promise<Map<number, AccessLevel>> {
  const wanted = [...new Set(userIds)].filter(id => id > 0)
  if (wanted.length === 0) return new Map()
  const users = await db
    .selectFrom('users')
    .select(['id', 'admin', 'external'])
    .where('id', '=', anyOf(wanted))
    .where('state', '=', 'active')
    .execute()
  const members = await allMembersOf(db, { ...place, role: roles.none }, { user_ids: wanted }).execute()
  const levels = new Map(members.map(member => [member.id, member.access_level]))
  const levelOf = (id: number) => (id === place.ownerId ? roles.owner : (levels.get(id) ?? roles.none))
  return new Map(users.map(user => [user.id, { ...user, level: levelOf(user.id) }]))
}

/** The user as an actor for `allows`. */
export const actorOf = (standing: AccessLevel): Actor => personOfKind(personKind(standing), standing.id)
