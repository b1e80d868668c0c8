/** The environment of a job, as its variables describe it. */
import { sql } from 'kysely'
import type { JobEnvironment } from '../../ci/jobs/hooks.ts'
import type { JobRow } from '../../ci/jobs/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { environmentById } from '../environments/queries.ts'
import { slugOf } from '../environments/slugs.ts'

/** The environment that a job names; before it exists, with the slug of its name and the tier that the job asks for. */
export async function environmentOfJob({ db }: Context, job: JobRow & { readonly environment: string }): Promise<JobEnvironment> {
  const row = job.environment_id === null ? undefined : await environmentById(db, job.project_id, job.environment_id)
  const { name, slug, tier } = row ?? {
    name: job.environment,
    slug: slugOf(job.environment),
    tier: job.options.environment?.deployment_tier,
  }
  return { name, slug, tier, isProtected: await isProtectedEnvironment(db, job.project_id, { name, tier }) }
}

/** Is it protected, by its project or by a group above, whatever tier the instance has? */
async function isProtectedEnvironment(
  db: Db,
  projectId: number,
  { name, tier }: { readonly name: string; readonly tier: string | undefined },
): Promise<boolean> {
  const { rows } = await sql`
    select from protected_environments p
     where (p.project_id = ${projectId} and p.name = ${name})
        or (p.name = ${tier ?? null} and p.namespace_id = any(
             (select n.traversal_ids from namespaces n join projects on projects.namespace_id = n.id where projects.id = ${projectId})::bigint[]))
     limit 1`.execute(db)
  return rows.length > 0
}
