/** Integrations as HTML: the list by groups, and the latest notifications of one. Pure. */
import type { IntegrationDelivery } from '../../integrations/integration_deliveries/queries.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { type IntegrationKind, kindGroups } from '../../spaces/integration_settings/kinds/field.ts'
import type { IntegrationSwitch } from '../../spaces/integration_settings/switches.ts'
import { switchLabel } from './fields.ts'

/** What there is of a kind in a place. */
export interface KindState {
  readonly active: boolean
  readonly inherited: boolean
}

const stateChip = (state: KindState | undefined): Html | undefined => {
  if (!state?.active) return undefined
  return state.inherited ? chip('In use, inherited', 'success', 'check-circle') : chip('In use', 'success', 'check-circle')
}

/** Said of kinds from which nothing follows. */
export const keptNotice = 'Ingot keeps these settings for clients; nothing follows from them.'

/** All kinds by their groups, those in use marked. */
export const kindList = (kinds: readonly IntegrationKind[], states: ReadonlyMap<string, KindState>, at: string): Html =>
  html`${kindGroups.map(
    group =>
      html`<section class="section"><h2>${group}</h2><ul class="list">${kinds
        .filter(kind => kind.group === group)
        .map(
          kind =>
            html`<li><div class="main"><div class="title"><a href="${at}/${kind.slug}/edit">${kind.title}</a> ${stateChip(states.get(kind.slug))} ${kind.kept && chip('Settings only')}</div><div class="facts"><span>${kind.about}</span></div></div></li>`,
        )}</ul></section>`,
  )}`

function outcome({ status, attempts }: Pick<IntegrationDelivery, 'status' | 'attempts'>): Html {
  if (status === 'delivered') return chip('Done', 'success', 'check-circle')
  if (status === 'failed') return chip('Failed', 'danger', 'x-circle')
  return attempts === 0 ? chip('Waiting', 'plain', 'clock') : chip('Is tried again', 'attention', 'sync')
}

/** The notifications of an integration in the last week, with requests and answers. */
export const deliveryLog = (deliveries: readonly IntegrationDelivery[]): Html =>
  html`<ul class="list">${deliveries.map(
    delivery =>
      html`<li><div class="main"><div class="title">${outcome(delivery)} ${switchLabel(delivery.trigger as IntegrationSwitch)}</div><div class="facts"><span>${time(delivery.created_at)}</span>${delivery.attempts > 1 && html`<span>${delivery.attempts} attempts</span>`}${delivery.error !== null && html`<span>${delivery.error}</span>`}</div>${
        delivery.exchanges.length > 0 &&
        html`<details><summary>Requests and answers</summary>${delivery.exchanges.map(
          ({ method, url, status, request, response }) =>
            html`<p class="mono small">${method} ${url}: ${status ?? 'no answer'}</p>${request !== '' && html`<pre class="output" tabindex="0" aria-label="Request">${request}</pre>`}${response !== '' && html`<pre class="output" tabindex="0" aria-label="Answer">${response}</pre>`}`,
        )}</details>`
      }</div></li>`,
  )}</ul>`
