/** Milestones of a group and of those below it. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import { groupVisibleTo } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { milestones } from './queries.ts'

/** The active milestones of a group, and of the groups below it that the actor may see, with a last day from `from` to before `to`. */
export const milestonesDueIn = (db: Db, actor: Actor, groupId: number, from: string, to: string) =>
  milestones(db)
    .innerJoin('namespaces', 'namespaces.id', 'milestones.namespace_id')
    .where(sql<boolean>`namespaces.traversal_ids @> array[${groupId}::bigint]`)
    .where(groupVisibleTo(actor))
    .where('milestones.state', '=', 'active')
    .where('milestones.due_date', '>=', from)
    .where('milestones.due_date', '<', to)
    .orderBy('milestones.due_date')
    .orderBy('milestones.id')
