/** What was sent to a hook, as HTML: the log, and one request with its answer. Pure. */

import type { Switch } from '../../integrations/hooks/switches.ts'
import { switchMeanings } from '../../integrations/hooks/switches.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { shortDurationText } from '../../platform/pages/components/numbers.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { switchName } from './fields.ts'

/** A delivery as the API answers it. */
export interface ShownDelivery {
  readonly id: number
  readonly url: string
  readonly trigger: string
  readonly request_headers: Readonly<Record<string, string>>
  readonly request_data: unknown
  readonly response_headers: Readonly<Record<string, string>>
  readonly response_body: string
  readonly execution_duration: number | null
  readonly response_status: string | null
  readonly status: string
  readonly attempts: number
  readonly error: string | null
  readonly created_at: string
}

/** How it went, as a chip. `response_status`: of the last attempt. */
export function outcomeChip({
  status,
  response_status,
  attempts,
}: {
  readonly status: string
  readonly response_status: string | number | null
  readonly attempts: number
}): Html {
  const answer = response_status === null || response_status === 'internal error' ? '' : ` ${response_status}`
  if (status === 'delivered') return chip(`Delivered${answer}`, 'success', 'check-circle')
  if (status === 'failed') return chip(answer === '' ? 'Failed: no answer' : `Failed${answer}`, 'danger', 'x-circle')
  return attempts === 0 ? chip('Waiting', 'plain', 'clock') : chip(`Is tried again${answer}`, 'attention', 'sync')
}

/** What caused it, in words. */
export const triggerName = (trigger: string): string =>
  trigger in switchMeanings ? switchName(trigger as Switch) : 'Events of the instance'

/** The log of a hook. `at`: the address of the log. */
export const deliveryList = (deliveries: readonly ShownDelivery[], at: string): Html =>
  html`<ul class="list">${deliveries.map(
    delivery =>
      html`<li><div class="main"><div class="title">${outcomeChip(delivery)} <a href="${at}/${delivery.id}">${triggerName(delivery.trigger)}</a></div><div class="facts"><span>${time(delivery.created_at)}</span>${delivery.execution_duration !== null && html`<span>${shortDurationText(delivery.execution_duration)}</span>`}${delivery.attempts > 1 && html`<span>${delivery.attempts} attempts</span>`}${delivery.error !== null && html`<span>${delivery.error}</span>`}</div></div></li>`,
  )}</ul>`

const headerList = (headers: Readonly<Record<string, string>>): Html =>
  html`<dl class="facts-list mono small">${Object.entries(headers).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

/** One request and its answer. */
export const deliveryView = (
  delivery: ShownDelivery,
  resend: Html,
  /** When it is tried again by itself. */
  next: string | undefined,
): Html => html`<div class="heading"><h1>${triggerName(delivery.trigger)}</h1>${resend}</div>
<p>${outcomeChip(delivery)}</p>
<dl class="facts-list"><dt>Address</dt><dd class="mono">${delivery.url}</dd><dt>Sent</dt><dd>${time(delivery.created_at)}</dd><dt>Attempts</dt><dd>${delivery.attempts}</dd>${next !== undefined && html`<dt>Next attempt</dt><dd>${time(next)}</dd>`}${delivery.execution_duration !== null && html`<dt>Took</dt><dd>${shortDurationText(delivery.execution_duration)}</dd>`}${delivery.error !== null && html`<dt>No answer</dt><dd>${delivery.error}</dd>`}</dl>
<section class="section"><h2>Answer</h2>${
  delivery.attempts === 0 || delivery.error !== null
    ? html`<p class="muted">${delivery.attempts === 0 ? 'It was not sent yet.' : 'None came.'}</p>`
    : html`${headerList(delivery.response_headers)}${delivery.response_body === '' ? html`<p class="muted">Its body was empty.</p>` : html`<pre class="output" tabindex="0" aria-label="Body of the answer">${delivery.response_body}</pre>`}`
}</section>
<section class="section"><h2>Request</h2>${headerList(delivery.request_headers)}<pre class="output" tabindex="0" aria-label="Body of the request">${JSON.stringify(delivery.request_data, null, 2)}</pre></section>`
