/** Labels of items. */
import { type Html, html } from '../../platform/pages/html.ts'

export interface ShownLabel {
  readonly name: string
  /** `#` and six hexadecimal digits. */
  readonly color: string
  readonly description: string | null
}

/** The colour as a dot: text on a ground of any colour would not be readable in each theme. */
export const labelDot = (color: string, size = 10): Html =>
  html`<svg class="label-dot" width="${size}" height="${size}" viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="4.5" fill="${color}"></circle></svg>`

/** A label. `href`: the list of what has it. */
export function labelChip({ name, color, description }: ShownLabel, href?: string): Html {
  const face = html`${labelDot(color)}${name}`
  const title = description ? html` title="${description}"` : undefined
  return href === undefined
    ? html`<span class="chip label"${title}>${face}</span>`
    : html`<a class="chip label" href="${href}"${title}>${face}</a>`
}
