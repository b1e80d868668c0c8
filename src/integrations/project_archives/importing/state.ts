import type { Repository } from '../../../platform/git/index.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import type { Import } from '../../archives/importing/import.ts'

/** The import of a project in its transaction. */
export interface ProjectImport extends Import {
  readonly project: ProjectRow
  /** Where the archive is unpacked. */
  readonly folder: string
  readonly repository: Repository | undefined
  /** Issues and merge requests by their iids. */
  readonly issues: Map<number, number>
  readonly mergeRequests: Map<number, number>
}
