/** An agent of clusters as JSON (cluster agents API). */
import Type from 'typebox'
import { idsOf } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import { ProjectIdentity, presentIdentity } from '../../spaces/projects/identity.ts'
import { projectsById } from '../../spaces/projects/queries.ts'
import type { AgentRow } from './queries.ts'

export const Agent = entity({
  name: 'ClusterAgent',
  schema: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    config_project: ProjectIdentity,
    created_at: DateTime(),
    /** Null if the account was deleted. */
    created_by_user_id: Nullable(Type.Integer()),
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
