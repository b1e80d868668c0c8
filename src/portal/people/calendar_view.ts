/** The calendar of contributions: a year in weeks, as a picture, and as a table for those who cannot see it. */
import { daysIntoWeek, type Weekday } from '../../platform/access/preferences.ts'
import { type Html, html } from '../../platform/pages/html.ts'

const DAY = 86_400_000
/** Weeks that the picture has. */
const WEEKS = 53
/** Pixels from one day to the next, and of a day. */
const [STEP, SIDE] = [12, 10]
/** Pixels above the days, for the names of the months. */
const TOP = 16

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10)

/** The day before the first one of the calendar that ends with `now`. */
export const dayBeforeCalendar = (now: Date, weekday: Weekday): string => dayOf(firstDay(now, weekday) - DAY)

/** The first day, on which a week begins, so that each column is a week. In milliseconds. */
function firstDay(now: Date, weekday: Weekday): number {
  const today = Date.parse(dayOf(now.getTime()))
  return today - (daysIntoWeek(new Date(today), weekday) + 7 * (WEEKS - 1)) * DAY
}

/** How dark a day is, 0 to 4, by what a busy day has. */
const levelOf = (count: number, most: number): number => (count === 0 ? 0 : Math.max(1, Math.ceil((4 * count) / Math.max(4, most))))

/** Shows how much was done on each day. `counts` by day; days without are missing. */
export function calendarView(counts: ReadonlyMap<string, number>, now: Date, weekday: Weekday): Html {
  const first = firstDay(now, weekday)
  const length = Math.round((Date.parse(dayOf(now.getTime())) - first) / DAY) + 1
  const days = Array.from({ length }, (_, index) => {
    const day = dayOf(first + index * DAY)
    return { day, count: counts.get(day) ?? 0, column: Math.floor(index / 7), row: index % 7 }
  })
  const most = Math.max(0, ...counts.values())
  const total = days.reduce((sum, { count }) => sum + count, 0)
  const months = days.filter(({ day, column }) => day.endsWith('-01') && column < WEEKS - 2)
  const title = `${total} ${total === 1 ? 'contribution' : 'contributions'} in the last year`
  return html`<section class="section" aria-labelledby="contributions"><h2 id="contributions">${title}</h2>
<div class="calendar" tabindex="0" role="region" aria-label="Calendar"><svg width="${WEEKS * STEP}" height="${TOP + 7 * STEP}" role="img" aria-label="${title}, by day">${months.map(({ day, column }) => html`<text x="${column * STEP}" y="10">${nameOf(day)}</text>`)}${days.map(({ day, count, column, row }) => html`<rect class="level-${levelOf(count, most)}" x="${column * STEP}" y="${TOP + row * STEP}" width="${SIDE}" height="${SIDE}" rx="2"><title>${count} on ${day}</title></rect>`)}</svg></div>
${total > 0 && html`<details class="small"><summary>As a table</summary><table class="data"><thead><tr><th scope="col">Month</th><th scope="col">Contributions</th></tr></thead><tbody>${monthly(days).map(([month, count]) => html`<tr><th scope="row">${month}</th><td>${count}</td></tr>`)}</tbody></table></details>`}</section>`
}

const nameOf = (day: string): string => new Date(day).toLocaleString('en', { month: 'short', timeZone: 'UTC' })

/** The sums of the months that have any. */
function monthly(days: readonly { readonly day: string; readonly count: number }[]): [string, number][] {
  const sums = new Map<string, number>()
  for (const { day, count } of days) if (count > 0) sums.set(day.slice(0, 7), (sums.get(day.slice(0, 7)) ?? 0) + count)
  return [...sums]
}
