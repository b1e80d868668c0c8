/** What belongs to a project becomes its group's: labels, milestones and issues are promoted. */
import { type RawBuilder, sql } from 'kysely'
import { type Ability, allows, type Role, type Visibility } from '../access/abilities.ts'
import { type GroupRow, visibleGroup } from '../groups/queries.ts'
import type { Context } from '../kernel/context.ts'
import { forbidden } from '../kernel/errors.ts'
import type { ProjectRow } from '../projects/queries.ts'

/** The group that holds a project, where the caller has the ability in it; 403 otherwise. undefined where a person holds it. */
export async function groupToPromoteTo({ db, actor }: Context, project: ProjectRow, can: Ability): Promise<GroupRow | undefined> {
  if (project.namespace_kind !== 'group') return undefined
  const group = await visibleGroup(db, actor, String(project.namespace_id))
  if (!group) return undefined
  const subject = { on: 'group', role: group.role as Role, visibility: group.visibility as Visibility } as const
  if (allows(actor, can, subject) !== 'yes') throw forbidden()
  return group
}

/** Does a column name a project of the group or of one below it? */
export const inProjectsBelow = (column: string, groupId: number): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} in (select p.id from projects p join namespaces n on n.id = p.namespace_id
                                       where n.traversal_ids @> array[${groupId}::bigint])`
