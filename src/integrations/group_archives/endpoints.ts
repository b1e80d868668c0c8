import type { Context } from '../../platform/kernel/context.ts'
import { endpoint, one, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { File, integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { pages } from '../../platform/pages/dialect.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import type { GroupRow } from '../../spaces/groups/queries.ts'
import { inGroup } from '../../spaces/groups/scope.ts'
import { MOST_ARCHIVE } from '../archives/reading/form.ts'
import { archiveAnswer } from '../archives/writing/answer.ts'
import { ExportAccepted } from '../project_archives/entity.ts'
import { recordGroupDownload, requestGroupExport, requestGroupImport } from './commands.ts'
import { archiveOf } from './queries.ts'

const accepted = { message: '202 Accepted' }

/** The archive of a group, and an entry of the audit log. @throws Refusal 404 where there is none */
async function download(ctx: Context & { readonly group: GroupRow }) {
  await ctx.deps.limiter.often('group_download_export', ctx.actor, ctx.request.ip)
  const answer = await archiveAnswer(ctx, await archiveOf(ctx.db, ctx.group.id, ctx.actor))
  await recordGroupDownload(ctx, ctx.group)
  return answer
}

export const exportGroup = endpoint({
  route: 'POST /groups/:id/export',
  summary: 'Export a group as an archive, in the background',
  scope: inGroup,
  can: 'admin_group',
  answers: one(ExportAccepted, 202),
  async run(ctx) {
    await ctx.deps.limiter.often('group_export', ctx.actor, ctx.request.ip)
    await requestGroupExport(ctx, ctx.group)
    return accepted
  },
})

export const downloadGroupExport = endpoint({
  route: 'GET /groups/:id/export/download',
  summary: 'Download the archive of a group',
  scope: inGroup,
  can: 'admin_group',
  answers: ranged('application/gzip'),
  run: download,
})

export const downloadGroupExportInBrowser = endpoint({
  route: 'GET /groups/:group_path/-/download_export',
  summary: 'Download the archive of a group in a browser',
  scope: inGroupPage,
  can: 'admin_group',
  dialect: pages,
  answers: ranged('application/gzip'),
  run: download,
})

export const importGroup = endpoint({
  route: 'POST /groups/import',
  summary: 'Import a group from an archive, in the background',
  scope: inInstance,
  can: 'use_instance',
  params: {
    path: text('Path of the new group', { minLength: 1, maxLength: 255, examples: ['imported'] }),
    name: text('Name of the new group', { minLength: 1, maxLength: 255, examples: ['Imported'] }),
    parent_id: optional(integer('ID of the group to create it in; at the top unless given')),
    file: File({ description: 'The archive: a file whose name ends in `.gz`', examples: ['@export.tar.gz'] }),
  },
  bodyLimit: MOST_ARCHIVE,
  answers: one(ExportAccepted, 202),
  errors: ['not_found', 'unprocessable'],
  writes: 'own',
  async run(ctx) {
    await ctx.deps.limiter.often('group_import', ctx.actor, ctx.request.ip)
    await requestGroupImport(ctx, ctx.params)
    return accepted
  },
})
