import { type Html, html } from '../html.ts'

/**
 * A moment as people say it ("2 days ago"), with the exact one on hover; without a script the day. Who prefers exact times sees day and hour, also
 * without a script (`data-clock`).
 */
export function time(at: string | Date): Html {
  const instant = typeof at === 'string' ? at : at.toISOString()
  return html`<relative-time datetime="${instant}" title="${instant}" data-clock="${instant.slice(11, 16)} UTC">${instant.slice(0, 10)}</relative-time>`
}

/** The time until a moment, which is counted down by the second; without a script the moment. */
export function countdown(at: string | Date): Html {
  const instant = typeof at === 'string' ? at : at.toISOString()
  return html`<relative-time datetime="${instant}" title="${instant}" format="elapsed" precision="second">${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC</relative-time>`
}

/** A moment by the clocks of a time zone (`Europe/Berlin`), which the text does not name. */
export function zonedTime(at: string | Date, timeZone: string): Html {
  const instant = typeof at === 'string' ? at : at.toISOString()
  const shown = new Date(instant).toLocaleString('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return html`<time datetime="${instant}" title="${instant}">${shown}</time>`
}
