/** The state of imports (project import API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { endpoint, one } from '../../platform/kernel/endpoint.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { inProject } from '../../spaces/projects/scope.ts'

const ProjectImport = entity({
  name: 'ProjectImport',
  schema: Type.Object({
    id: Type.Integer(),
    description: Nullable(Type.String()),
    name: Type.String(),
    name_with_namespace: Type.String(),
    path: Type.String(),
    path_with_namespace: Type.String(),
    created_at: DateTime(),
    import_status: Type.String(),
    import_type: Nullable(Type.String()),
    import_error: Nullable(Type.String()),
  }),
  present: (row: ProjectRow) => ({
    id: row.id,
    description: row.description,
    name: row.name,
    name_with_namespace: row.full_name,
    path: row.path,
    path_with_namespace: row.full_path,
    created_at: row.created_at,
    import_status: row.import_status,
    import_type: row.import_url === null ? null : 'git',
    import_error: row.import_error,
  }),
})

export const getImport = endpoint({
  route: 'GET /projects/:id/import',
  summary: 'Get the state of an import or a fork',
  scope: inProject,
  can: 'read_project',
  answers: one(ProjectImport),
  run: ({ project }) => project,
})
