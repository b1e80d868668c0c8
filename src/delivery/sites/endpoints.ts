/** Static sites of projects (Pages API at 14.0). */
import { endpoint, nothing } from '../../platform/kernel/declaration/endpoint.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { removeSite } from './commands.ts'

// Contract: with the API only administrators remove a site (Pages API at 14.0); its Maintainers do on the page of its settings.
export const removePages = endpoint({
  route: 'DELETE /projects/:id/pages',
  summary: 'Remove the site of a project',
  scope: inProject,
  can: 'remove_pages',
  answers: nothing,
  run: ctx => removeSite(ctx, ctx.project.id),
})
