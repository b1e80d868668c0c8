/** Erases the log and artifacts of a job (document 2: "artifacts and job log are removed"). */
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { removeArtifacts } from '../artifacts/commands.ts'
import { noteErased } from '../jobs/commands.ts'
import { type JobRow, jobById } from '../jobs/queries.ts'
import { completed } from '../states.ts'
import { eraseTraces } from './commands.ts'

/**
 * Removes the log and the artifacts of a job that is over. `ctx.db` is a transaction.
 * @throws Refusal 403 for a job that is not over, or has been erased
 */
export async function eraseJob({ db, now, actor }: Context, _project: ProjectWithRole, { id }: Pick<JobRow, 'id'>): Promise<JobRow> {
  const job = await db.selectFrom('jobs').select(['status', 'erased_at']).where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
  if (!completed.includes(job.status)) throw forbidden(`Job is not erasable: it is ${job.status}`)
  if (job.erased_at !== null) throw forbidden('Job is not erasable: it has been erased already')
  await eraseTraces(db, [id])
  await removeArtifacts(db, [id])
  await noteErased(db, id, { by: actor.user?.id ?? null, now })
  return (await jobById(db, id)) as JobRow
}
