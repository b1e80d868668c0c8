import type { Context } from '../kernel/context.ts'
import type { ProjectRow } from '../projects/queries.ts'

/** Makes the first commit of a new project. */
export async function initializeRepository(ctx: Context, project: ProjectRow, branch: string | undefined): Promise<void> {
  throw new Error(`not built: ${ctx.url} ${project.id} ${branch}`)
}
