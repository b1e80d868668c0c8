/** Writes of agents of clusters. */
import { uniqueViolation } from '../../platform/db/errors.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import type { AgentRow } from './queries.ts'

/** Adds an agent to a project; 400 where the name is taken. */
export const createAgent = ({ db, now, actor }: Context, project_id: number, name: string): Promise<AgentRow> =>
  db
    .insertInto('cluster_agents')
    .values({ project_id, name, created_by_id: actor.user?.id ?? null, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) === undefined ? error : invalid({ name: ['has already been taken'] })
    })

/** Deletes an agent. */
export async function removeAgent({ db }: Context, { id }: AgentRow): Promise<void> {
  await db.deleteFrom('cluster_agents').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
}
