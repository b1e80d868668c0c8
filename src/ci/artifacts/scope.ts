/** Artifacts in paths. */
import Type from 'typebox'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { within } from '../../kernel/scope.ts'
import { inProject } from '../../projects/scope.ts'
import { inJob } from '../jobs/scope.ts'
import { type ArtifactRow, archiveOf, latestJobWithArchive } from './queries.ts'

/** The archive of a job that can be downloaded, or 404. */
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

/** `:ref_name` is a branch or tag of the project; what it has is found with the name of a job. */
export const inArtifactsRef = within(inProject, {
  name: 'inArtifactsRef',
  path: { ref_name: Type.String({ minLength: 1, description: 'URL-encoded name of a branch or tag; `HEAD` and SHAs are none' }) },
  load: async (_ctx, { ref_name }) => ({ ref: ref_name }),
})

/** The archive of the job of this name that a reference has, or 404. */
export async function findLatestArchive(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { id }: { readonly id: number },
  ref: string,
  job: string,
): Promise<ArtifactRow> {
  const latest = await latestJobWithArchive(db, id, ref, job)
  if (!latest) throw notFound()
  return findArchive({ db, now }, latest.id)
}
