/** Housekeeping of repositories on request (projects API at 14.0). */
import { endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { requestHousekeeping } from './commands.ts'

export const startHousekeeping = endpoint({
  route: 'POST /projects/:id/housekeeping',
  summary: 'Pack and check the repository of a project',
  scope: inProject,
  can: 'admin_project',
  answers: { kind: 'nothing', status: 201 },
  run: ({ db, project }) => requestHousekeeping(db, project.id),
})
