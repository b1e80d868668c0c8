/** Linting: what is wrong with a CI file, and what a pipeline would be made of it. */

import { hasScope } from '../../platform/access/actor.ts'
import { readRefs, resolveCommit } from '../../platform/git/objects/objects.ts'
import { isValidRefName } from '../../platform/git/refs/names.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { JobConfig } from '../config/keys/config.ts'
import type { PlanSubject, Sources } from '../config/plan.ts'
import { type CheckedConfig, checkConfig, decideOn } from '../config/plan_from.ts'
import { ciFileOf, sourcesFor, sourcesOfNobody } from '../config/sources.ts'
import { variablesForPlan } from '../job_variables/for_plan.ts'
import { type RefRights, rightsOnRef, rightsToWriteCi } from '../pipelines/ref_rights.ts'
import type { Linted, LintedJob } from './entity.ts'

export interface LintOptions {
  /** Decide as for a pipeline of `ref`, instead of only checking what is written. */
  readonly dry_run?: boolean | undefined
  /** A branch or tag; the default branch unless given. */
  readonly ref?: string | undefined
  readonly include_jobs?: boolean | undefined
}

/** Checks a text that belongs to no project: it may include what the caller may read, and nothing local. */
export async function lintText(
  ctx: Context,
  content: string,
  wish: { readonly include_jobs?: boolean | undefined; readonly include_merged_yaml?: boolean | undefined },
): Promise<Linted> {
  const checked = await checkConfig(content, sourcesOfNobody(ctx))
  return { ...checkedOnly(checked, wish.include_jobs), merged: wish.include_merged_yaml ? checked.merged : undefined }
}

/** Checks a text as if it were the CI file of the project. */
export async function lintForProject(ctx: Context, project: ProjectWithRole, content: string, wish: LintOptions): Promise<Linted> {
  const tip = await tipOf(ctx, project, wish.ref)
  const sources = sourcesFor(ctx, project, tip?.sha)
  if (!tip) return wish.dry_run ? withoutReference() : checkedOnly(await checkConfig(content, sources), wish.include_jobs)
  const rights = await rightsToWriteCi(ctx, project, tip.ref)
  return lint(content, sources, await subjectAt(ctx, project, tip, sources, rights), wish)
}

/** Checks the CI file that the project has, at the tip of its default branch; a 404 where there is no commit. */
export async function lintProject(ctx: Context, project: ProjectWithRole, wish: LintOptions): Promise<Linted> {
  const head = await tipOf(ctx, project, undefined)
  if (!head) throw notFound('Commit')
  const content = (await ciFileOf(ctx, project, head.sha))?.text ?? ''
  const tip = wish.dry_run && wish.ref !== undefined ? await tipOf(ctx, project, wish.ref) : head
  if (!tip) return withoutReference()
  const sources = sourcesFor(ctx, project, tip.sha)
  // The file is another reference's where two are named.
  const rights = await (tip.ref === head.ref ? rightsOnRef : rightsToWriteCi)(ctx, project, tip.ref)
  return lint(content, sources, await subjectAt(ctx, project, tip, sources, rights), wish)
}

const refused = (...errors: string[]): Linted => ({ errors, warnings: [], merged: undefined, jobs: undefined })

const withoutReference = (): Linted => refused('Reference not found')

async function lint(content: string, sources: Sources, { subject, withheld }: LintSubject, wish: LintOptions): Promise<Linted> {
  const { warnings: found, ...rest } = await checkConfig(content, sources, subject)
  const checked = { ...rest, warnings: [...(withheld && content.includes('$') ? [withheld] : []), ...found] }
  const { config, warnings, merged } = checked
  if (!wish.dry_run || !config) return checkedOnly(checked, wish.include_jobs)
  const result = await decideOn(checked, subject)
  if (result.kind === 'invalid') return { errors: result.errors, warnings, merged, jobs: undefined }
  if (result.kind === 'nothing') {
    const reason = result.reason === 'workflow' ? 'Pipeline filtered out by workflow rules.' : 'No stages / jobs for this pipeline.'
    return { errors: [reason], warnings, merged, jobs: wish.include_jobs ? [] : undefined }
  }
  const byName = new Map(config.jobs.map(job => [job.name, job]))
  const jobs = result.plan.jobs.map((planned): LintedJob => ({ config: byName.get(planned.name) as JobConfig, planned }))
  return { errors: [], warnings, merged, jobs: wish.include_jobs ? jobs : undefined }
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

/** What a file is judged by. */
interface LintSubject {
  readonly subject: PlanSubject
  /** Says that variables were left out; undefined where all are there. */
  readonly withheld: string | undefined
}

/**
 * What a pipeline of the tip would be judged by; nothing is known to have changed. What is set for the project, its groups and the instance
 * is part of it only for a caller who may run the file there: names of files and rules would tell the values otherwise.
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
