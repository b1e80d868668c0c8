/** Reads of repositories. */
import type { Context } from '../kernel/context.ts'
import type { ProjectRow } from '../projects/queries.ts'

/** Does the repository have this branch? */
export async function branchExists(ctx: Context, project: ProjectRow, branch: string): Promise<boolean> {
  throw new Error(`not built: ${ctx.url} ${project.id} ${branch}`)
}
