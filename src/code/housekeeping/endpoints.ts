/** Housekeeping of repositories by request (projects API at 14.0). */
import { endpoint } from '../../platform/kernel/endpoint.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { requestHousekeeping } from './commands.ts'

export const startHousekeeping = endpoint({
  route: 'POST /projects/:id/housekeeping',
  summary: 'Have the repository of a project packed and checked',
  scope: inProject,
  can: 'admin_project',
  answers: { kind: 'nothing', status: 201 },
  run: ({ db, project }) => requestHousekeeping(db, project.id),
})
