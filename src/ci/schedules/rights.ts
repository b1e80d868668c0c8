/** Of which branches and tags a user may set up schedules. */
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { refNamed } from '../named_ref.ts'
import { rightsOnRef } from '../pipelines/rights/ref_rights.ts'

/**
 * 403 if the actor may run no pipelines of one of these branches or tags, by short or full name. A schedule decides with which variables a pipeline
 * runs, also for a Maintainer who starts it, so it takes the right to run one. A name that is not in use yet is judged for the branch and for the
 * tag that may come.
 */
export async function requireRightsOnNames(ctx: Context, project: ProjectWithRole, names: readonly string[]): Promise<void> {
  for (const name of new Set(names))
    for (const ref of await meantBy(ctx, project, name)) {
      const { refusal } = await rightsOnRef(ctx, project, ref)
      if (refusal !== undefined) throw forbidden(refusal)
    }
}

async function meantBy(ctx: Context, project: ProjectWithRole, name: string): Promise<readonly string[]> {
  const found = await refNamed(ctx, project, name)
  if (found) return [found.ref]
  return /^refs\/(heads|tags)\//.test(name) ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`]
}
