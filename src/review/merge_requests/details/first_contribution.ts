/** First contributions to a project. */
import { roles } from '../../../platform/access/abilities.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { accessLevelsIn } from '../../../spaces/projects/attributes/access_levels.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'

/**
 * Is this a first contribution: the author has no merged merge request in the project and is at most a guest of it (merge requests API
 * `first_contribution`)? At most three statements.
 */
export async function isFirstContribution(db: Db, project: ProjectRow, { author_id }: { readonly author_id: number }): Promise<boolean> {
  const merged = await db
    .selectFrom('merge_requests')
    .select('id')
    .where('author_id', '=', author_id)
    .where('project_id', '=', project.id)
    .where('state', '=', 'merged')
    .limit(1)
    .executeTakeFirst()
  if (merged) return false
  const level = (await accessLevelsIn(db, project, [author_id])).get(author_id)?.level ?? roles.none
  return level <= roles.guest
}
