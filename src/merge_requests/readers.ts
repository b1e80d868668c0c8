/** Who may read merge requests, asked about people instead of the caller. */
import { roles } from '../access/abilities.ts'
import type { Db } from '../db/connection.ts'
import type { ProjectRow } from '../projects/queries.ts'
import { isOpenTo, standingsIn } from '../projects/standings.ts'

/** Those of these people who may read the merge requests of the project, in the order given. Two statements. */
export async function mergeRequestReadersAmong(db: Db, project: ProjectRow, userIds: readonly number[]): Promise<number[]> {
  const standings = await standingsIn(db, project, userIds)
  const isOpen = project.merge_requests_access_level === 'enabled' && project.repository_access_level === 'enabled'
  return [...new Set(userIds)].filter(id => {
    const user = standings.get(id)
    return user !== undefined && (user.admin || user.level >= roles.reporter || (isOpen && isOpenTo(project, user)))
  })
}
