/** The pipelines that a CI file is checked for: of a branch or tag, or of a merge request, as far as the caller may know its variables. */

import { hasScope } from '../../platform/access/actor.ts'
import { isValidRefName, readRefs, resolveCommit, zeroId } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { hasCluster } from '../clusters/queries.ts'
import type { PipelineSource, PlanSubject, Sources } from '../config/index.ts'
import { variablesForPlan } from '../job_variables/for_plan.ts'
import type { RefRights } from '../pipelines/rights/ref_rights.ts'

/** What a checked pipeline is of. */
export interface Tip {
  readonly sha: string
  /** Full name. */
  readonly ref: string
  /** The merge request that it is of. */
  readonly mergeRequest?:
    | {
        readonly id: number
        readonly source_branch: string
        /** The paths that it changes; undefined where that is not known. */
        changedPaths(): Promise<readonly string[] | undefined>
      }
    | undefined
}

/** The commit that a branch or tag names; of one name for both, the branch. */
export async function tipOf({ deps }: Context, project: ProjectWithRole, name: string | undefined): Promise<Tip | undefined> {
  const repository = await findRepository(deps.storages, project)
  const short = (name ?? project.default_branch)?.replace(/^refs\/(heads|tags)\//, '')
  if (!repository || !short || !isValidRefName(`refs/heads/${short}`)) return undefined
  const refs = [`refs/heads/${short}`, `refs/tags/${short}`]
  const found = await readRefs(repository, refs)
  const ref = refs[found.findIndex(id => id !== undefined)]
  const sha = ref && (await resolveCommit(repository, ref))
  return ref && sha ? { sha, ref } : undefined
}

/** A branch before its first commit. */
export const unbornBranch = (name: string): Tip => ({ sha: zeroId, ref: `refs/heads/${name}` })

/** The subject that a file is evaluated for. */
export interface LintSubject {
  readonly subject: PlanSubject
  /** The warning that variables were left out; undefined if all are available. */
  readonly withheld: string | undefined
}

/**
 * The subject of a pipeline of the tip; of changes those of a merge request are known. The variables of the project, its groups and the instance
 * are included only for a caller who may run the file there: names of files and rules would otherwise reveal their values.
 */
export async function subjectAt(
  ctx: Context,
  project: ProjectWithRole,
  { sha, ref, mergeRequest }: Tip,
  sources: Sources,
  rights: RefRights,
  source: PipelineSource = 'push',
): Promise<LintSubject> {
  const name = mergeRequest?.source_branch ?? ref.replace(/^refs\/(heads|tags)\//, '')
  const mayRun = rights.refusal === undefined && hasScope(ctx.actor, ['api'])
  const variables = await variablesForPlan(ctx, project, {
    source,
    ref,
    sha,
    protected: rights.isProtected ?? false,
    known: mayRun ? 'all' : 'predefined',
    merge_request_id: mergeRequest?.id,
  })
  return {
    subject: {
      source,
      ref: name,
      ref_type: mergeRequest ? 'merge_request' : ref.startsWith('refs/tags/') ? 'tag' : 'branch',
      project_path: project.full_path,
      variables,
      changedPaths: async () => mergeRequest?.changedPaths(),
      files: () => sources.files(),
      hasCluster: () => hasCluster(ctx.db, project),
    },
    withheld: mayRun ? undefined : `CI/CD variables are left out of this check: you may not run it on \`${name}\``,
  }
}

/** The warnings of a file with that about variables, if it uses some. */
export const warningsWith = (withheld: string | undefined, content: string, warnings: readonly string[]): readonly string[] =>
  withheld !== undefined && content.includes('$') ? [withheld, ...warnings] : warnings
