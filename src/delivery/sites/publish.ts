/** Publishes the archive of a `pages` job as the site of its project. */
import { archiveOf } from '../../ci/artifacts/queries.ts'
import { MAX_KEPT, surveyFolder, UnfitZip } from '../../ci/artifacts/zip/index.ts'
import { noteReported } from '../../ci/jobs/commands.ts'
import { type JobRow, jobById } from '../../ci/jobs/queries.ts'
import { moveJob } from '../../ci/jobs/transitions/move.ts'
import { processJobs } from '../../ci/pipeline_processing/process.ts'
import { fullRefOf, pipelineById } from '../../ci/pipelines/queries.ts'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import { transact } from '../../platform/db/transact.ts'
import { resolveCommit } from '../../platform/git/index.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { type NewSite, replaceSite } from './commands.ts'

/** The folder of an archive that is the site. */
export const ROOT = 'public/'

/** Files that a site may have (public behaviour of the platform). */
const FILES = 200_000

const MEGABYTE = 1024 * 1024

/** Why an archive is not published, in the words of the platform. `late`: a newer commit will publish one, so that nothing is wrong. */
interface Unfit {
  readonly why: string
  readonly late?: true
}

/**
 * Publishes what a job has left, and ends the status that waits for it. Idempotent: a status that is over, because it was
 * canceled or the task ran before, publishes nothing.
 */
export async function publishSite(
  deps: Deps,
  { job_id, status_id }: { readonly job_id: number; readonly status_id: number },
): Promise<void> {
  const { db } = deps.database
  const [job, status] = [await jobById(db, job_id), await jobById(db, status_id)]
  if (!job || status?.status !== 'running') return
  const outcome = await readyToServe(deps, job)
  await transact(db, async tx => {
    const ctx = systemContext(deps, tx, (await actingAs(tx, job.user_id)) ?? undefined)
    // In the order of all who move jobs: first the pipeline, then its jobs.
    await tx.selectFrom('pipelines').select('id').where('id', '=', job.pipeline_id).forNoKeyUpdate().execute()
    if ('why' in outcome) {
      const { why: description, late: allow_failure = false } = outcome
      if (!(await moveJob(ctx, status_id, 'drop', { failure_reason: 'script_failure', allow_failure }))) return
      await noteReported(tx, status_id, { description }, ctx.now)
    } else {
      // None where the status has ended meanwhile.
      if (!(await moveJob(ctx, status_id, 'succeed'))) return
      await replaceSite(ctx, outcome)
    }
    await processJobs(ctx, job.pipeline_id)
  })
}

/** What a job has left, if it can be served. */
async function readyToServe(deps: Deps, job: JobRow): Promise<NewSite | Unfit> {
  const { database, objects, now } = deps
  const { db } = database
  // The account may have been blocked while the job ran.
  if (!(await actingAs(db, job.user_id))) return { why: 'the user of the job is not active' }
  const archive = await archiveOf(db, job.id, now())
  if (!archive) return { why: 'missing pages artifacts' }
  if (!(await isLatest(deps, job))) return { why: 'build SHA is outdated for this ref', late: true }
  const survey = await surveyFolder(objects, archive, ROOT).catch(error => {
    if (error instanceof UnfitZip) return undefined
    throw error
  })
  if (!survey) return { why: 'the archive cannot be read' }
  const { isThere, files, unpacked, directorySize } = survey
  if (!isThere) return { why: 'pages miss the public folder' }
  // A larger directory would be read again for each file that is served.
  if (files > FILES || directorySize > MAX_KEPT) return { why: `pages site contains ${files} file entries, while limit is set to ${FILES}` }
  const { max_pages_size } = await applicationSettings(db)
  if (max_pages_size > 0 && unpacked > max_pages_size * MEGABYTE) return { why: `artifacts for pages are too large: ${unpacked}` }
  const { object_id, size } = archive
  return { project_id: job.project_id, job_id: job.id, object_id, size, file_count: files, unpacked_size: unpacked }
}

/** Is the commit of a job still the one that its reference names? */
async function isLatest({ database, storages }: Deps, { pipeline_id, project_id }: JobRow): Promise<boolean> {
  const pipeline = await pipelineById(database.db, pipeline_id)
  const project = await database.db
    .selectFrom('projects')
    .select(['id', 'repository_storage'])
    .where('id', '=', project_id)
    .executeTakeFirst()
  const repository = project && (await findRepository(storages, project))
  return repository !== undefined && pipeline !== undefined && (await resolveCommit(repository, fullRefOf(pipeline))) === pipeline.sha
}
