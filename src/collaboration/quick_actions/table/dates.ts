/** Natural language dates: `in 2 days`, `this Friday`, `December 31st`, `2026-12-31`. */
import { parseDate } from 'chrono-node/en'

/** Most characters of a date in words. Reading takes longer than the length of the text: 33,000 characters held the event loop for eight seconds. */
export const LONGEST_DATE = 255

/** The date that a text means at the time `now`, as `YYYY-MM-DD`; undefined if it is not a date. */
export function readDay(text: string, now: Date): string | undefined {
  const found = parseDate(text, { instant: now, timezone: 'UTC' }, { forwardDate: true })
  return found?.toISOString().slice(0, 10)
}
