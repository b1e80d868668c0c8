/** What other wings do when a project is created, changed, taken out of a network of forks, or removed. */
import type { Db } from '../../platform/db/connection.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { Port } from '../../platform/kernel/port.ts'
import type { ProjectRow } from './queries.ts'

/** The moments in the life of a project. Each runs in the transaction of the change, unless it says otherwise. */
export interface ProjectLifecycle {
  /** A project was created with a README: makes its repository with a first commit on `branch`, or on the instance's first branch. */
  onCreatedWithReadme(ctx: Context, project: ProjectRow, branch: string | undefined): Promise<void>
  /**
   * Another branch is about to become the default one: keeps what is at its top in the row of the project.
   * @throws Refusal 400 where the repository has no such branch
   */
  onDefaultBranchChange(ctx: Context, project: ProjectRow, branch: string): Promise<void>
  /** The change of the default branch is committed; outside of a transaction. The listener of the event does the same after a crash. */
  onDefaultBranchChanged(deps: Deps, project: { readonly project_id: number }): Promise<void>
  /** The project has become less visible. */
  onVisibilityNarrowed(db: Db, projectId: number): Promise<void>
  /** The project is no fork any more. */
  onForkUnlinked(ctx: Context, projectId: number): Promise<void>
  /** The project is about to be removed; its row is still there. */
  onRemoval(ctx: Context, projectId: number): Promise<void>
}

export const projectLifecycle = new Port<ProjectLifecycle>('projectLifecycle')
