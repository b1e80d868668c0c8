/** Export and import of projects as archives (project import and export API at 14.0). */
import Type from 'typebox'
import { ProjectImport } from '../../code/imports/entity.ts'
import { assertImportSource } from '../../platform/application_settings/import_sources.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { root } from '../../platform/kernel/declaration/dialect.ts'
import { endpoint, one, ranged } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { described, File, flag, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { projectAttributes } from '../../spaces/projects/attributes/params.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { MOST_ARCHIVE } from '../archives/reading/form.ts'
import { archiveAnswer } from '../archives/writing/answer.ts'
import { recordDownload, requestExport } from './commands.ts'
import { ExportAccepted, ProjectExport } from './entity.ts'
import { requestImport } from './importing/commands.ts'
import { archiveOf, withExportStatus } from './queries.ts'
import { inExportedProject, inExportedProjectPage } from './scope.ts'

/** The archive of a project, and an entry of the audit log: it has all that the project keeps. @throws Refusal 404 where there is none */
async function download(ctx: Context & { readonly project: ProjectRow }) {
  await ctx.deps.limiter.often('project_download_export', ctx.actor, ctx.request.ip)
  const answer = await archiveAnswer(ctx, await archiveOf(ctx.db, ctx.project.id, ctx.actor))
  await recordDownload(ctx, ctx.project)
  return answer
}

export const exportProject = endpoint({
  route: 'POST /projects/:id/export',
  summary: 'Export a project as an archive, in the background',
  scope: inExportedProject,
  can: 'admin_project',
  params: {
    description: optional(text('Takes the place of the description in the archive', { maxLength: 2_000 })),
    upload: optional(
      described(
        'Where the archive is sent to when it is made; it is not kept then',
        Type.Object({
          url: text('Address, which may carry its credential', { maxLength: 2_048, examples: ['https://files.example.com/lamp.tar.gz'] }),
          http_method: optional(OneOf(['PUT', 'POST'], { description: '`PUT` or `POST`; `PUT` unless given' })),
        }),
      ),
    ),
  },
  answers: one(ExportAccepted, 202),
  async run(ctx) {
    await ctx.deps.limiter.often('project_export', ctx.actor, ctx.request.ip)
    await requestExport(ctx, ctx.project, ctx.params)
    return { message: '202 Accepted' }
  },
})

export const getExport = endpoint({
  route: 'GET /projects/:id/export',
  summary: 'Get the state of the export of a project',
  scope: inExportedProject,
  can: 'admin_project',
  answers: one(ProjectExport),
  run: ({ db, project }) => withExportStatus(db, project),
})

export const downloadExport = endpoint({
  route: 'GET /projects/:id/export/download',
  summary: 'Download the archive of a project',
  scope: inExportedProject,
  can: 'admin_project',
  answers: ranged('application/gzip'),
  run: download,
})

/** `/group/project/download_export` as `/group%2Fproject/download_export`: a full path becomes one segment for the router. */
function encodePath(address: string): string | undefined {
  const [, path = '', query = ''] = /^([^?]+)\/download_export(\?.*)?$/.exec(address) ?? []
  const parts = path.split('/').filter(part => part !== '')
  return parts.length < 2 || parts[0] === 'api' || parts.includes('-') ? undefined : `/${parts.join('%2F')}/download_export${query}`
}

export const downloadExportInBrowser = endpoint({
  route: 'GET /:project_path/download_export',
  summary: 'Download the archive of a project in a browser',
  scope: inExportedProjectPage,
  can: 'admin_project',
  dialect: { ...root, name: 'project_archives', rewrite: encodePath },
  answers: ranged('application/gzip'),
  run: download,
})

const importParams = {
  path: text('Path of the new project', { minLength: 1, maxLength: 255, examples: ['imported'] }),
  name: optional(text('Name of the new project; the path unless given', { minLength: 1, maxLength: 255 })),
  namespace: optional(text('ID or path of the group or personal namespace to create it in; one’s own unless given')),
  overwrite: optional(
    flag('Take the place of the project that has the path. It is deleted when the import has succeeded; only its owners may do this'),
  ),
  override_params: optional(described('Attributes of the project that win over those in the archive', Type.Object(projectAttributes))),
}

export const importProject = endpoint({
  route: 'POST /projects/import',
  summary: 'Import a project from an archive, in the background',
  scope: inInstance,
  can: 'use_instance',
  params: { ...importParams, file: File({ description: 'The archive: a file whose name ends in `.gz`', examples: ['@export.tar.gz'] }) },
  bodyLimit: MOST_ARCHIVE,
  answers: one(ProjectImport),
  errors: ['not_found', 'unprocessable'],
  writes: 'own',
  async run(ctx) {
    await ctx.deps.limiter.often('project_import', ctx.actor, ctx.request.ip)
    await assertImportSource(ctx.db, 'gitlab_project')
    const { file, ...options } = ctx.params
    return requestImport(ctx, { file }, options)
  },
})

export const importRemoteProject = endpoint({
  route: 'POST /projects/remote-import',
  summary: 'Import a project from an archive at an address, in the background',
  scope: inInstance,
  can: 'use_instance',
  params: {
    ...importParams,
    url: text('Address of the archive: http or https', { maxLength: 2_048, examples: ['https://files.example.com/lamp.tar.gz'] }),
  },
  answers: one(ProjectImport),
  errors: ['not_found'],
  writes: 'own',
  async run(ctx) {
    await ctx.deps.limiter.often('project_import', ctx.actor, ctx.request.ip)
    await assertImportSource(ctx.db, 'gitlab_project')
    const { url, ...options } = ctx.params
    return requestImport(ctx, { url }, options)
  },
})
