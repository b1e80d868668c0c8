/** Linting: the errors of a CI file, and the jobs that a pipeline would get from it. */

import { hasScope } from '../../platform/access/actor.ts'
import { isValidRefName, readRefs, resolveCommit } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import {
  type CheckedConfig,
  checkConfig,
  ciFileOf,
  decideOn,
  type JobConfig,
  type PlanSubject,
  type Sources,
  sourcesFor,
  sourcesOfNobody,
} from '../config/index.ts'
import { variablesForPlan } from '../job_variables/for_plan.ts'
import { type RefRights, rightsOnRef, rightsToWriteCi } from '../pipelines/rights/ref_rights.ts'
import type { Linted, LintedJob } from './entity.ts'

export interface LintOptions {
  /** Simulate a pipeline of `ref`, instead of only checking the syntax. */
  readonly dry_run?: boolean | undefined
  /** A branch or tag; the default branch unless given. */
  readonly ref?: string | undefined
  readonly include_jobs?: boolean | undefined
}

/** Checks a text that belongs to no project: it may include what the caller may read, and has no local files. */
export async function lintText(
  ctx: Context,
  content: string,
  options: { readonly include_jobs?: boolean | undefined; readonly include_merged_yaml?: boolean | undefined },
): Promise<Linted> {
  const checked = await checkConfig(content, sourcesOfNobody(ctx))
  return { ...checkedOnly(checked, options.include_jobs), merged: options.include_merged_yaml ? checked.merged : undefined }
}

/** Checks a text as if it were the CI file of the project. */
export async function lintForProject(ctx: Context, project: ProjectWithRole, content: string, options: LintOptions): Promise<Linted> {
  const tip = await tipOf(ctx, project, options.ref)
  const sources = sourcesFor(ctx, project, tip?.sha)
  if (!tip) return options.dry_run ? withoutReference() : checkedOnly(await checkConfig(content, sources), options.include_jobs)
  const rights = await rightsToWriteCi(ctx, project, tip.ref)
  return lint(content, sources, await subjectAt(ctx, project, tip, sources, rights), options)
}

/** Checks the project's CI file at the tip of its default branch; 404 if there is no commit. */
export async function lintProject(ctx: Context, project: ProjectWithRole, options: LintOptions): Promise<Linted> {
  const head = await tipOf(ctx, project, undefined)
  if (!head) throw notFound('Commit')
  const content = (await ciFileOf(ctx, project, head.sha))?.text ?? ''
  const tip = options.dry_run && options.ref !== undefined ? await tipOf(ctx, project, options.ref) : head
  if (!tip) return withoutReference()
  const sources = sourcesFor(ctx, project, tip.sha)
  // If two references are given, the file comes from the other one.
  const rights = await (tip.ref === head.ref ? rightsOnRef : rightsToWriteCi)(ctx, project, tip.ref)
  return lint(content, sources, await subjectAt(ctx, project, tip, sources, rights), options)
}

const refused = (...errors: string[]): Linted => ({ errors, warnings: [], merged: undefined, jobs: undefined })

const withoutReference = (): Linted => refused('Reference not found')

async function lint(content: string, sources: Sources, { subject, withheld }: LintSubject, options: LintOptions): Promise<Linted> {
  const { warnings: found, ...rest } = await checkConfig(content, sources, subject)
  const checked = { ...rest, warnings: [...(withheld && content.includes('$') ? [withheld] : []), ...found] }
  const { config, warnings, merged } = checked
  if (!options.dry_run || !config) return checkedOnly(checked, options.include_jobs)
  const result = await decideOn(checked, subject)
  if (result.kind === 'invalid') return { errors: result.errors, warnings, merged, jobs: undefined }
  if (result.kind === 'nothing') {
    const reason = result.reason === 'workflow' ? 'Pipeline filtered out by workflow rules.' : 'No stages / jobs for this pipeline.'
    return { errors: [reason], warnings, merged, jobs: options.include_jobs ? [] : undefined }
  }
  const byName = new Map(config.jobs.map(job => [job.name, job]))
  const jobs = result.plan.jobs.map((planned): LintedJob => ({ config: byName.get(planned.name) as JobConfig, planned }))
  return { errors: [], warnings, merged, jobs: options.include_jobs ? jobs : undefined }
}

const checkedOnly = ({ errors, warnings, merged, config }: CheckedConfig, include_jobs = false): Linted => ({
  errors,
  warnings,
  merged,
  jobs: include_jobs ? (config?.jobs ?? []).map(job => ({ config: job })) : undefined,
})

interface Tip {
  readonly sha: string
  /** Full name. */
  readonly ref: string
}

/** The commit that a branch or tag names; of one name for both, the branch. */
async function tipOf({ deps }: Context, project: ProjectWithRole, name: string | undefined): Promise<Tip | undefined> {
  const repository = await findRepository(deps.storages, project)
  const short = (name ?? project.default_branch)?.replace(/^refs\/(heads|tags)\//, '')
  if (!repository || !short || !isValidRefName(`refs/heads/${short}`)) return undefined
  const refs = [`refs/heads/${short}`, `refs/tags/${short}`]
  const found = await readRefs(repository, refs)
  const ref = refs[found.findIndex(id => id !== undefined)]
  const sha = ref && (await resolveCommit(repository, ref))
  return ref && sha ? { sha, ref } : undefined
}

/** The subject that a file is evaluated for. */
interface LintSubject {
  readonly subject: PlanSubject
  /** The warning that variables were left out; undefined if all are available. */
  readonly withheld: string | undefined
}

/**
 * The subject of a pipeline of the tip; no changes are known. The variables of the project, its groups and the instance
 * are included only for a caller who may run the file there: names of files and rules would otherwise reveal their values.
 */
async function subjectAt(
  ctx: Context,
  project: ProjectWithRole,
  { sha, ref }: Tip,
  sources: Sources,
  rights: RefRights,
): Promise<LintSubject> {
  const name = ref.replace(/^refs\/(heads|tags)\//, '')
  const mayRun = rights.refusal === undefined && hasScope(ctx.actor, ['api'])
  const variables = await variablesForPlan(ctx, project, {
    source: 'push',
    ref,
    sha,
    protected: rights.isProtected ?? false,
    known: mayRun ? 'all' : 'predefined',
  })
  return {
    subject: {
      source: 'push',
      ref: name,
      ref_type: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
      project_path: project.full_path,
      variables,
      changedPaths: async () => undefined,
      files: () => sources.files(),
    },
    withheld: mayRun ? undefined : `CI/CD variables are left out of this check: you may not run it on \`${name}\``,
  }
}
