/** The access levels of users other than the caller in a project. */
import type { Db } from '../../../platform/db/connection.ts'
import { type AccessLevel, accessLevelsAt } from '../../members/access_levels.ts'
import type { ProjectRow } from '../queries.ts'

export { type AccessLevel, actorOf } from '../../members/access_levels.ts'

/** The active users among these, by id, with their level in the project. Two statements. */
export const accessLevelsIn = (db: Db, project: ProjectRow, userIds: readonly number[]): Promise<Map<number, AccessLevel>> =>
  accessLevelsAt(
    db,
    { key: { project_id: project.id }, above: project.namespace_traversal_ids, ownerId: project.namespace_owner_id },
    userIds,
  )
