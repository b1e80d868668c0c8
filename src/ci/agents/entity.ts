/** An agent of clusters as JSON (cluster agents API). */
import Type from 'typebox'
import { idsOf } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, described, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import { ProjectIdentity, presentIdentity } from '../../spaces/projects/facts/identity.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import type { AgentRow } from './queries.ts'

export const Agent = entity({
  name: 'ClusterAgent',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    name: text('Name of the agent'),
    config_project: described("The project that holds the agent's configuration", ProjectIdentity),
    created_at: DateTime('When it was created'),
    /** Null if the account was deleted. */
    created_by_user_id: Nullable(integer('ID of the creating user; null where the account is deleted')),
  }),
  load: ({ db }: Context, rows: readonly AgentRow[]) => projectsById(db, idsOf(rows, 'project_id')),
  present: (row: AgentRow, projects) => ({
    id: row.id,
    name: row.name,
    config_project: presentIdentity(projects.get(row.project_id)!),
    created_at: row.created_at,
    created_by_user_id: row.created_by_id,
  }),
})
