/** The artifacts of a project by their jobs. Pure. */
import { hasPrivateArtifacts } from '../../ci/artifacts/scope.ts'
import type { ArtifactRow } from '../../ci/jobs/entities/artifacts.ts'
import type { JobRow } from '../../ci/jobs/queries.ts'
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { bytesText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { jobPath } from '../jobs/scope.ts'
import { refView } from '../pipelines/list_view.ts'
import { pipelinePath } from '../pipelines/scope.ts'
import { statusIcon } from '../pipelines/status_view.ts'

/** A job with what it has left. */
export interface ListedArtifacts {
  readonly job: JobRow
  readonly pipeline: PipelineRow
  readonly artifacts: readonly ArtifactRow[]
  /** In bytes, without the log. */
  readonly size: number
  /** They outlive their expiry, with their pipeline. */
  readonly isLocked: boolean
}

export interface ArtifactsView {
  readonly ctx: Pick<Context, 'actor' | 'deps' | 'now'>
  readonly project: { readonly full_path: string }
  /** The path of the list. */
  readonly base: string
  readonly mayKeep: boolean
  readonly mayDelete: boolean
  /** Artifacts of private jobs are withheld. */
  readonly isWithheld: boolean
}

/** The list in its form; those who may delete get a box for each job. */
export function artifactsList(view: ArtifactsView, rows: readonly ListedArtifacts[]): Html {
  const { ctx, base, mayKeep, mayDelete } = view
  const list = html`<ul class="list" data-list>${rows.map(row => artifactsItem(view, row))}</ul>`
  if (!mayDelete) return mayKeep ? html`<form method="post">${csrfField(ctx)}${list}</form>` : list
  // The bar comes first: Enter on a box presses the first button of a form.
  return html`<form method="post" action="${base}/bulk_destroy" class="bulk" data-enter-changes>${csrfField(ctx)}<div class="bulk-bar above row"><button class="btn btn-danger btn-sm" data-turbo-confirm="Delete the artifacts of the chosen jobs? Their logs stay.">${icon('trash')} <span data-bulk-count="Delete">Delete the chosen ones</span></button><span class="muted small">Choose with <kbd>x</kbd>, then press <kbd>Enter</kbd>.</span></div>${list}</form>`
}

function artifactsItem(view: ArtifactsView, row: ListedArtifacts): Html {
  const { project, mayKeep, mayDelete, base, isWithheld } = view
  const { job, pipeline, artifacts, size } = row
  const { id, name } = job
  const called = `${name} (#${id})`
  const isReadable = !(isWithheld && hasPrivateArtifacts(job))
  const hasArchive = isReadable && artifacts.some(({ file_type }) => file_type === 'archive')
  return html`
<li>${mayDelete && html`<input type="checkbox" name="job_ids[]" value="${id}" aria-label="Choose the artifacts of ${called}" data-choose>`}${statusIcon(job.status, job.allow_failure)}<div class="main"><div class="title"><a href="${jobPath(project, job)}">${name}</a></div>
<div class="facts"><span>#${id}</span><span>of <a href="${pipelinePath(project, pipeline)}">#${pipeline.id}</a></span><span>${refView(project, pipeline)}</span><span>${time(job.created_at)}</span><span>${expiryText(view, row)}</span></div>
<details class="artifact-files"><summary class="small">${artifacts.length} ${artifacts.length === 1 ? 'file' : 'files'}<span class="sr-only"> of ${called}</span></summary><ul class="plain-list small">${artifacts.map(file => fileItem(view, job, file, isReadable))}</ul></details></div>
<div class="row"><strong class="size">${bytesText(size)}</strong>${hasArchive && html`<a class="btn btn-sm" href="${jobPath(project, job, '/artifacts/browse')}" aria-label="Browse the artifacts of ${called}">Browse</a><a class="btn btn-sm" href="${jobPath(project, job, '/artifacts/download')}" data-turbo="false" download title="Download" aria-label="Download the artifacts of ${called}">${icon('download')}</a>${mayKeep && job.artifacts_expire_at !== null && html`<button class="btn btn-sm" formaction="${base}/jobs/${id}/keep" aria-label="Keep the artifacts of ${called}">Keep</button>`}`}${mayDelete && html`<button class="btn btn-sm" formaction="${base}/jobs/${id}/delete" title="Delete" aria-label="Delete the artifacts of ${called}" data-turbo-confirm="Delete the artifacts of ${called}? The log stays.">${icon('trash')}</button>`}</div></li>`
}

function expiryText({ ctx: { now } }: ArtifactsView, { job: { artifacts_expire_at: end }, isLocked }: ListedArtifacts): string | Html {
  if (end === null) return 'kept for good'
  if (isLocked) return chip('Kept with the latest pipeline', 'plain', 'lock')
  return Date.parse(end) <= now.getTime() ? 'expired, deleted shortly' : html`expires ${time(end)}`
}

function fileItem({ project, base, mayDelete }: ArtifactsView, job: JobRow, file: ArtifactRow, isReadable: boolean): Html {
  const { id, file_type, filename, size } = file
  const isLog = file_type === 'trace'
  const href = isLog ? jobPath(project, job, '/raw') : file_type === 'archive' ? jobPath(project, job, '/artifacts/download') : undefined
  const face = html`<span class="mono">${filename}</span>`
  return html`<li class="row"><span>${isReadable && href !== undefined ? html`<a href="${href}" data-turbo="false">${face}</a>` : face} <span class="muted">${typeText(file_type)}, ${bytesText(size)}</span></span>${mayDelete && !isLog && html`<button class="bar-button" formaction="${base}/files/${id}/delete" title="Delete" aria-label="Delete ${filename} of ${job.name} (#${job.id})" data-turbo-confirm="Delete ${filename} of ${job.name} (#${job.id})?">${icon('trash')}</button>`}</li>`
}

const words: Readonly<Record<string, string>> = { trace: 'log', metadata: 'list of the archive' }

const typeText = (type: string): string => words[type] ?? (type === 'archive' ? type : `report: ${type.replaceAll('_', ' ')}`)
