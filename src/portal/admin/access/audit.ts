/** The audit log of the instance: who changed what, and when. */
import Type from 'typebox'
import { userByUsername } from '../../../identity/users/queries.ts'
import { auditEntityTypes } from '../../../platform/events/audit/entry.ts'
import { auditedKinds } from '../../../platform/events/audit/rules.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { Day, OneOf, optional, text } from '../../../platform/kernel/declaration/types.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { page } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { type AuditEventFilters, auditEventsMatching } from '../../../spaces/audit_events/queries.ts'
import { visibleGroup } from '../../../spaces/groups/queries.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import { choicesOf, filterBar, given } from '../filters.ts'
import { adminPlace } from '../place.ts'
import { inAdministration } from '../scope.ts'
import { entriesTable } from './audit_view.ts'

const LIST = '/admin/audit_logs'

/** A form also sends what was left empty. */
const orEmpty = (values: readonly string[]) => ['', ...values] as [string, ...string[]]

const dayOrEmpty = (says: string) => optional(Type.Union([Type.Literal(''), Day(says)], { description: says }))

const params = {
  ...listParams,
  author: optional(text('Username of who did it', { maxLength: 255 })),
  entity: optional(text('Full path of a group or project, or `@` and a username', { maxLength: 4_096 })),
  entity_type: optional(OneOf(orEmpty(auditEntityTypes), { description: 'Kind of what the entries are about' })),
  event_name: optional(OneOf(orEmpty(auditedKinds), { description: 'Kind of event' })),
  created_after: dayOrEmpty('This day and later'),
  created_before: dayOrEmpty('This day and earlier'),
}

interface Wanted {
  readonly author?: string | undefined
  readonly entity?: string | undefined
  readonly entity_type?: string | undefined
  readonly event_name?: string | undefined
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
}

export const showAuditLog = pageEndpoint({
  route: `GET ${LIST}`,
  summary: 'Show the audit log of the instance',
  scope: inAdministration,
  can: 'admin_instance',
  tier: 'premium',
  params,
  async run(ctx) {
    const wanted = given(ctx.params) as Wanted
    const { filters, unknown } = await filtersOf(ctx, wanted)
    const found = unknown === undefined ? await listPage(ctx, auditEventsMatching(ctx.db, filters), ctx.params) : undefined
    return page(ctx, {
      title: 'Audit log',
      place: adminPlace('audit', ctx),
      body: html`${bar(wanted)}
${unknown !== undefined && html`<div class="notice attention" role="alert">${icon('alert')}<span>There is no ${unknown}.</span></div>`}
${found && found.rows.length > 0 ? html`${entriesTable(found.rows)}${found.links}` : empty({ icon: 'log', title: 'No entries', says: 'Who changes settings, access and secrets is recorded here. No entry matches.' })}`,
    })
  },
})

const bar = ({ author, entity, entity_type, event_name, created_after, created_before }: Wanted) =>
  filterBar(LIST, [
    { name: 'author', label: 'Who (username)', value: author },
    { name: 'entity', label: 'Of (path, or @username)', value: entity },
    { name: 'entity_type', label: 'Kind', value: entity_type, choices: choicesOf(auditEntityTypes), any: 'All' },
    { name: 'event_name', label: 'What', value: event_name, choices: auditedKinds.map(kind => [kind, eventText(kind)]), any: 'All' },
    { name: 'created_after', label: 'From', value: created_after, type: 'date' },
    { name: 'created_before', label: 'To', value: created_before, type: 'date' },
  ])

/** `application_settings.updated` as `application settings: updated`. */
const eventText = (kind: string): string => kind.replaceAll('_', ' ').replace('.', ': ')

/** The filters of the API; what is named and not there is `unknown`, in words. */
async function filtersOf(
  ctx: Context,
  { author, entity, entity_type, event_name, created_after, created_before }: Wanted,
): Promise<{ readonly filters: AuditEventFilters; readonly unknown?: string }> {
  const filters: AuditEventFilters = {
    entity_type: entity_type as AuditEventFilters['entity_type'],
    event_name,
    created_after,
    created_before: created_before && `${created_before}T23:59:59.999Z`,
  }
  if (author !== undefined) {
    const user = await userByUsername(ctx.db, author.replace(/^@/, ''))
    if (!user) return { filters, unknown: `account ${author}` }
    filters.author_id = user.id
  }
  if (entity !== undefined) {
    const about = await entityNamed(ctx, entity)
    if (!about) return { filters, unknown: entity.startsWith('@') ? `account ${entity}` : `group or project ${entity}` }
    Object.assign(filters, about)
  }
  return { filters }
}

/** The account, project or group of this name. */
async function entityNamed(ctx: Context, name: string): Promise<Pick<AuditEventFilters, 'entity_type' | 'entity_id'> | undefined> {
  const { db, actor } = ctx
  if (name.startsWith('@')) {
    const user = await userByUsername(db, name.slice(1))
    return user && { entity_type: 'User', entity_id: user.id }
  }
  const project = await visibleProject(db, actor, name)
  if (project) return { entity_type: 'Project', entity_id: project.id }
  const group = await visibleGroup(db, actor, name)
  return group && { entity_type: 'Group', entity_id: group.id }
}
