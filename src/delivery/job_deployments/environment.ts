/** The environment of a job, as its variables describe it. */
import type { JobEnvironment } from '../../ci/jobs/hooks.ts'
import type { JobRow } from '../../ci/jobs/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { environmentById } from '../environments/queries.ts'
import { slugOf } from '../environments/slugs.ts'

/** The environment that a job names; before it exists, with the slug of its name and the tier that the job asks for. */
export async function environmentOfJob({ db }: Context, job: JobRow & { readonly environment: string }): Promise<JobEnvironment> {
  const row = job.environment_id === null ? undefined : await environmentById(db, job.project_id, job.environment_id)
  return row ?? { name: job.environment, slug: slugOf(job.environment), tier: job.options.environment?.deployment_tier }
}
