/** Writes of agents of clusters. */
import { uniqueViolation } from '../../platform/db/errors.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import type { AgentRow } from './queries.ts'

/** Adds an agent to a project; 400 where the name is taken. */
export async function createAgent(ctx: Context, project_id: number, name: string): Promise<AgentRow> {
  const { db, now, actor } = ctx
  const agent = await db
    .insertInto('cluster_agents')
    .values({ project_id, name, created_by_id: actor.user?.id ?? null, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) === undefined ? error : invalid({ name: ['has already been taken'] })
    })
  await recordEvent(ctx, { kind: 'cluster_agent.created', payload: { id: agent.id, name }, projectId: project_id })
  return agent
}

/** Deletes an agent. */
export async function removeAgent(ctx: Context, { id, name, project_id }: AgentRow): Promise<void> {
  await ctx.db.deleteFrom('cluster_agents').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'cluster_agent.deleted', payload: { id, name }, projectId: project_id })
}
