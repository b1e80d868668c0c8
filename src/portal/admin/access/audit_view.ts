/** Entries of the audit log. Pure. */
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { AuditEventRow } from '../../../spaces/audit_events/queries.ts'

type Details = Readonly<Record<string, unknown>>

export const entriesTable = (entries: readonly AuditEventRow[]): Html =>
  html`<div class="scroll" tabindex="0"><table class="data"><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Of</th><th scope="col">From</th></tr></thead><tbody>${entries.map(
    entry =>
      html`<tr id="entry-${entry.id}"><td>${time(entry.created_at)}</td><td>${authorView(entry)}</td><td><div class="break">${wordsOf(entry.details as Details)}${entry.occurrences > 1 && html` <span class="muted">${entry.occurrences} times</span>`}</div><div class="muted small"><code>${entry.kind}</code></div></td><td>${placeView(entry)}</td><td class="muted small">${entry.ip_address ?? '–'}${entry.credential && html`<br>${entry.credential.replaceAll('_', ' ')}`}</td></tr>`,
  )}</tbody></table></div>`

const authorView = ({ author_id, author_name, acting_as }: AuditEventRow): Html =>
  html`${author_id === null ? author_name || 'Nobody' : html`<a href="/admin/users/${author_id}">${author_name}</a>`}${acting_as !== null && html`<br><span class="muted small">as @${acting_as}</span>`}`

/** What the entry is about: the place, and in it the thing. */
const placeView = ({ entity_type, entity_path, target_type, target_details }: AuditEventRow): Html =>
  html`${entity_path ? html`<a class="break" href="/${entity_path}">${entity_path}</a>` : entity_type}${target_details && target_details !== entity_path && html`<div class="muted small break">${kindText(target_type)} ${target_details}</div>`}`

/** `DeployKey` as `Deploy key`. */
const kindText = (type: string): string => type.replace(/(?<=[a-z])[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

/** The details of an entry as a line. */
function wordsOf({ custom_message, change, from, to, add, as, remove, failed_login, with: method }: Details): string {
  if (custom_message !== undefined) return String(custom_message)
  if (change !== undefined) return `${change}: ${shown(from)} → ${shown(to)}`
  if (add !== undefined) return `Added: ${spaced(add)}${as === undefined || as === '' ? '' : ` as ${as}`}`
  if (remove !== undefined) return `Removed: ${spaced(remove)}`
  if (failed_login !== undefined) return `Sign-in failed (${failed_login})`
  return method === undefined ? '' : `Signed in (${method})`
}

const shown = (value: unknown): string => (value === null || value === undefined || value === '' ? 'none' : String(value))
const spaced = (name: unknown): string => String(name).replaceAll('_', ' ')
