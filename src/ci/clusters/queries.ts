/** Reads of clusters. Tokens stay encrypted. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/access/actor.ts'
import { projectVisibleTo } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import { type ProjectRow, projects } from '../../spaces/projects/queries.ts'

const clusters = (db: Db) => db.selectFrom('clusters').selectAll('clusters')

export type ClusterRow = Awaited<ReturnType<ReturnType<typeof clusters>['executeTakeFirstOrThrow']>>

/** Clusters of one holder, oldest first. */
// biome-ignore lint/suspicious/noExplicitAny: which tables they come from does not matter
export type Clusters = SelectQueryBuilder<any, any, ClusterRow>

/** Clusters of the instance. */
export const clustersOfInstance = (db: Db): Clusters =>
  clusters(db).where('project_id', 'is', null).where('namespace_id', 'is', null).orderBy('id')

/** Clusters of a group itself. */
export const clustersOfGroup = (db: Db, groupId: number): Clusters => clusters(db).where('namespace_id', '=', groupId).orderBy('id')

/** Clusters of a project itself. */
export const clustersOfProject = (db: Db, projectId: number): Clusters => clusters(db).where('project_id', '=', projectId).orderBy('id')

/** The projects among these that the actor may see. */
export async function projectsSeen(db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, ProjectRow>> {
  if (ids.length === 0) return new Map()
  const rows = await projects(db).where('projects.id', '=', anyOf(ids)).where(projectVisibleTo(actor)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** A project whose jobs may use clusters. */
export interface UsingProject {
  readonly id: number
  /** The groups above it, outermost first. */
  readonly namespace_traversal_ids: readonly number[]
}

/**
 * The ids of the clusters that jobs of a project may use: its own, those of the groups above and of the instance, and those that it manages, as
 * long as their holder is above it or beside it: a project that moved away manages them no more.
 */
const withinReach = (projectId: number, groupIds: readonly number[]): RawBuilder<number> => sql<number>`
  select own.id from clusters own where own.project_id = ${projectId}
  union all select above.id from clusters above where above.namespace_id = ${anyOf(groupIds)}
  union all select general.id from clusters general where general.project_id is null and general.namespace_id is null
  union all select led.id from clusters led left join projects holder on holder.id = led.project_id
    where led.management_project_id = ${projectId}
      and (led.namespace_id = ${anyOf(groupIds)} or holder.namespace_id = (select self.namespace_id from projects self where self.id = ${projectId}))`

/** Has the project an enabled cluster for every environment? */
export const hasClusterFor = (projectId: number, groupIds: readonly number[]): RawBuilder<boolean> => sql<boolean>`
  exists (select from clusters c where c.enabled and c.environment_scope = '*' and c.id in (${withinReach(projectId, groupIds)}))`

const enabledWithinReach = compiled((db, projectId: number, groupIds: readonly number[]) =>
  clusters(db)
    .where('enabled', '=', true)
    .where(sql<boolean>`clusters.id in (${withinReach(projectId, groupIds)})`)
    .orderBy('id'),
)

/** The enabled clusters that jobs of the project may use. One statement. */
export const usableClusters = (db: Db, { id, namespace_traversal_ids }: UsingProject): Promise<ClusterRow[]> =>
  enabledWithinReach(db, id, namespace_traversal_ids)

/** Has the project an enabled cluster for every environment? One statement. */
export async function hasCluster(db: Db, { id, namespace_traversal_ids }: UsingProject): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select ${hasClusterFor(id, namespace_traversal_ids)} as found`.execute(db)
  return rows[0]?.found === true
}
