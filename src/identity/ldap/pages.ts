/** What the sign-in page says of directories. */
import type { Config } from '../../platform/config.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { providersOf } from '../providers/file.ts'

/** The id of the note, for the field that it describes. */
export const NOTE = 'login-note'

/** Says below the name that people of a directory give the one that they have there; nothing where there is no directory. */
export function directoryNote(config: Config): Html | false {
  const labels = providersOf(config).flatMap(({ kind, label }) => (kind.directory ? [label] : []))
  if (labels.length === 0) return false
  return html`<p class="muted small" id="${NOTE}">With an account at ${labels.join(' or ')}: the name and password that you have there.</p>`
}
