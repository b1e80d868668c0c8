/** The audit log of the instance: who changed what, and when. */
import { userByUsername } from '../../../identity/users/queries.ts'
import { auditEntityTypes } from '../../../platform/events/audit/entry.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { choicesOf, type Filter } from '../../../platform/pages/forms/filter_bar.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { listAuditEvents } from '../../../spaces/audit_events/endpoints.ts'
import { visibleGroup } from '../../../spaces/groups/queries.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import { auditLog, auditParams, orEmpty } from '../../audit_events/log.ts'
import { adminPlace } from '../place.ts'
import { inAdministration } from '../scope.ts'

const LIST = '/admin/audit_logs'

export const showAuditLog = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show the audit log of the instance',
  scope: inAdministration,
  can: 'admin_instance',
  tier: 'premium',
  params: {
    ...auditParams,
    entity: optional(text('Full path of a group or project, or `@` and a username', { maxLength: 4_096 })),
    entity_type: optional(OneOf(orEmpty(auditEntityTypes), { description: 'Kind of what the entries are about' })),
  },
  async run(ctx) {
    const { entity = '', entity_type = '' } = ctx.params
    const about = entity === '' ? {} : await entityNamed(ctx, entity)
    const asks = about && { ...(entity_type && { entity_type }), ...about }
    const missing = entity.startsWith('@') ? `account ${entity}` : `group or project ${entity}`
    return page(ctx, {
      title: 'Audit log',
      place: adminPlace('audit', ctx),
      body: await auditLog(ctx, {
        list: listAuditEvents,
        path: LIST,
        people: '/admin/users',
        withPlace: true,
        more: { filters: filtersOf(entity, entity_type), asks, missing },
      }),
    })
  },
})

const filtersOf = (entity: string, entity_type: string): readonly Filter[] => [
  { name: 'entity', label: 'Of (path, or @username)', value: entity },
  { name: 'entity_type', label: 'Kind', value: entity_type, choices: choicesOf(auditEntityTypes), any: 'All' },
]

/** The account, project or group of this name, as the list is asked for it. */
async function entityNamed({ db, actor }: Context, name: string): Promise<object | undefined> {
  if (name.startsWith('@')) {
    const user = await userByUsername(db, name.slice(1))
    return user && { entity_type: 'User', entity_id: user.id }
  }
  const project = await visibleProject(db, actor, name)
  if (project) return { entity_type: 'Project', entity_id: project.id }
  const group = await visibleGroup(db, actor, name)
  return group && { entity_type: 'Group', entity_id: group.id }
}
