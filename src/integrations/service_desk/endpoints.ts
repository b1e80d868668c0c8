/** The settings of a project's service desk. At 14.0 the platform has a page for them, and no address in the API; the names are those of that page. */
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { flag, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import { inProject } from '../../spaces/projects/scope.ts'
import { PROJECT_KEY, updateDesk } from './desks.ts'
import { ServiceDesk } from './entity.ts'

export const getServiceDesk = endpoint({
  route: 'GET /projects/:id/service_desk',
  summary: 'Get the settings of a project’s service desk',
  scope: inProject,
  can: 'admin_project',
  answers: one(ServiceDesk),
  run: ({ project }) => project,
})

export const updateServiceDesk = endpoint({
  route: 'PUT /projects/:id/service_desk',
  summary: 'Change the settings of a project’s service desk',
  scope: inProject,
  can: 'admin_project',
  params: {
    service_desk_enabled: optional(flag('Whether mail becomes issues')),
    outgoing_name: optional(Nullable(text('Name that its mails are from; empty: that of the instance', { maxLength: 255 }))),
    project_key: optional(
      Nullable(
        text('End of its address, of small letters, digits and `_`; empty: the ID of the project', {
          pattern: `^(${PROJECT_KEY})?$`,
          examples: ['support'],
        }),
      ),
    ),
    issue_template_key: optional(Nullable(text('Name of an issue template on the default branch, which ends new issues; empty: none'))),
    tickets_confidential_by_default: optional(flag('Whether new issues are confidential')),
  },
  answers: one(ServiceDesk),
  writes: 'own',
  run: ctx => updateDesk(ctx, ctx.project, ctx.params),
})
