/** The CI file of a child pipeline. */
import type { Context } from '../../kernel/context.ts'
import type { JobRow } from '../jobs/queries.ts'

/** Its text: files that are included as the plan of any pipeline includes them, or one that a job has made. Undefined where that is not there. */
export async function childConfig(_ctx: Context, bridge: JobRow): Promise<string | undefined> {
  const includes = bridge.options.trigger?.include ?? []
  const made = includes.find(include => 'artifact' in include)
  if (made) return undefined
  return JSON.stringify({ include: includes })
}
