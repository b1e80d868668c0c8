/**
 * When a membership counts. Every statement that reads `members` or `memberships` narrows them by `isCurrentMembership`, or takes levels by
 * `highestLevel`: an ended membership keeps its row (test/derived/structure.test.ts lists the exceptions).
 */
import { type RawBuilder, sql } from 'kysely'
import { type Role, roles } from './open_to.ts'

/** Has the membership, or the one by a share, not ended? On the day it expires it has (members API). `alias` names its row. */
export const isCurrentMembership = (alias: 'm' | 'members' | 'others' = 'm'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${alias}.expires_at`)} is null or ${sql.ref(`${alias}.expires_at`)} > current_date)`

/**
 * The highest level of a membership that has not ended; `m` is its row. Said by a filter: a plain `max` would be planned twice, the second time as the first
 * row of an index, which is of no use here and takes longer than everything else.
 */
export const highestLevel = sql<number | null>`max(m.access_level) filter (where ${isCurrentMembership()})`

/** What a user has in a project: the highest of direct, inherited, shared and owned. */
export const levelInProject = (
  userId: RawBuilder<unknown>,
  project: 'projects' | 'held',
  namespace: 'namespaces' | 'home',
): RawBuilder<Role> =>
  sql`coalesce(greatest(
    (select ${highestLevel} from memberships m where m.user_id = ${userId} and m.project_id = ${sql.ref(`${project}.id`)}),
    (select ${highestLevel} from memberships m where m.user_id = ${userId} and m.namespace_id = any(${sql.ref(`${namespace}.traversal_ids`)})),
    case when ${sql.ref(`${namespace}.owner_id`)} = ${userId} then ${sql.lit(roles.owner)} end), 0)`
