/** Cron lines and time zones, as far as they can be told from other text. Pure. */
import { parseCronItem } from 'graphile-worker'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** Months and days of the week by their numbers, which is all that the parser knows. */
function inNumbers(line: string): string {
  const numbered = (field: string, names: readonly string[], first: number) =>
    field.replace(/[a-z]{3,}/gi, name => {
      const at = names.indexOf(name.toLowerCase())
      return at < 0 ? name : String(at + first)
    })
  const fields = line.trim().split(/\s+/)
  return fields.map((field, at) => (at === 3 ? numbered(field, months, 1) : at === 4 ? numbered(field, days, 0) : field)).join(' ')
}

/** Is this a cron line: minute, hour, day, month, day of the week, each with `*`, lists, ranges and steps? */
export function isCronLine(text: string): boolean {
  try {
    parseCronItem({ task: 'freeze', match: inNumbers(text) })
    return true
  } catch {
    return false
  }
}

/** Is this the name of a time zone, such as `Europe/Berlin`? */
export function isTimeZone(text: string): boolean {
  // A distance from UTC would be taken, and is no zone: it knows no summer time.
  if (/^[+-]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}
