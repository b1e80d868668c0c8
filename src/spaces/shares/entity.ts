/** Shares as JSON: inside the shared place, and the answer to sharing a project (document 3 "Project", "Group"). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { Day, Nullable } from '../../platform/kernel/types.ts'
import type { ShareRow } from './queries.ts'

/** `shared_with_groups` of projects and groups. */
export const sharedWithGroups = Type.Array(
  Type.Object({
    group_id: Type.Integer(),
    group_name: Type.String(),
    group_full_path: Type.String(),
    group_access_level: Type.Integer(),
    expires_at: Nullable(Day()),
  }),
)

/** The share of a project with a group. */
export const ProjectShare = entity({
  name: 'ProjectShare',
  schema: Type.Object({
    id: Type.Integer(),
    project_id: Type.Integer(),
    group_id: Type.Integer(),
    group_access: Type.Integer(),
    expires_at: Nullable(Day()),
  }),
  present: (row: ShareRow & { project_id: number }) => ({
    id: row.id,
    project_id: row.project_id,
    group_id: row.group_id,
    group_access: row.access_level,
    expires_at: row.expires_at,
  }),
})
