/** The audit log as HTML: filters, and who changed what from what to what. Shared by projects, groups and the instance. Pure. */
import { auditedKinds } from '../../platform/events/audit/rules.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { ListPage } from '../../platform/pages/lists.ts'

/** An entry as the API answers it. */
export interface ShownAuditEvent {
  readonly id: number
  readonly event_name: string
  readonly entity_type: string
  readonly created_at: string
  readonly details: {
    readonly author_name: string
    readonly custom_message?: string
    readonly change?: string
    readonly from?: string | null
    readonly to?: string | null
    readonly add?: string
    readonly as?: string
    readonly remove?: string
    readonly with?: string
    readonly failed_login?: string
    readonly target_type: string
    readonly target_details: string
    readonly ip_address: string
    readonly entity_path: string
    readonly credential: string
    readonly acting_as: string | null
    readonly occurrences: number
  }
}

/** What the filter bar has, as it was typed. */
export interface AuditFilter {
  readonly author: string
  readonly event_name: string
  readonly from: string
  readonly until: string
}

const words = (name: string): string => name.replaceAll('_', ' ')
const value = (text: string | null | undefined): Html =>
  text == null || text === '' ? html`<span class="muted">nothing</span>` : html`<code>${text}</code>`

/** What was done, in a line. */
function summaryOf({ change, from, to, add, as, remove, custom_message, failed_login, with: method }: ShownAuditEvent['details']): Html {
  if (change !== undefined) return html`<strong>${words(change)}</strong>: from ${value(from)} to ${value(to)}`
  if (add !== undefined) return html`added <strong>${words(add)}</strong>${as !== undefined && html` as ${as}`}`
  if (remove !== undefined) return html`removed <strong>${words(remove)}</strong>${as !== undefined && html`, was ${as}`}`
  if (failed_login !== undefined) return html`failed to sign in by ${words(failed_login)}`
  if (method !== undefined) return html`signed in by ${words(method)}`
  return html`${custom_message ?? ''}`
}

/** The filter bar: by the API's own parameters, but for the author's name. */
const filterBar = (
  { author, event_name, from, until }: AuditFilter,
  path: string,
): Html => html`<form action="${path}" class="filter-bar" role="search">
<label>Username <input class="form-control" name="author" value="${author}" autocapitalize="none"></label>
<label>Event <select class="form-control form-select" name="event_name"><option value="">All</option>${auditedKinds.map(kind => html`<option value="${kind}"${kind === event_name && html` selected`}>${words(kind).replace('.', ': ')}</option>`)}</select></label>
<label>From <input class="form-control" type="date" name="from" value="${from}"></label>
<label>Until <input class="form-control" type="date" name="until" value="${until}"></label>
<button class="btn">Filter</button></form>`

/** The log with its filters. `path`: of the page. */
export const auditLog = ({ rows, links }: ListPage<ShownAuditEvent>, filter: AuditFilter, path: string): Html =>
  html`${filterBar(filter, path)}${
    rows.length === 0
      ? empty({ icon: 'log', title: 'No entries', says: 'Who changes a setting, a member or a credential here leaves an entry.' })
      : html`<ul class="list">${rows.map(
          ({ event_name, created_at, details }) =>
            html`<li><div class="main"><div class="title">${details.author_name} <span class="muted small">${words(event_name).replace('.', ': ')}</span></div><div class="break">${summaryOf(details)}</div><div class="facts"><span>${time(created_at)}</span><span>${details.target_type} ${details.target_details}</span>${details.ip_address && html`<span>${details.ip_address}</span>`}${details.credential && html`<span>by ${words(details.credential)}</span>`}${details.acting_as !== null && html`<span>acting as ${details.acting_as}</span>`}${details.occurrences > 1 && html`<span>${details.occurrences} times</span>`}</div></li>`,
        )}</ul>`
  }${links}`
