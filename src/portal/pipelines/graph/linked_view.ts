/** The pipelines that one was started by, and that it started: each unfolds in place to its graph, which is loaded then. Pure. */
import type { PipelineRow } from '../../../ci/pipelines/queries.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { pipelineTopicOf } from '../live.ts'
import { pipelinePath } from '../scope.ts'
import { statusChip } from '../status_view.ts'

/** A pipeline with the job that started it, or, upstream, the one that has the job. */
export interface LinkedPipeline {
  readonly pipeline: Pick<PipelineRow, 'id' | 'status' | 'project_path'>
  readonly job: string
}

/** The element of a pipeline's graph on the pages of others. */
export const graphFrame = ({ id }: { readonly id: number }): string => `graph-${id}`

/** @param direction where the pipelines stand to the one of the page */
export function linkedPipelines(
  direction: 'Upstream' | 'Downstream',
  linked: readonly LinkedPipeline[],
  project: { readonly full_path: string },
): Html {
  if (linked.length === 0) return html``
  return html`<ul class="linked-pipelines" aria-label="${direction}">${linked.map(one => html`<li>${linkedView(direction, one, project)}</li>`)}</ul>`
}

function linkedView(
  direction: 'Upstream' | 'Downstream',
  { pipeline, job }: LinkedPipeline,
  project: { readonly full_path: string },
): Html {
  const { id, status, project_path } = pipeline
  const page = pipelinePath({ full_path: project_path }, pipeline)
  // The pipelines that the upstream one has started are those of this page, among others.
  const src = `${page}/graph${direction === 'Upstream' ? '?started=false' : ''}`
  return html`<details class="panel" id="linked-${id}"><summary class="row">${icon('workflow')} <span>${direction}: <strong>#${id}</strong>${project_path !== project.full_path && ` of ${project_path}`}, ${direction === 'Upstream' ? 'started it by' : 'started by'} ${job}</span> ${statusChip(status)}</summary><div class="body"><p><a class="btn btn-sm" href="${page}">Open pipeline #${id}</a></p><turbo-frame id="${graphFrame(pipeline)}" src="${src}" loading="lazy" refresh="morph" target="_top" data-follows="${pipelineTopicOf(pipeline)}"></turbo-frame></div></details>`
}
