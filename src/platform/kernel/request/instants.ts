/** Instants as clients spell them (document 1 "Request conventions" 5: ISO 8601). */

const SPELLING = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(\.\d+)?)?(?: ?(?:Z|UTC)|([+-]\d\d):?(\d\d)?)?)?$/i

/** The first and last instant that are read back as they were written (platform/db/types.ts). */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * The instant in the one form that goes on from here, `2021-06-01T12:00:00[.123456](Z|+02:00)`; undefined for a text that
 * names none. A day is its beginning, and a time without a zone is in UTC: clients leave both out.
 */
export function instantOf(text: string): string | undefined {
  const match = SPELLING.exec(text)
  if (!match) return undefined
  const [, day, minute = '00:00', second = ':00', , hours, minutes = '00'] = match
  // More digits would be rounded up, in the last second of all to a year that has none; a leap second would become the next day.
  const instant = `${day}T${minute}${second.replace(':60', ':59').slice(0, 10)}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`
  const time = Date.parse(instant)
  return time >= EARLIEST && time <= LATEST ? instant : undefined
}

/**
 * The day that a text names, as it was written, which may be none of the calendar's; undefined for year 0, which the database does not
 * have. Some clients send an instant: the day in it counts, whatever its zone.
 */
export function dayOf(text: string): string | undefined {
  if (text.startsWith('0000')) return undefined
  return /^\d{4}-\d\d-\d\d[T ]/i.test(text) && instantOf(text) !== undefined ? text.slice(0, 10) : text
}
