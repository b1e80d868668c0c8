/** What people want to know of a CI file that they write: what is wrong and on which line, and which jobs a pipeline would have and why. */

import { shortNameOf } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import {
  type CheckedConfig,
  checkConfig,
  type Decision,
  decideOn,
  type PipelineSource,
  type PlanResult,
  sourcesFor,
} from '../config/index.ts'
import { type RefRights, rightsToWriteCi } from '../pipelines/rights/ref_rights.ts'
import { type Finding, findingsIn } from './findings.ts'
import { subjectAt, type Tip, unbornBranch, warningsWith } from './subject.ts'

/** A text that was examined. */
export interface Examined {
  readonly findings: readonly Finding[]
  /** The merged file; undefined if it cannot be merged. */
  readonly merged: CheckedConfig['merged']
  /** The jobs that the file has; undefined where it is invalid. */
  readonly jobs: number | undefined
  /** What a pipeline would have; undefined where the file is invalid, or nothing was to be decided. */
  readonly result?: PlanResult | undefined
  /** What `workflow: rules` decided, where there are some. */
  readonly workflow?: Decision | undefined
  readonly decisions: readonly JobDecision[]
}

/** What was decided about a job of the file. */
export interface JobDecision {
  readonly name: string
  readonly stage: string
  readonly decision: Decision
}

/** The pipeline that is asked about: of a branch before its first commit, its name alone. */
export interface ExaminedPipeline {
  readonly tip: Tip | { readonly unborn: string }
  readonly source?: PipelineSource | undefined
}

/** What the caller may on the reference. The file of a merge request is theirs who may push to its branch; its pipelines have no protected variables. */
async function rightsOver(ctx: Context, project: ProjectWithRole, { ref, mergeRequest }: Tip): Promise<RefRights> {
  if (!mergeRequest || shortNameOf(ref)) return rightsToWriteCi(ctx, project, ref)
  const rights = await rightsToWriteCi(ctx, project, `refs/heads/${mergeRequest.source_branch}`)
  return rights.refusal === undefined ? { isProtected: false } : rights
}

/**
 * Examines a text as if it were the CI file of the project, and for the pipeline of `of` decides which jobs it has. The values of variables count
 * where the caller may put the file there, as in the check of the API.
 */
export async function examine(
  ctx: Context,
  project: ProjectWithRole,
  content: string,
  { tip, source }: ExaminedPipeline,
  { decides }: { readonly decides: boolean },
): Promise<Examined> {
  const at = 'unborn' in tip ? unbornBranch(tip.unborn) : tip
  const sources = sourcesFor(ctx, project, 'unborn' in tip ? undefined : at.sha)
  const rights = await rightsOver(ctx, project, at)
  // The first branch of a repository is its default branch from then on.
  const future = 'unborn' in tip && project.default_branch === null ? { ...project, default_branch: tip.unborn } : project
  const { subject, withheld } = await subjectAt(ctx, future, at, sources, rights, source)
  const checked = await checkConfig(content, sources, subject)
  const decisions: JobDecision[] = []
  let workflow: Decision | undefined
  const result =
    decides && checked.config
      ? await decideOn(checked, subject, {
          workflow(decision) {
            workflow = decision
          },
          job({ name, stage }, decision) {
            decisions.push({ name, stage, decision })
          },
        })
      : undefined
  const errors = result?.kind === 'invalid' ? result.errors : checked.errors
  const warnings = warningsWith(withheld, content, checked.warnings)
  return {
    findings: findingsIn(content, { errors, warnings, places: checked.places, hints: checked.hints }),
    merged: checked.merged,
    jobs: checked.config?.jobs.length,
    result,
    workflow,
    decisions,
  }
}
