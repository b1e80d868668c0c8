/** The tabs of a project that lead elsewhere: to its issue tracker and its wiki outside. */
import type { Db } from '../../platform/db/connection.ts'
import type { Tab } from '../../platform/pages/frame/place.ts'
import type { ProjectRow } from '../projects/queries.ts'
import { pagesElsewhere } from './elsewhere.ts'

/** One statement. Where the project has no issues of its own, those of the tracker are its issues. */
export async function tabsElsewhere(
  db: Db,
  project: Pick<ProjectRow, 'id' | 'namespace_traversal_ids' | 'issues_access_level'>,
): Promise<readonly Tab[]> {
  const found = await pagesElsewhere(db, project)
  return found.map(({ kind, title, href }) => ({
    key: `elsewhere_${kind}_${title}`,
    label: kind === 'tracker' && project.issues_access_level === 'disabled' ? 'Issues' : title,
    icon: 'link-external',
    href,
  }))
}
