/** When a cron line is due, in words and by the clocks of its time zone. Pure. */
import { cronWords, isCronLine } from '../../ci/cron/lines.ts'
import { zoneOf } from '../../ci/cron/time_zones.ts'
import { dueTimes } from '../../ci/schedules/due.ts'
import { time, zonedTime } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** Runs that are shown. */
const SHOWN = 5

/** A line in words; as it was written on hover. */
export const cronView = (line: string): Html => html`<span title="${line}">${cronWords(line)}</span>`

/** The next runs of a line. `first`: the first of them, where it is known. */
export function runsView(timed: { readonly cron: string; readonly cron_timezone: string }, now: Date, first?: string | null): Html {
  const zone = zoneOf(timed.cron_timezone)
  if (!isCronLine(timed.cron))
    return html`<p class="muted">A cron line has five parts: minute, hour, day of the month, month, day of the week.</p>`
  if (zone === undefined) return html`<p class="muted">There is no time zone of this name.</p>`
  const times = first === undefined ? dueTimes(timed, now, SHOWN) : dueTimes(timed, now, SHOWN, first)
  if (times.length === 0) return html`<p class="muted">It is never due: there is no such day.</p>`
  return html`<p>${cronWords(timed.cron)}, ${timed.cron_timezone}:</p><ol class="plain-list runs">${times.map(at => html`<li>${zonedTime(at, zone)} <span class="muted">${time(at)}</span></li>`)}</ol>`
}
