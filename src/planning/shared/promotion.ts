/** Promotion of labels, milestones and issues of a project to its group. */
import { type RawBuilder, sql } from 'kysely'
import { type Ability, allows, type Role, type Visibility } from '../../platform/access/abilities.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
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

const named = {
  labels: { column: 'name', noun: 'Label' },
  milestones: { column: 'title', noun: 'Milestone' },
} as const

/**
 * Locks the rows of one name in a group and its projects. The group's own remains, or else the one with `id`. Concurrent promotions of
 * the name wait here and then find the group's. 404 if the row was deleted meanwhile.
 */
export async function lockNamesakes(db: Db, table: keyof typeof named, groupId: number, name: string, id: number): Promise<Namesakes> {
  const { column, noun } = named[table]
  const { rows } = await sql<{ id: number; namespace_id: number | null }>`
    select id, namespace_id from ${sql.table(table)}
     where ${sql.ref(column)} = ${name} and (namespace_id = ${groupId} or ${inProjectsBelow(`${table}.project_id`, groupId)})
     order by id for update`.execute(db)
  const ofGroup = rows.find(row => row.namespace_id === groupId)
  const kept = (ofGroup ?? rows.find(row => row.id === id))?.id
  if (kept === undefined) throw notFound(noun)
  return { kept, others: rows.flatMap(row => (row.id === kept ? [] : [row.id])), isOfGroup: ofGroup !== undefined }
}

/** Does a column name a project of the group or of one below it? */
const inProjectsBelow = (column: string, groupId: number): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} in (select p.id from projects p join namespaces n on n.id = p.namespace_id
                                       where n.traversal_ids @> array[${groupId}::bigint])`
