/** The jobs whose artifacts a job downloads: those that it names, those that it needs, or all of the earlier stages. */
import { sql } from 'kysely'
import { allows } from '../../../platform/access/abilities.ts'
import { actingAsJob } from '../../../platform/access/credentials/credentials.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { artifactsReadableBy, isDotenvWithheld } from '../../artifacts/scope.ts'
import type { OtherNeed } from '../../config/index.ts'
import { expanderWith } from '../../job_variables/expand_secret.ts'
import { runnerVariablesOf } from '../../job_variables/for_job.ts'
import { isDependencyOf, mayHaveDependencies } from '../../job_variables/inherited.ts'
import type { JobRow } from '../../jobs/queries.ts'
import { isTagMeant } from '../../named_ref.ts'

/** A job whose artifacts another one downloads. */
export interface Dependency {
  readonly id: number
  readonly name: string
  readonly erased_at: string | null
  readonly artifacts_expire_at: string | null
  /** Its artifacts are kept beyond their expiry. */
  readonly locked: boolean
  /** Undefined if it left no archive. */
  readonly archive: { readonly filename: string; readonly size: number } | undefined
  /** Whether the job gets the variables of its `dotenv` report too. */
  readonly givesVariables: boolean
}

/** A named job that does not exist, or that this user may not see. */
export type Missing = 'missing'

/** Are the artifacts of a dependency missing? The dependent job must not run then. */
export function isMissing(dependency: Dependency | Missing, now: Date): boolean {
  if (dependency === 'missing' || dependency.erased_at !== null) return true
  const { artifacts_expire_at: end, locked } = dependency
  return end !== null && !locked && Date.parse(end) <= now.getTime()
}

/** The jobs whose `dotenv` variables a job gets. Pure. */
export const givingVariables = (dependencies: readonly (Dependency | Missing)[]): number[] =>
  dependencies.flatMap(each => (each !== 'missing' && each.givesVariables ? [each.id] : []))

/** All dependencies of a job, in the order of their ids. */
export async function dependenciesOf(ctx: Context, job: JobRow): Promise<(Dependency | Missing)[]> {
  const here = await dependenciesHere(ctx.db, job)
  const others = (job.options.other_needs ?? []).filter(need => 'job' in need && need.artifacts)
  if (others.length === 0) return here
  const { published } = expanderWith((await runnerVariablesOf(ctx, job)).filter(({ file }) => !file))
  const elsewhere: (Dependency | Missing)[] = []
  for (const need of others) elsewhere.push((await dependencyElsewhere(ctx, job, withVariables(need, published))) ?? 'missing')
  return [...here, ...elsewhere]
}

const withVariables = (need: OtherNeed, expanded: (text: string) => string): OtherNeed =>
  Object.fromEntries(
    Object.entries(need).map(([key, value]) => [key, typeof value === 'string' ? expanded(value) : value]),
  ) as unknown as OtherNeed

/** Loads jobs with their archives. */
const candidates = (db: Db) =>
  db
    .selectFrom('jobs')
    .innerJoin('pipelines', 'pipelines.id', 'jobs.pipeline_id')
    .leftJoin('job_artifacts as archive', on => on.onRef('archive.job_id', '=', 'jobs.id').on('archive.file_type', '=', 'archive'))
    .select(['jobs.id', 'jobs.name', 'jobs.erased_at', 'jobs.artifacts_expire_at', 'pipelines.locked', 'archive.filename', 'archive.size'])
    .where('jobs.kind', '=', 'build')

type Candidate = Awaited<ReturnType<ReturnType<typeof candidates>['executeTakeFirstOrThrow']>>

const dependency = ({ filename, size, ...job }: Candidate): Dependency => ({
  ...job,
  givesVariables: true,
  archive: filename === null || size === null ? undefined : { filename, size },
})

/** Those of the same pipeline. */
async function dependenciesHere(db: Db, job: JobRow): Promise<Dependency[]> {
  if (!mayHaveDependencies(job)) return []
  const found = await candidates(db).where(isDependencyOf(job)).orderBy('jobs.id').execute()
  return found.map(dependency)
}

/**
 * The job of another pipeline that a need names, if the user of this job may read it. Its variables are for those who may download
 * its `dotenv` report: the archive of a public project is for everybody, and what its jobs hand to each other is not.
 */
async function dependencyElsewhere(ctx: Context, job: JobRow, need: OtherNeed): Promise<Dependency | undefined> {
  const { db } = ctx
  if ('pipeline' in need) return named(await pipelineHere(db, job, Number(need.pipeline)), need.job)
  if (!('project' in need)) return undefined
  const actor = await actingAsJob(db, job)
  const project = actor && (await visibleProject(db, actor, need.project))
  if (!project || allows(actor, 'read_job', projectSubject(project)) !== 'yes') return undefined
  const tag = await isTagMeant(ctx, project, need.ref)
  const latest = await db
    .selectFrom('pipelines')
    .select('id')
    .where('project_id', '=', project.id)
    .where('ref', '=', need.ref)
    .$if(tag !== undefined, query => query.where('tag', '=', tag!))
    .where('status', '=', 'success')
    .where('parent_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const found = await named(latest?.id, need.job, await artifactsReadableBy({ db, actor }, project))
  return found && { ...found, givesVariables: !isDotenvWithheld({ actor }, project) }

  async function named(pipelineId: number | undefined, name: string, isReadable = sql<boolean>`true`): Promise<Dependency | undefined> {
    if (pipelineId === undefined) return undefined
    const found = await candidates(db)
      .where('jobs.pipeline_id', '=', pipelineId)
      .where(isReadable)
      .where('jobs.name', '=', name)
      .where('jobs.retried', '=', false)
      .where('jobs.status', '=', 'success')
      .orderBy('jobs.id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return found && dependency(found)
  }
}

/** The pipeline with this id, if it is an ancestor of the job's pipeline. */
async function pipelineHere(db: Db, { pipeline_id }: JobRow, id: number): Promise<number | undefined> {
  if (!Number.isSafeInteger(id)) return undefined
  const { rows } = await sql<{ id: number }>`
    with recursive above(id, parent_id) as (
      select id, parent_id from pipelines where id = ${pipeline_id}
       union
      select p.id, p.parent_id from pipelines p join above on p.id = above.parent_id)
    select id from above where id = ${id}`.execute(db)
  return rows[0]?.id
}
