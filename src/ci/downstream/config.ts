/** The CI file of a child pipeline. */
import { text } from 'node:stream/consumers'
import type { Context } from '../../platform/kernel/context.ts'
import { archiveOf } from '../artifacts/queries.ts'
import { contentsOf, findEntry, isReadable, UnfitZip } from '../artifacts/zip/index.ts'
import { limits } from '../config/index.ts'
import { type JobRow, jobs } from '../jobs/queries.ts'

/**
 * The text of its CI file: includes, resolved like those of any pipeline, or an artifact of a job of the parent. Undefined if the
 * artifact does not exist, or is larger than a CI file may be.
 */
export async function childConfig(ctx: Context, bridge: JobRow): Promise<string | undefined> {
  const includes = bridge.options.trigger?.include ?? []
  const made = includes.find(include => 'artifact' in include)
  return made ? madeConfig(ctx, bridge, made) : JSON.stringify({ include: includes })
}

async function madeConfig(
  { db, deps, now }: Context,
  bridge: JobRow,
  { artifact, job: name }: { readonly artifact: string; readonly job: string },
): Promise<string | undefined> {
  const job = await jobs(db)
    .where('pipeline_id', '=', bridge.pipeline_id)
    .where('name', '=', name)
    .where('retried', '=', false)
    .executeTakeFirst()
  const archive = job && (await archiveOf(db, job.id, now))
  if (!archive) return undefined
  try {
    const entry = await findEntry(deps.objects, archive, artifact)
    if (!entry || !isReadable(entry) || entry.record.size > limits.fileBytes) return undefined
    return await text(await contentsOf(entry))
  } catch (error) {
    if (error instanceof UnfitZip) return undefined
    throw error
  }
}
