/** The port for what other wings do when a project is created, changed, moved, unlinked from a fork network, or removed. */
import type { Place } from '../../../platform/access/places.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context, Deps } from '../../../platform/kernel/context.ts'
import { Port } from '../../../platform/kernel/declaration/port.ts'
import type { ProjectRow } from '../queries.ts'

/** The steps in the life of a project. Each runs in the transaction of the change, unless stated otherwise. */
export interface ProjectLifecycle {
  /**
   * A project was created with a README: makes its repository with a first commit on `branch`, or on the instance's default branch, with the files of
   * the project template too.
   * @throws Refusal 400 for a template that there is not
   */
  onCreatedWithReadme(ctx: Context, project: ProjectRow, branch: string | undefined, template: string | undefined): Promise<void>
  /**
   * Before a change of the default branch: stores the facts of its tip in the row of the project.
   * @throws Refusal 400 if the repository has no such branch
   */
  onDefaultBranchChange(ctx: Context, project: ProjectRow, branch: string): Promise<void>
  /**
   * After the commit of a change of the default branch; outside of a transaction. The listener of the event does the same after a crash.
   */
  onDefaultBranchChanged(deps: Deps, project: { readonly project_id: number }): Promise<void>
  /** The project pulls from another repository from now on, or from another address. */
  onMirrorSet(ctx: Context, projectId: number): Promise<void>
  /** The project has become less visible. */
  onVisibilityNarrowed(db: Db, projectId: number): Promise<void>
  /**
   * A project, or a group with everything below it, was moved: other groups are above it now. What its items have from groups that were above it
   * is replaced or removed. A fixed number of statements, whatever has moved.
   * @param from the id of the group or user that was at the top
   * @throws Refusal 400 where what it has cannot be there
   */
  onTransferred(ctx: Context, moved: Place, from: number | undefined): Promise<void>
  /** The project is no fork any more. */
  onForkUnlinked(ctx: Context, projectId: number): Promise<void>
  /** Before the removal of the project, while its row exists. */
  onRemoval(ctx: Context, projectId: number): Promise<void>
}

export const projectLifecycle = new Port<ProjectLifecycle>('projectLifecycle')
