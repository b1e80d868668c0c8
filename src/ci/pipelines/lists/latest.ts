/** The newest pipeline of a branch or tag. */

import { resolveCommits } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden } from '../../../platform/kernel/errors.ts'
import { findRepository } from '../../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { type PipelineRow, pipelines } from '../queries.ts'

/**
 * The newest pipeline of the commit at the tip of a branch or tag.
 * Contract: 403 if there is none (pipelines API).
 */
export async function latestPipeline({ db, deps }: Context, project: ProjectWithRole, name?: string): Promise<PipelineRow> {
  const ref = name || project.default_branch
  const repository = await findRepository(deps.storages, project)
  const tips = repository && ref !== null ? await resolveCommits(repository, [`refs/heads/${ref}`, `refs/tags/${ref}`]) : []
  const sha = tips.find(tip => tip !== undefined)
  const found = sha === undefined || ref === null ? undefined : await newestPipeline(db, project.id, { ref, sha })
  if (!found) throw forbidden()
  return found
}

const newestPipeline = (db: Context['db'], projectId: number, { ref, sha }: { readonly ref: string; readonly sha: string }) =>
  pipelines(db)
    .where('pipelines.project_id', '=', projectId)
    .where('sha', '=', sha)
    .where('ref', '=', ref)
    .where('source', '<>', 'parent_pipeline')
    .orderBy('pipelines.id', 'desc')
    .limit(1)
    .executeTakeFirst()
