/** The export of a project or group in its settings: asking for an archive, how that goes, and the archive. */
import { exportGroup } from '../../integrations/group_archives/endpoints.ts'
import * as groupArchives from '../../integrations/group_archives/queries.ts'
import { exportProject } from '../../integrations/project_archives/endpoints.ts'
import * as projectArchives from '../../integrations/project_archives/queries.ts'
import { inExportedProjectPage } from '../../integrations/project_archives/scope.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { form } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { settingsPlaceOf } from '../place_settings/place.ts'
import type { GroupWithRole } from '../places/planning.ts'
import { exportView } from './export_view.ts'
import { archiveTopic } from './live.ts'

/** After the path of a project or group. */
const EXPORT = '/-/settings/export'

interface OfProject {
  readonly project: ProjectWithRole
}

interface OfGroup {
  readonly group: GroupWithRole
}

const back = ({ project }: OfProject): string => projectPath(project, EXPORT)

/** The page around a form, and the state of the export above it. */
async function frameOf(ctx: Context & OfProject, under: Html) {
  const { db, actor, project } = ctx
  const topic = archiveTopic('project_export', project.id)
  const [shown, own] = [await projectArchives.shownExportOf(db, project.id), await projectArchives.archiveOf(db, project.id, actor)]
  const report =
    project.import_status !== 'none' &&
    html`<p class="muted small">The project was imported: <a href="${projectPath(project, '/-/import')}">how that went</a>.</p>`
  return {
    title: 'Export',
    place: settingsPlaceOf(ctx, 'export'),
    width: 'medium' as const,
    live: [topic],
    body: html`<p>An archive has the repository, wiki, issues, merge requests, releases, members and settings of the project, in the form that other servers of this API import too. Secrets stay here: variables, tokens, keys and webhooks. <a href="/help/migration#move-a-whole-project-as-an-archive">What is in it</a></p>
${livePart('export', topic, exportView(shown, own, projectPath(project, '/download_export')), 'section')}
<section class="section" aria-labelledby="new-export"><h2 id="new-export">New archive</h2>${under}</section>${report}`,
  }
}

const requesting = form<OfProject>({
  path: `/:project_path${EXPORT}`,
  summary: 'Export a project',
  scope: inExportedProjectPage,
  of: exportProject,
  fields: () => [
    { name: 'description', label: 'Description', control: 'textarea', hint: 'Takes the place of that of the project in the archive.' },
    {
      name: 'upload_url',
      label: 'Send it to',
      control: 'text',
      placeholder: 'https://files.example.com/lamp.tar.gz',
      hint: 'An address that takes the archive when it is made, such as a signed one of an object store. It is not kept here then.',
    },
    {
      name: 'upload_http_method',
      label: 'By',
      control: 'radio',
      choices: [
        ['PUT', 'PUT'],
        ['POST', 'POST'],
      ],
      hint: '',
    },
  ],
  values: () => ({ upload_http_method: 'PUT' }),
  instead: {
    of: ['upload'],
    params: {
      upload_url: optional(text('Where the archive is sent to', { maxLength: 2_048 })),
      upload_http_method: optional(OneOf(['PUT', 'POST'], { description: 'How it is sent' })),
    },
    adapt: async (_ctx, { upload_url, upload_http_method, ...others }) => ({
      ...others,
      ...(upload_url !== undefined && { upload: { url: upload_url, http_method: upload_http_method } }),
    }),
  },
  next: back,
  notice: 'The archive is being made.',
  button: 'Export project',
  cancel: 'stays',
  frame: ctx => frameOf(ctx, html``),
  around: frameOf,
})

export const submitProjectExport = requesting.submit

export const showProjectExport = pageEndpoint({
  route: `GET /:project_path${EXPORT}`,
  summary: 'Show the export of a project',
  scope: inProjectPage,
  can: 'admin_project',
  async run(ctx) {
    if ((await applicationSettings(ctx.db)).project_export_enabled)
      return page(ctx, await frameOf(ctx, await requesting.embed(ctx, back(ctx), { upload_http_method: 'PUT' })))
    const body = empty({
      icon: 'upload',
      title: 'Exports are switched off',
      says: 'An administrator of this server has switched off exports of projects.',
    })
    return page(ctx, { title: 'Export', place: settingsPlaceOf(ctx, 'export'), width: 'medium', body })
  },
})

const backToGroup = ({ group }: OfGroup): string => groupPath(group, EXPORT)

export const showGroupExport = pageEndpoint({
  route: `GET /groups/:group_path${EXPORT}`,
  summary: 'Show the export of a group',
  scope: inGroupPage,
  can: 'admin_group',
  async run(ctx) {
    const { db, actor, group } = ctx
    const topic = archiveTopic('group_export', group.id)
    const [shown, own] = [await groupArchives.shownExportOf(db, group.id), await groupArchives.archiveOf(db, group.id, actor)]
    const report =
      (await groupArchives.importOf(db, group.id)) !== undefined &&
      html`<p class="muted small">The group was imported: <a href="${groupPath(group, '/-/import')}">how that went</a>.</p>`
    return page(ctx, {
      title: 'Export',
      place: settingsPlaceOf(ctx, 'export'),
      width: 'medium',
      live: [topic],
      body: html`<p>An archive has the group and its subgroups with their members, labels, milestones, epics, boards, iterations and wikis. Projects are not in it: each has an export of its own. <a href="/help/migration#move-a-group-as-an-archive">What is in it</a></p>
${livePart('export', topic, exportView(shown, own, groupPath(group, '/-/download_export')), 'section')}
<div class="row section">${actionButton(ctx, { to: backToGroup(ctx), face: 'Export group', look: 'primary' })}</div>${report}`,
    })
  },
})

export const submitGroupExport = action<OfGroup>({
  route: `POST /groups/:group_path${EXPORT}`,
  of: exportGroup,
  scope: inGroupPage,
  next: backToGroup,
  notice: 'The archive is being made.',
})
