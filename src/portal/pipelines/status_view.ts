/** Statuses of pipelines and jobs in the words that people read, with their icon and colour. Pure. */
import type { JobStatus } from '../../ci/states.ts'
import type { IconName } from '../../platform/pages/assets/icons.ts'
import { chip, type Tone } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { type Html, html } from '../../platform/pages/html.ts'

interface Look {
  readonly word: string
  readonly tone: Tone
  readonly icon: IconName
}

const looks: { readonly [S in JobStatus]: Look } = {
  created: { word: 'Created', tone: 'plain', icon: 'dot' },
  waiting_for_resource: { word: 'Waiting for its resource', tone: 'attention', icon: 'clock' },
  preparing: { word: 'Preparing', tone: 'attention', icon: 'clock' },
  pending: { word: 'Pending', tone: 'attention', icon: 'clock' },
  running: { word: 'Running', tone: 'accent', icon: 'sync' },
  success: { word: 'Passed', tone: 'success', icon: 'check-circle' },
  failed: { word: 'Failed', tone: 'danger', icon: 'x-circle' },
  canceled: { word: 'Canceled', tone: 'plain', icon: 'circle-slash' },
  skipped: { word: 'Skipped', tone: 'plain', icon: 'skip' },
  manual: { word: 'Manual', tone: 'plain', icon: 'play' },
  scheduled: { word: 'Delayed', tone: 'attention', icon: 'stopwatch' },
}

const warning: Look = { word: 'Failed, which is allowed', tone: 'attention', icon: 'alert' }

/** How a status looks; that of a job that failed and may fail is a warning. */
export const lookOf = (status: string, mayFail = false): Look =>
  status === 'failed' && mayFail ? warning : (looks[status as JobStatus] ?? looks.created)

export const statusChip = (status: string, mayFail = false): Html => {
  const look = lookOf(status, mayFail)
  return chip(look.word, look.tone, look.icon)
}

/** The icon alone, in its colour; the word for who cannot see it. */
export const statusIcon = (status: string, mayFail = false): Html => {
  const look = lookOf(status, mayFail)
  return html`<span class="status-icon ${look.tone}" title="${look.word}">${icon(look.icon, look.word)}</span>`
}

/** The number and status of a pipeline, as a link to its page. */
export function pipelineChip(
  pipeline: { readonly id: number; readonly status: string } & ({ readonly web_url: string } | { readonly project_path: string }),
): Html {
  const { id, status } = pipeline
  const look = lookOf(status)
  const href = 'web_url' in pipeline ? pipeline.web_url : `/${pipeline.project_path}/-/pipelines/${id}`
  return html`<a class="quiet" href="${href}">${chip(`#${id} ${look.word.toLowerCase()}`, look.tone, look.icon)}</a>`
}
