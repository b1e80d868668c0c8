/** Shares as JSON: inside the shared place, and the answer to sharing a project (document 3 "Project", "Group"). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { Day, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { ShareRow } from './queries.ts'

/** `shared_with_groups` of projects and groups. */
export const sharedWithGroups = Type.Array(
  Type.Object({
    group_id: integer('ID of the group'),
    group_name: text('Name of the group'),
    group_full_path: text('Full path of the group'),
    group_access_level: integer('Role of the members of the group'),
    expires_at: Nullable(Day('Last day of the share; null: none')),
  }),
)

/** The share of a project with a group. */
export const ProjectShare = entity({
  name: 'ProjectShare',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    project_id: integer('ID of the project'),
    group_id: integer('ID of the group'),
    group_access: integer('Role of the members of the group'),
    expires_at: Nullable(Day('Last day of the share; null: none')),
  }),
  present: (row: ShareRow & { project_id: number }) => ({
    id: row.id,
    project_id: row.project_id,
    group_id: row.group_id,
    group_access: row.access_level,
    expires_at: row.expires_at,
  }),
})
