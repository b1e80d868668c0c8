/** The agents that a job may use, with the job's context, as JSON (document 2 "Job-token context"). */
import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { described, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { ProjectIdentity, presentIdentity } from '../../spaces/projects/facts/identity.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import { basicFields, presentBasic } from '../pipelines/lists/basic.ts'
import { pipelinesById } from '../pipelines/queries.ts'
import type { JobContext } from './allowed.ts'

export const JobTokenContext = entity({
  name: 'JobTokenContext',
  schema: Type.Object({
    allowed_agents: described(
      'Agents that the job may use',
      Type.Array(
        Type.Object({
          id: integer('ID, unique on the instance'),
          config_project: described("The project that holds the agent's configuration", ProjectIdentity),
        }),
      ),
    ),
    job: described(
      'The job',
      Type.Object({
        id: integer('ID, unique on the instance'),
        name: text('Name of the job'),
        stage: text('Name of the stage'),
        project_id: integer('ID of the project'),
        project_name: text('Name of the project'),
      }),
    ),
    pipeline: described('The pipeline of the job', Type.Object(basicFields)),
    project: described('The project of the job', ProjectIdentity),
    /** Null if the account was deleted. */
    user: Nullable(described('The user who runs the job; null where there is none', Type.Object(summaryFields))),
  }),
  load: async ({ db }: Context, rows: readonly JobContext[]) => {
    const jobs = rows.map(({ job }) => job)
    return {
      projects: await projectsById(db, idsOf([...jobs, ...rows.flatMap(({ agents }) => agents)], 'project_id')),
      pipelines: await pipelinesById(db, idsOf(jobs, 'pipeline_id')),
      users: await usersById(db, idsOf(jobs, 'user_id')),
    }
  },
  present: ({ job, agents }: JobContext, { projects, pipelines, users }, facts) => {
    const project = projects.get(job.project_id)!
    const user = job.user_id === null ? undefined : users.get(job.user_id)
    return {
      allowed_agents: agents.map(agent => ({ id: agent.id, config_project: presentIdentity(projects.get(agent.project_id)!) })),
      job: { id: job.id, name: job.name, stage: job.stage, project_id: project.id, project_name: project.name },
      pipeline: presentBasic(pipelines.get(job.pipeline_id)!, facts),
      project: presentIdentity(project),
      user: user ? presentSummary(user, facts) : null,
    }
  },
})
