/** Artifacts in paths. */
import { type RawBuilder, sql } from 'kysely'
import { allows } from '../../platform/access/abilities.ts'
import { featureEnabled } from '../../platform/access/feature_flags.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound, refusedTo } from '../../platform/kernel/errors.ts'
import { inProject, type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import type { ArtifactRow } from '../jobs/entities/artifacts.ts'
import type { JobRow } from '../jobs/queries.ts'
import { inJob } from '../jobs/scope.ts'
import { archiveOf, latestJobWithArchive } from './queries.ts'

/** The downloadable archive of a job, or 404. */
export async function findArchive({ db, now }: Pick<Context, 'db' | 'now'>, jobId: number): Promise<ArtifactRow> {
  const archive = await archiveOf(db, jobId, now)
  if (!archive) throw notFound('Artifacts')
  return archive
}

/** `:job_id` becomes a job of the project, with its archive, or 404. */
export const inArchive = within(inJob, {
  name: 'inArchive',
  path: {},
  load: async ctx => ({ archive: await findArchive(ctx, ctx.job.id) }),
})

/** Does the CI file say that the artifacts of this job are private (`artifacts: public: false`)? */
export const hasPrivateArtifacts = ({ options }: Pick<JobRow, 'options'>): boolean => options.artifacts?.public === false

/** The same condition on rows of `jobs`, in SQL. */
const isPrivateRow = sql<boolean>`coalesce(jobs.options #>> '{artifacts,public}' = 'false', false)`

/**
 * Are artifacts of private jobs of the project withheld from the caller, who may see the jobs?
 * Contract: only Developers and above read them, unless the flag `non_public_artifacts` is off (`artifacts:public`).
 */
export async function keepsPrivateArtifacts({ db, actor }: Pick<Context, 'db' | 'actor'>, project: ProjectWithRole): Promise<boolean> {
  return (
    allows(actor, 'read_private_artifacts', projectSubject(project)) !== 'yes' && featureEnabled(db, 'non_public_artifacts', { project })
  )
}

/** The rows of `jobs` whose artifacts the caller may read: a condition for lists. */
export const artifactsReadableBy = async (ctx: Pick<Context, 'db' | 'actor'>, project: ProjectWithRole): Promise<RawBuilder<boolean>> =>
  (await keepsPrivateArtifacts(ctx, project)) ? sql<boolean>`not ${isPrivateRow}` : sql<boolean>`true`

/** Are the artifacts of this job withheld from the caller, who may see the job? */
export const isWithheld = async (
  ctx: Pick<Context, 'db' | 'actor'>,
  project: ProjectWithRole,
  job: Pick<JobRow, 'options'>,
): Promise<boolean> => hasPrivateArtifacts(job) && keepsPrivateArtifacts(ctx, project)

/** @throws Refusal 403 if the artifacts are withheld from the caller, 401 for an anonymous caller */
export async function requireArtifactAccess(ctx: Pick<Context, 'db' | 'actor'>, project: ProjectWithRole, job: JobRow): Promise<void> {
  if (await isWithheld(ctx, project, job)) throw refusedTo(ctx.actor)
}

/**
 * Are the variables of a job (`artifacts: reports: dotenv`) withheld from the caller, who may see the job? They are what later jobs work
 * with, and may be credentials.
 */
export const isDotenvWithheld = ({ actor }: Pick<Context, 'actor'>, project: ProjectWithRole): boolean =>
  allows(actor, 'read_private_artifacts', projectSubject(project)) !== 'yes'

/** `:ref_name` is a branch or tag of the project; the job is found by its name. */
export const inArtifactsRef = within(inProject, {
  name: 'inArtifactsRef',
  path: { ref_name: text('URL-encoded name of a branch or tag; `HEAD` and SHAs are none', { minLength: 1 }) },
  load: async (_ctx, { ref_name }) => ({ ref: ref_name }),
})

/** The archive that a reference serves for the job of this name, or 404. */
export async function findLatestArchive(
  ctx: Pick<Context, 'db' | 'deps' | 'now' | 'actor'>,
  project: ProjectWithRole,
  ref: string,
  job: string,
): Promise<ArtifactRow> {
  const latest = await latestJobWithArchive(ctx, project, ref, job)
  if (!latest) throw notFound()
  const archive = await findArchive(ctx, latest.id)
  await requireArtifactAccess(ctx, project, latest)
  return archive
}
