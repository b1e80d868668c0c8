/** Reads of agents of clusters. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

const agents = (db: Db) => db.selectFrom('cluster_agents').selectAll('cluster_agents')

export type AgentRow = Awaited<ReturnType<ReturnType<typeof agents>['executeTakeFirstOrThrow']>>

/** The agents of a project by name. */
export const agentsOf = (db: Db, projectId: number) => agents(db).where('project_id', '=', projectId).orderBy('name')

/** The agent of a project with this id. */
export const agentById = (db: Db, projectId: number, id: number) =>
  agents(db).where('project_id', '=', projectId).where('id', '=', id).executeTakeFirst()

/** The agents of all projects below a top-level namespace, oldest first. */
export const agentsBelow = (db: Db, namespaceId: number) =>
  agents(db)
    .innerJoin('projects', 'projects.id', 'cluster_agents.project_id')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .where(sql<boolean>`namespaces.traversal_ids @> ${[namespaceId]}::bigint[]`)
    .where('projects.deleting', '=', false)
    .orderBy('cluster_agents.id')
