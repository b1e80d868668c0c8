/** Entries of the audit log as HTML: who changed what from what to what. Shared by projects, groups and the instance. Pure. */
import { auditedKinds } from '../../platform/events/audit/rules.ts'
import { time } from '../../platform/pages/components/time.ts'
import type { Filter } from '../../platform/pages/forms/filter_bar.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** An entry as the API answers it. */
export interface ShownAuditEvent {
  readonly id: number
  /** Null where nobody did it. */
  readonly author_id: number | null
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

const words = (name: string): string => name.replaceAll('_', ' ')

/** `application_settings.updated` as `application settings: updated`. */
const eventText = (kind: string): string => words(kind).replace('.', ': ')

const value = (text: string | null | undefined): Html =>
  text == null || text === '' ? html`<span class="muted">nothing</span>` : html`<code>${text}</code>`

/** `PersonalAccessToken` as `personal access token`. */
const kindOf = (type: string): string => type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()

/** What was done, in a line. */
function summaryOf({ change, from, to, add, as, remove, custom_message, failed_login, with: method }: ShownAuditEvent['details']): Html {
  if (change !== undefined) return html`<strong>${words(change)}</strong>: from ${value(from)} to ${value(to)}`
  if (add !== undefined) return html`added <strong>${words(add)}</strong>${as !== undefined && html` as ${as}`}`
  if (remove !== undefined) return html`removed <strong>${words(remove)}</strong>${as !== undefined && html`, was ${as}`}`
  if (failed_login !== undefined) return html`failed to sign in by ${words(failed_login)}`
  if (method !== undefined) return html`signed in by ${words(method)}`
  return html`${custom_message ?? ''}`
}

/** What the bar of every audit log has, as it was typed. */
export interface AuditFilter {
  readonly author?: string | undefined
  readonly event_name?: string | undefined
  readonly from?: string | undefined
  readonly until?: string | undefined
}

/** The controls of the bar. `more`: what only some logs have, after the author. */
export const auditFilters = ({ author, event_name, from, until }: AuditFilter, more: readonly Filter[] = []): readonly Filter[] => [
  { name: 'author', label: 'Who (username)', value: author },
  ...more,
  { name: 'event_name', label: 'What', value: event_name, choices: auditedKinds.map(kind => [kind, eventText(kind)]), any: 'All' },
  { name: 'from', label: 'From', value: from, type: 'date' },
  { name: 'until', label: 'Until', value: until, type: 'date' },
]

/** How entries are shown. */
export interface EntryLook {
  /** Where the accounts of authors have their pages, for readers who may open them. */
  readonly people?: string
  /** They are of several places. */
  readonly withPlace?: true
}

/** The entries. */
export const auditEntries = (entries: readonly ShownAuditEvent[], { people, withPlace }: EntryLook = {}): Html =>
  html`<ul class="list">${entries.map(
    ({ author_id, event_name, entity_type, created_at, details }) =>
      html`<li><div class="main"><div class="title">${people !== undefined && author_id !== null ? html`<a href="${people}/${author_id}">${details.author_name}</a>` : details.author_name || 'Nobody'} <span class="muted small">${eventText(event_name)}</span></div><div class="break">${summaryOf(details)}</div><div class="facts"><span>${time(created_at)}</span>${withPlace && html`<span class="break">${details.entity_path ? html`<a href="/${details.entity_path}">${details.entity_path}</a>` : entity_type}</span>`}${details.target_details !== details.entity_path && html`<span class="break">${kindOf(details.target_type)} ${details.target_details}</span>`}${details.ip_address && html`<span>${details.ip_address}</span>`}${details.credential && html`<span>by ${words(details.credential)}</span>`}${details.acting_as !== null && html`<span>acting as ${details.acting_as}</span>`}${details.occurrences > 1 && html`<span>${details.occurrences} times</span>`}</div></li>`,
  )}</ul>`
