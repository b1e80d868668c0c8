/** How the import of a project or group goes, and what of it could not be imported. */
import { ProjectImport } from '../../code/imports/entity.ts'
import type { Failure } from '../../integrations/archives/importing/import.ts'
import { importOf } from '../../integrations/group_archives/queries.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import { chip, type Tone } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { groupPages, inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { archiveTopic } from './live.ts'

/** States of imports and migrations, in words. */
export const stateChips: Readonly<Record<string, readonly [text: string, tone: Tone]>> = {
  none: ['Not imported', 'plain'],
  scheduled: ['Waits for its turn', 'attention'],
  created: ['Waits for its turn', 'attention'],
  started: ['Under way', 'accent'],
  finished: ['Finished', 'success'],
  failed: ['Failed', 'danger'],
}

/** The chip of a state. */
export const stateChip = (state: string): Html => {
  const [text, tone] = stateChips[state] ?? [state, 'plain' as const]
  return chip(text, tone)
}

interface Report {
  readonly state: string
  /** Where it comes from, in words. */
  readonly from?: string | undefined
  readonly error: string | null
  readonly failures: readonly Failure[]
  /** Where what was imported is. */
  readonly href: string
  readonly noun: 'project' | 'group'
}

/** What could not be imported, in a table. */
export const failuresTable = (failures: readonly Failure[]): Html =>
  dataTable({
    label: 'Parts that are missing',
    rows: failures,
    columns: [
      { title: 'Part', cell: ({ relation }) => html`<span class="mono break">${relation}</span>` },
      { title: 'Which', cell: ({ source }) => html`<span class="break">${source}</span>` },
      { title: 'Why', cell: ({ message }) => html`<span class="break">${message}</span>` },
    ],
  })

function reportView({ state, from, error, failures, href, noun }: Report): Html {
  const isDone = state === 'finished'
  const isUnderWay = !isDone && state !== 'failed' && state !== 'none'
  return html`<div class="row">${stateChip(state)}${from && html`<span>${from}</span>`}</div>
${isUnderWay && html`<p>The ${noun} fills in the background. This page follows it; without a script, load it again.</p>`}
${state === 'failed' && html`<div class="notice danger" role="alert">${icon('alert')}<span class="break">${error ?? 'The reason is not known.'}</span></div>`}
${(isDone || state === 'none') && html`<p><a class="btn btn-primary" href="${href}">Open the ${noun}</a></p>`}
${isDone && failures.length === 0 && html`<p class="muted">Nothing is known to be missing.</p>`}
${failures.length > 0 && html`<section class="section" aria-labelledby="missing"><h2 id="missing">What could not be imported</h2>${failuresTable(failures)}</section>`}`
}

const sources: Readonly<Record<string, string>> = { git: 'from a repository', gitlab_project: 'from an archive', github: 'from GitHub' }

export const showProjectImport = pageEndpoint({
  route: 'GET /:project_path/-/import',
  summary: 'Show how the import of a project goes',
  scope: inProjectPage,
  can: 'read_project',
  async run(ctx) {
    const { project } = ctx
    const topic = archiveTopic('project_import', project.id)
    const [found] = await presentAll(ProjectImport, ctx, [project])
    const { import_status, import_type, import_error, failed_relations } = found as NonNullable<typeof found>
    const report = reportView({
      state: import_status,
      from: import_type === null ? undefined : sources[import_type],
      error: import_error,
      failures: failed_relations.map(({ relation_name, source, exception_message }) => ({
        relation: relation_name,
        source,
        message: exception_message,
      })),
      href: projectPath(project),
      noun: 'project',
    })
    return page(ctx, {
      title: 'Import',
      place: projectPlace(ctx.actor, project, 'project'),
      width: 'medium',
      live: [topic],
      body: livePart('import', topic, report, 'stack'),
    })
  },
})

export const showGroupImport = pageEndpoint({
  route: 'GET /groups/:group_path/-/import',
  summary: 'Show how the import of a group goes',
  scope: inGroupPage,
  can: 'admin_group',
  dialect: groupPages,
  async run(ctx) {
    const { group } = ctx
    const found = await importOf(ctx.db, group.id)
    const topic = archiveTopic('group_import', group.id)
    const report = reportView({
      state: found?.state ?? 'none',
      from: found && sources.gitlab_project,
      error: found?.error ?? null,
      failures: (found?.failures ?? []) as unknown as readonly Failure[],
      href: groupPath(group),
      noun: 'group',
    })
    return page(ctx, {
      title: 'Import',
      place: groupPlace(ctx.actor, group, 'group'),
      width: 'medium',
      live: [topic],
      body: livePart('import', topic, report, 'stack'),
    })
  },
})
