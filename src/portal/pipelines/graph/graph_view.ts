/** The graph of a pipeline as SVG: a column for each stage, its jobs as links to their pages, and lines for what they need. Pure. */
import type { ShownJob } from '../../../ci/jobs/lists/shown.ts'
import type { IconName } from '../../../platform/pages/assets/icons.ts'
import type { Tone } from '../../../platform/pages/components/chip.ts'
import { iconAt } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { jobPath } from '../../jobs/scope.ts'
import { lookOf } from '../status_view.ts'
import { type GraphJob, layoutOf, NODE, type Node } from './layout.ts'

/** Characters of a name that fit into a node. */
const FITS = 24

/** The page of a job; of a status that another program reported its address there, if it is one. */
export const jobHref = (
  project: { readonly full_path: string },
  { id, kind, target_url }: Pick<ShownJob, 'id' | 'kind' | 'target_url'>,
): string | undefined =>
  kind !== 'external' ? jobPath(project, { id }) : target_url !== null && /^https?:/i.test(target_url) ? target_url : undefined

/** What a node of the graph says: the whole as its label, and an icon with its tone. `href`: where it leads. */
export interface NodeLook {
  readonly label: string
  readonly icon: IconName
  readonly tone: Tone
  readonly href?: string | undefined
}

/** The jobs of a pipeline, as links to their pages. */
export const graphView = (project: { readonly full_path: string }, pipeline: { readonly id: number }, jobs: readonly ShownJob[]): Html =>
  drawnGraph(
    jobs,
    job => {
      const { word, tone, icon } = lookOf(job.status, job.allow_failure)
      return { label: `${job.name}: ${word}`, tone, icon, href: jobHref(project, job) }
    },
    `Graph of the jobs of #${pipeline.id}`,
  )

/** A graph of jobs. Pointing at a job marks the lines to it and from it (`pipeline_graph.ts`). */
export function drawnGraph<Job extends GraphJob>(
  jobs: readonly Job[],
  nodeLook: (job: Job) => NodeLook,
  label = 'Graph of the jobs',
): Html {
  const { width, height, columns, nodes, lines } = layoutOf(jobs)
  return html`<div class="panel scroll pipeline-graph" tabindex="0" role="region" aria-label="${label}"><pipeline-graph><svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="group" aria-label="Jobs by stage">
${columns.map(({ stage, x }) => html`<text class="stage" x="${x}" y="16"><title>${stage}</title>${shortened(stage)}</text>`)}
<g class="lines" aria-hidden="true">${lines.map(({ from, to, path }) => html`<path d="${path}" data-from="${from}" data-to="${to}"/>`)}</g>
${nodes.map(node => nodeView(node, nodeLook(node.job)))}</svg></pipeline-graph></div>`
}

function nodeView({ job, x, y }: Node<GraphJob>, look: NodeLook): Html {
  const { id, name } = job
  const { label, href } = look
  // Of a thousand jobs each element counts: the icon is none of its own kind.
  const inner = html`<title>${label}</title><rect x="${x}" y="${y}" width="${NODE.width}" height="${NODE.height}" rx="6"/>${iconAt(look.icon, x + 10, y + (NODE.height - 16) / 2, `status-icon ${look.tone}`)}<text x="${x + 34}" y="${y + NODE.height / 2 + 4}">${shortened(name)}</text>`
  return href === undefined
    ? html`<g class="job" data-job="${id}">${inner}</g>`
    : html`<a class="job" data-job="${id}" href="${href}" aria-label="${label}">${inner}</a>`
}

const shortened = (text: string): string => (text.length > FITS ? `${text.slice(0, FITS - 1)}…` : text)
