/** The newest pipeline of a branch or tag. */

import { resolveCommits } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { isTagMeant } from '../../named_ref.ts'
import { type PipelineRow, pipelines } from '../queries.ts'

/**
 * The newest pipeline of the commit at the tip of a branch or tag.
 * Contract: 403 if there is none (pipelines API).
 */
export async function latestPipeline(ctx: Context, project: ProjectWithRole, name?: string): Promise<PipelineRow> {
  const ref = name || project.default_branch
  const found = ref === null ? undefined : await newestOfTip(ctx, project, ref)
  if (!found) throw forbidden()
  return found
}

/** The newest pipeline of the commit at the tip of the branch or tag of this name, those whose jobs were all skipped apart if asked for. */
export async function newestOfTip(
  { db, deps }: Pick<Context, 'db' | 'deps'>,
  project: ProjectWithRole,
  ref: string,
  { withoutSkipped = false }: { readonly withoutSkipped?: boolean } = {},
): Promise<PipelineRow | undefined> {
  const repository = await findRepository(deps.storages, project)
  const tips = repository ? await resolveCommits(repository, [`refs/heads/${ref}`, `refs/tags/${ref}`]) : []
  const [branch, tag] = tips
  const sha = branch ?? tag
  if (sha === undefined) return undefined
  return pipelinesOfRef(db, project.id, ref, branch === undefined)
    .where('sha', '=', sha)
    .$if(withoutSkipped, query => query.where('status', '<>', 'skipped'))
    .executeTakeFirst()
}

/** The newest pipeline of a branch or tag that succeeded. */
export const newestSuccess = async (ctx: Pick<Context, 'db' | 'deps'>, project: ProjectWithRole, ref: string) =>
  pipelinesOfRef(ctx.db, project.id, ref, await isTagMeant(ctx, project, ref))
    .where('status', '=', 'success')
    .executeTakeFirst()

const pipelinesOfRef = (db: Context['db'], projectId: number, ref: string, tag: boolean | undefined) =>
  pipelines(db)
    .where('pipelines.project_id', '=', projectId)
    .where('ref', '=', ref)
    .$if(tag !== undefined, query => query.where('tag', '=', tag!))
    .where('source', '<>', 'parent_pipeline')
    .orderBy('pipelines.id', 'desc')
    .limit(1)
