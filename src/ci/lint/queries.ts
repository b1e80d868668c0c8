/** Linting: the errors of a CI file, and the jobs that a pipeline would get from it. */

import type { Context } from '../../platform/kernel/context.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import {
  type CheckedConfig,
  checkConfig,
  ciFileOf,
  decideOn,
  type JobConfig,
  type Sources,
  sourcesFor,
  sourcesOfNobody,
  yamlOf,
} from '../config/index.ts'
import { rightsOnRef, rightsToWriteCi } from '../pipelines/rights/ref_rights.ts'
import type { Linted, LintedJob } from './entity.ts'
import { type LintSubject, subjectAt, tipOf, warningsWith } from './subject.ts'

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
  return checkedOnly({ ...checked, merged: options.include_merged_yaml ? checked.merged : undefined }, options.include_jobs)
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
  const checked = { ...rest, warnings: warningsWith(withheld, content, found) }
  const { config, warnings } = checked
  if (!options.dry_run || !config) return checkedOnly(checked, options.include_jobs)
  const merged = checked.merged && (await yamlOf(checked.merged))
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

const checkedOnly = async ({ errors, warnings, merged, config }: CheckedConfig, include_jobs = false): Promise<Linted> => ({
  errors,
  warnings,
  merged: merged && (await yamlOf(merged)),
  jobs: include_jobs ? (config?.jobs ?? []).map(job => ({ config: job })) : undefined,
})
