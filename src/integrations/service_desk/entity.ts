/** The settings of a service desk as JSON. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { flag, Nullable, text } from '../../platform/kernel/declaration/types.ts'
import type { AddressPattern } from '../../platform/mail/incoming/addresses.ts'
import { deskAddress } from '../../spaces/projects/attributes/service_desk.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { isTemplateMissing } from './desks.ts'

interface Loaded {
  readonly pattern: AddressPattern | undefined
  /** Projects whose template is not in their repository any more. */
  readonly missing: ReadonlySet<number>
}

async function load(ctx: Context, rows: readonly ProjectRow[]): Promise<Loaded> {
  const missing = new Set<number>()
  for (const row of rows) if (await isTemplateMissing(ctx, row)) missing.add(row.id)
  return { pattern: ctx.deps.config.incomingMail, missing }
}

export const ServiceDesk = entity({
  name: 'ServiceDesk',
  schema: Type.Object({
    service_desk_enabled: flag('Whether mail becomes issues'),
    service_desk_address: Nullable(text('Address that turns mail into issues; null while it is off, or the instance takes no mail')),
    outgoing_name: Nullable(text('Name that its mails are from; null: that of the instance')),
    project_key: Nullable(text('End of its address; null: the ID of the project')),
    issue_template_key: Nullable(text('Name of the issue template that ends new issues; null: none')),
    template_file_missing: flag('Whether that template is not on the default branch any more'),
    tickets_confidential_by_default: flag('Whether new issues are confidential'),
  }),
  load,
  present: (row: ProjectRow, { pattern, missing }) => ({
    service_desk_enabled: row.service_desk_enabled,
    service_desk_address: row.service_desk_enabled ? deskAddress(row, pattern) : null,
    outgoing_name: row.service_desk_outgoing_name,
    project_key: row.service_desk_project_key,
    issue_template_key: row.service_desk_issue_template,
    template_file_missing: missing.has(row.id),
    tickets_confidential_by_default: row.service_desk_confidential,
  }),
})
