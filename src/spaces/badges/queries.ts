/** Reads of badges: images with a link that a project or group displays. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import { projectVisibleTo } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'

/** A badge, and the project whose values replace the placeholders in its addresses; null for none. */
export interface BadgeRow {
  readonly id: number
  readonly kind: 'project' | 'group'
  readonly name: string | null
  readonly link_url: string
  readonly image_url: string
  readonly shown_for: number | null
}

const badges = (db: Db, shownFor: number | null) =>
  db
    .selectFrom('badges')
    .select([
      'id',
      'name',
      'link_url',
      'image_url',
      sql<BadgeRow['kind']>`case when project_id is null then 'group' else 'project' end`.as('kind'),
      sql<number | null>`${shownFor}::bigint`.as('shown_for'),
    ])
    .orderBy('id')

/** The badges of a project and of its ancestor groups. */
export const badgesOfProject = (db: Db, project: { readonly id: number; readonly namespace_traversal_ids: readonly number[] }) =>
  badges(db, project.id).where(({ or, eb }) =>
    or([eb('project_id', '=', project.id), sql<boolean>`namespace_id = any(${project.namespace_traversal_ids})`]),
  )

/** The badges of a group itself, with the values of one of its projects. */
export const badgesOfGroup = (db: Db, groupId: number, shownFor: number | null) => badges(db, shownFor).where('namespace_id', '=', groupId)

/** The project for the placeholders of a group's badge outside of any project: the oldest one that the actor may see, or null. */
export async function exampleProjectOf(db: Db, actor: Actor, groupId: number): Promise<number | null> {
  const first = await db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select('projects.id')
    .where(sql<boolean>`namespaces.traversal_ids @> ${[groupId]}`)
    .where(projectVisibleTo(actor) as RawBuilder<boolean>)
    .orderBy('projects.id')
    .limit(1)
    .executeTakeFirst()
  return first?.id ?? null
}
