import { type Html, html } from '../html.ts'

/** A moment as people say it ("2 days ago"), with the exact one on hover; without a script the day. */
export function time(at: string | Date): Html {
  const instant = typeof at === 'string' ? at : at.toISOString()
  return html`<relative-time datetime="${instant}" title="${instant}">${instant.slice(0, 10)}</relative-time>`
}
