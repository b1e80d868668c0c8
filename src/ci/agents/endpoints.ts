/** Agents of clusters (cluster agents API), and the agents that a job may use (document 2 "Jobs"). */

import { endpoint, nothing, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { inOwnJob } from '../jobs/scope.ts'
import { allowedAgents } from './allowed.ts'
import * as commands from './commands.ts'
import { JobTokenContext } from './context_entity.ts'
import { Agent } from './entity.ts'
import { agentsOf } from './queries.ts'
import { inAgent } from './scope.ts'

export const listAgents = endpoint({
  route: 'GET /projects/:id/cluster_agents',
  summary: 'List the agents of a project',
  scope: inProject,
  can: 'read_cluster_agent',
  answers: pageOf(Agent),
  run: ({ db, project }) => agentsOf(db, project.id),
})

export const getAgent = endpoint({
  route: 'GET /projects/:id/cluster_agents/:agent_id',
  summary: 'Get an agent',
  scope: inAgent,
  can: 'read_cluster_agent',
  answers: one(Agent),
  run: ({ agent }) => agent,
})

export const createAgent = endpoint({
  route: 'POST /projects/:id/cluster_agents',
  summary: 'Register an agent with a project',
  scope: inProject,
  can: 'admin_cluster_agent',
  params: {
    name: text('Name of the folder of its configuration as well', {
      maxLength: 63,
      pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
      message: "can contain only lowercase letters, digits, and '-', but cannot start or end with '-'",
      examples: ['staging'],
    }),
  },
  answers: one(Agent),
  run: ctx => commands.createAgent(ctx, ctx.project.id, ctx.params.name),
})

export const removeAgent = endpoint({
  route: 'DELETE /projects/:id/cluster_agents/:agent_id',
  summary: 'Delete an agent',
  scope: inAgent,
  can: 'admin_cluster_agent',
  answers: nothing,
  run: ctx => commands.removeAgent(ctx, ctx.agent),
})

export const getAllowedAgents = endpoint({
  route: 'GET /job/allowed_agents',
  summary: 'Get the agents that the job whose token is sent may speak to',
  scope: inOwnJob,
  can: 'use_instance',
  jobToken: true,
  tier: 'premium',
  cost: 'heavy',
  answers: one(JobTokenContext),
  run: ctx => allowedAgents(ctx, ctx.job),
})
