/** How an export goes. */
import type { ShownExport } from '../../integrations/project_archives/queries.ts'
import type { ObjectRow } from '../../platform/object_store/rows.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { bytesText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'

type Archive = ObjectRow & { readonly filename: string | null }

const states = {
  queued: ['Waits for its turn', 'attention'],
  started: ['Being made', 'accent'],
  finished: ['Finished', 'success'],
  failed: ['Failed', 'danger'],
} as const

/**
 * The state of the last export, and the archive.
 * @param own the archive that this caller can download
 * @param href where it is downloaded
 */
export function exportView(shown: ShownExport | undefined, own: Archive | undefined, href: string): Html {
  if (!shown) return html`<p class="muted">There is no archive.</p>`
  const { state, error, created_at, finished_at, is_sent, is_kept } = shown
  const isUnderWay = state === 'queued' || state === 'started'
  const sent =
    is_sent && state === 'finished' && html`<p class="muted">The archive was sent to the address that was given, and is not kept here.</p>`
  const foreign =
    is_kept &&
    !own &&
    html`<p class="muted">Another user has asked for it. Archives have what that user may read, so others ask for one of their own.</p>`
  return html`<div class="row">${chip(states[state][0], states[state][1])}<span>asked for ${time(created_at)}</span>${!isUnderWay && finished_at !== null && html`<span>ended ${time(finished_at)}</span>`}</div>
${error !== null && html`<div class="notice danger" role="alert">${icon('alert')}<span class="break">${error}</span></div>`}${sent}${foreign}
${own && html`<ul class="list"><li>${icon('package')}<div class="main"><div class="title break"><a href="${href}" data-turbo="false">${own.filename ?? 'export.tar.gz'}</a></div><div class="facts"><span>${bytesText(own.size)}</span><span>kept for a day</span>${isUnderWay && html`<span>the one of before</span>`}</div></div><a class="btn btn-sm" href="${href}" data-turbo="false">${icon('download')} Download</a></li></ul>`}`
}
