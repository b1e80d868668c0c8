/** Reads for the badges of branches and tags. */
import type { Db } from '../../platform/db/connection.ts'

/** The mean coverage of the jobs of a pipeline, or that of the job of this name; undefined where none says any. */
export async function coverageOf(db: Db, pipelineId: number, job: string | undefined): Promise<number | undefined> {
  const { coverage } = await db
    .selectFrom('jobs')
    .select(({ fn }) => fn.avg<number | null>('coverage').as('coverage'))
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false)
    .$if(job !== undefined, query => query.where('name', '=', job as string))
    .executeTakeFirstOrThrow()
  return coverage === null ? undefined : Number(coverage)
}
