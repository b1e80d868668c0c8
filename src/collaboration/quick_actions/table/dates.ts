/** Days as people say them: `in 2 days`, `this Friday`, `December 31st`, `2026-12-31`. */
import { parseDate } from 'chrono-node/en'

/** The day that a text names, seen from `now`, as `YYYY-MM-DD`; undefined for a text that names none. */
export function readDay(text: string, now: Date): string | undefined {
  const found = parseDate(text, { instant: now, timezone: 'UTC' }, { forwardDate: true })
  return found?.toISOString().slice(0, 10)
}
