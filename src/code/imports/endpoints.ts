/** The state of imports (project import API at 14.0). */
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { ProjectImport } from './entity.ts'

export const getImport = endpoint({
  route: 'GET /projects/:id/import',
  summary: 'Get the state of an import or a fork',
  scope: inProject,
  can: 'read_project',
  answers: one(ProjectImport),
  run: ({ project }) => project,
})
