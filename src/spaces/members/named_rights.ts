/**
 * The port for rights that users and groups were given by name in a project or group, as those over protected branches. Such a right rests on access to
 * the place, and ends with it: a role that the user gets there later does not bring it back.
 */
import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../platform/access/abilities.ts'
import { levelInProject } from '../../platform/access/memberships.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { Port } from '../../platform/kernel/declaration/port.ts'
import { groupHasAccess } from '../shares/queries.ts'

/** Where users and groups may have lost access, and whose rights are looked at. */
export interface LostAccess {
  /** The project, or the group with everything below it, and with everything that it or a group below it is invited to. */
  readonly place: Place
  /** Only the rights of these users; those of all users and groups unless given. */
  readonly userIds?: readonly number[]
  /**
   * The user whose membership, or the group whose share, of the place itself has ended. Rights in the place itself end even where access remains in
   * another way (public behaviour).
   */
  readonly ended?: { readonly user_id: number } | { readonly group_id: number }
}

/** Accounts or groups whose rows are about to be deleted, and the rights that they have by name with them. */
export interface DeletedHolders {
  readonly userIds?: readonly number[]
  readonly groupIds?: readonly number[]
}

export interface NamedRights {
  /** Deletes the rights of those who have no access any more. In the transaction of the change; a fixed number of statements. */
  dropLost(db: Db, lost: LostAccess): Promise<void>
  /** Keeps closed what would open to others without the rights of these. In the transaction that deletes their rows, before it does. */
  beforeDeletion(db: Db, holders: DeletedHolders): Promise<void>
}

export const namedRights = new Port<NamedRights>('namedRights')

/** Is the row `levels` for one of those who are looked at? */
export const isLookedAt = ({ userIds }: LostAccess): RawBuilder<boolean> =>
  userIds ? sql<boolean>`levels.user_id = any(${userIds}::bigint[])` : sql<boolean>`num_nonnulls(levels.user_id, levels.group_id) = 1`

/** Is the row `levels` for the user or group whose membership or share has ended? */
export const isOfEnded = ({ ended }: LostAccess): RawBuilder<boolean> => {
  if (ended === undefined) return sql<boolean>`false`
  return 'user_id' in ended ? sql<boolean>`levels.user_id = ${ended.user_id}` : sql<boolean>`levels.group_id = ${ended.group_id}`
}

/** The groups that are, or are below, a group: those that its members are invited with. */
const invitedWith = (groupId: number) =>
  sql`shares join namespaces invited on invited.id = shares.group_id where invited.traversal_ids @> array[${groupId}::bigint]`

/**
 * Is the namespace `home` in a group, or in a place that the group or one below it is invited to? Also by a share that has expired, or that is locked:
 * what rested on it may still be there.
 */
export const isHomeReachedBy = (groupId: number): RawBuilder<boolean> =>
  sql<boolean>`home.traversal_ids && array(
    select ${groupId}::bigint union all select shares.namespace_id from ${invitedWith(groupId)} and shares.namespace_id is not null)`

/**
 * Is `levels` a right in the project `projects` that is lost? `home` is the namespace of the project. The columns `user_id` and `group_id` of `levels`
 * say whose right it is; a row with neither belongs to a role. Rights in a tree that is being deleted go with its rows.
 */
export function isLostInProject(lost: LostAccess): RawBuilder<boolean> {
  const { place } = lost
  const inPlace =
    'project_id' in place
      ? sql`projects.id = ${place.project_id}`
      : sql`(${isHomeReachedBy(place.namespace_id)}
          or projects.id = any(array(select shares.project_id from ${invitedWith(place.namespace_id)} and shares.project_id is not null)))`
  const hasEnded = 'project_id' in place ? isOfEnded(lost) : sql`false`
  const role = levelInProject(sql.ref('levels.user_id'), 'projects', 'home')
  return sql<boolean>`${inPlace} and not home.deleting and ${isLookedAt(lost)} and (${hasEnded}
    or (levels.user_id is not null and ${role} = ${sql.lit(roles.none)})
    or (levels.group_id is not null and not ${groupHasAccess(sql.ref('levels.group_id'))}))`
}
