/** The head of a pipeline's pages: its commit, its facts, its buttons, and the tabs. Pure. */
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import { alive } from '../../ci/states.ts'
import type { Commit } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { durationText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { editorPath } from '../ci_editor/scope.ts'
import type { LinkedPipeline } from './graph/linked_view.ts'
import { commitView, refView, sourceText } from './list_view.ts'
import { pipelinePath } from './scope.ts'
import { statusChip } from './status_view.ts'

export interface PipelineHead {
  readonly ctx: Pick<Context, 'actor' | 'deps'>
  readonly project: { readonly full_path: string }
  readonly pipeline: PipelineRow
  readonly commit: Commit | undefined
  readonly user: { readonly name: string; readonly username: string } | undefined
  /** Has a job failed, or was one canceled? */
  readonly hasFailed: boolean
  readonly coverage: string | null
  readonly mayUpdate: boolean
  readonly mayDelete: boolean
  /** What started it, where the caller sees it. */
  readonly upstream: LinkedPipeline | undefined
}

export function pipelineHead(head: PipelineHead): Html {
  const { ctx, project, pipeline, commit, user, hasFailed, coverage, mayUpdate, mayDelete, upstream } = head
  const { id, name, status, sha, source, created_at, duration, yaml_errors, queued_duration } = pipeline
  const to = (what: string) => pipelinePath(project, pipeline, `/${what}`)
  return html`<div class="heading"><h1>${name ?? (commit?.title || 'No message')} <span class="muted light">#${id}</span></h1><div class="row">${mayUpdate && hasFailed && actionButton(ctx, { to: to('retry'), face: html`${icon('sync')} Retry failed jobs` })}${mayUpdate && alive.includes(status) && actionButton(ctx, { to: to('cancel'), face: html`${icon('circle-slash')} Cancel` })}${mayUpdate && html`<a class="bar-button" href="${to('name')}" title="Name the pipeline" aria-label="Name the pipeline">${icon('pencil')}</a>`}${mayDelete && actionButton(ctx, { to: to('delete'), face: icon('trash'), label: 'Delete the pipeline', look: 'bare', asks: 'Delete the pipeline with its jobs, their logs and artifacts?' })}</div></div>
<div class="row facts item-facts">${statusChip(status)}<span>${refView(project, pipeline)}</span>${commitView(project, sha, commit)}<span>made ${sourceText(source)}${user && html` for <a href="/${user.username}">${user.name}</a>`} ${time(created_at)}</span>${upstream && html`<span>started by <a href="${pipelinePath({ full_path: upstream.pipeline.project_path }, upstream.pipeline)}">${upstream.job} of #${upstream.pipeline.id}</a></span>`}${duration !== null && html`<span>${icon('stopwatch')} ran ${durationText(duration)}${queued_duration !== null && `, waited ${durationText(queued_duration)}`}</span>`}${coverage !== null && chip(`${coverage} % covered`, 'plain', 'shield')}</div>
${yaml_errors !== null && html`<div class="notice danger" role="alert">${icon('alert')}<span><strong>The CI file is invalid.</strong> ${yaml_errors}${mayUpdate && isOfBranch(pipeline) && html` <a href="${editorPath(project, pipeline.ref)}">Find it in the editor</a>`}</span></div>`}`
}

/** Editors are of branches. */
const isOfBranch = ({ ref, tag }: PipelineRow): boolean => !tag && !ref.startsWith('refs/')

export type PipelineTab = 'jobs' | 'needs' | 'failures' | 'tests'

/** The tabs. `failed`: the number of failed jobs; `tests`: that of the tests, undefined where nothing was reported. */
export const pipelineTabs = (
  project: PipelineHead['project'],
  pipeline: PipelineRow,
  current: PipelineTab,
  { failed, tests }: { readonly failed: number; readonly tests: number | undefined },
): Html =>
  html`<nav class="subnav" aria-label="Parts of the pipeline">${(
    [
      ['jobs', 'Jobs', '', undefined],
      ['needs', 'Needs', '/dag', undefined],
      ['failures', 'Failed jobs', '/failures', failed],
      ['tests', 'Tests', '/test_report', tests],
    ] as const
  ).map(
    ([tab, label, path, count]) =>
      html`<a href="${pipelinePath(project, pipeline, path)}"${tab === current && html` aria-current="page"`}>${label}${count !== undefined && html` <span class="counter">${count}</span>`}</a>`,
  )}</nav>`
