/** The state of imports (project import API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { DateTime, integer, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { inProject } from '../../spaces/projects/scope.ts'

const ProjectImport = entity({
  name: 'ProjectImport',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    description: Nullable(text('Description; null or empty where there is none')),
    name: text('Name of the project'),
    name_with_namespace: text('Names of all parents and its own, with ` / ` between'),
    path: text('Last part of the path, as in addresses'),
    path_with_namespace: text('Path with those of all parents'),
    created_at: DateTime('When it was created'),
    import_status: text('State of the import: `none`, `scheduled`, `started`, `finished` or `failed`'),
    import_type: Nullable(text('Where it is imported from; null where it is not')),
    import_error: Nullable(text('Why the import failed; null where it did not')),
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
