/** Promotion of labels, milestones and issues of a project to its group. */
import { NoResultError, type RawBuilder, sql } from 'kysely'
import { type Ability, allows, type Role, type Visibility } from '../../platform/access/abilities.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { type GroupRow, visibleGroup } from '../../spaces/groups/queries.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'

/** The group of a project, if the caller has the ability in it; 403 otherwise. Undefined for a project in a user's namespace. */
export async function groupToPromoteTo({ db, actor }: Context, project: ProjectRow, can: Ability): Promise<GroupRow | undefined> {
  if (project.namespace_kind !== 'group') return undefined
  const group = await visibleGroup(db, actor, String(project.namespace_id))
  if (!group) return undefined
  const subject = { on: 'group', role: group.role as Role, visibility: group.visibility as Visibility } as const
  if (allows(actor, can, subject) !== 'yes') throw forbidden()
  return group
}

/** Rows of one name in a group: the one that remains, those that it replaces, and whether it is the group's already. */
interface Namesakes {
  readonly kept: number
  readonly others: readonly number[]
  readonly isOfGroup: boolean
}

const nameColumns = { labels: 'name', milestones: 'title' } as const

/** A row of a project that is promoted, as it was read. */
interface Promoted {
  readonly id: number
  readonly project_id: number
  readonly name: string
}

/**
 * Locks the rows that have the name of `promoted` in a group and its projects. The group's own remains, or else `promoted`. Deletions and
 * concurrent promotions of the name wait for each other here. `NoResultError` if the row was deleted, promoted or renamed meanwhile, also
 * where the group has one of the name: what is not the project's any more cannot be promoted.
 */
export async function lockNamesakes(db: Db, table: keyof typeof nameColumns, groupId: number, promoted: Promoted): Promise<Namesakes> {
  const { id, project_id, name } = promoted
  // In the order of ids, so that concurrent promotions lock them in the same order.
  const namesakes = db
    .selectFrom(table)
    .select(['id', 'project_id', 'namespace_id'])
    .where(sql<boolean>`${sql.ref(nameColumns[table])} = ${name}`)
    .where(({ or, eb }) => or([eb('namespace_id', '=', groupId), inProjectsBelow(`${table}.project_id`, groupId)]))
    .orderBy('id')
    .forUpdate()
  const rows = await namesakes.execute()
  if (!rows.some(row => row.id === id && row.project_id === project_id)) throw new NoResultError(namesakes.toOperationNode())
  const ofGroup = rows.find(row => row.namespace_id === groupId)
  const kept = ofGroup?.id ?? id
  return { kept, others: rows.flatMap(row => (row.id === kept ? [] : [row.id])), isOfGroup: ofGroup !== undefined }
}

/** Does a column name a project of the group or of one below it? */
const inProjectsBelow = (column: string, groupId: number): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} in (select p.id from projects p join namespaces n on n.id = p.namespace_id
                                       where n.traversal_ids @> array[${groupId}::bigint])`
