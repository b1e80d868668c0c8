import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { agentById } from './queries.ts'

/** `:agent_id` becomes an agent of the project, or 404. */
export const inAgent = within(inProject, {
  name: 'inAgent',
  path: { agent_id: integer('ID of an agent') },
  async load({ db, project }, { agent_id }) {
    const agent = await agentById(db, project.id, agent_id)
    if (!agent) throw notFound('Cluster Agent')
    return { agent }
  },
  modifiedAt: ({ agent }) => agent.updated_at,
})
