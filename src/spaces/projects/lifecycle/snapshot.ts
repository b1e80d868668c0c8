/** The facts of a project that system hooks receive when it is created, changed or deleted. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { ProjectTombstone } from '../../../platform/events/tombstones.ts'

/**
 * The project by name, address and owner. The address is computed from its namespaces, because while a group is being deleted its projects
 * have no route any more.
 */
export const projectSnapshot = (db: Db, projectId: number): Promise<ProjectTombstone> =>
  db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .leftJoin('users as owners', 'owners.id', 'namespaces.owner_id')
    .select([
      'projects.name',
      'projects.path',
      'projects.visibility',
      'projects.created_at',
      'projects.updated_at',
      sql<string>`(select string_agg(above.path, '/' order by tree.place)
                     from unnest(namespaces.traversal_ids) with ordinality as tree (id, place)
                     join namespaces above on above.id = tree.id) || '/' || projects.path`.as('full_path'),
      sql<string>`coalesce(owners.name, namespaces.name)`.as('owner_name'),
      // A group has none.
      sql<string>`coalesce(owners.email, '')`.as('owner_email'),
    ])
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow()
