/**
 * Durations of working time: `3h30m`, `1w 2d`, `-45m`. A month has 4 weeks, a week 5 days, a day 8 hours
 * (decision 37).
 */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 8 * HOUR
const WEEK = 5 * DAY
const MONTH = 4 * WEEK

/** The units of the short form, largest first, in seconds. */
const units = [
  ['mo', MONTH],
  ['w', WEEK],
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
  ['s', 1],
] as const

/** Other spellings of each unit; all but `mo` may end in `s`. */
const spellings = new Map<string, number>([
  ...units,
  ...['mos', 'mon', 'month', 'months'].map(word => [word, MONTH] as const),
  ...['wk', 'wks', 'week', 'weeks'].map(word => [word, WEEK] as const),
  ...['day', 'days'].map(word => [word, DAY] as const),
  ...['hr', 'hrs', 'hour', 'hours'].map(word => [word, HOUR] as const),
  ...['min', 'mins', 'minute', 'minutes'].map(word => [word, MINUTE] as const),
  ...['sec', 'secs', 'second', 'seconds'].map(word => [word, 1] as const),
])

/** Most characters of a duration where one is taken. */
export const LONGEST_DURATION = 255

/** Maximum of the database column. */
const LIMIT = 2_147_483_647

/** The seconds of a duration, negative after a minus; undefined for an invalid text. A bare number means hours. */
export function parseDuration(text: string): number | undefined {
  const given = text.trim()
  const sign = /^[+-]/.exec(given)?.[0]
  const rest = sign === undefined ? given : given.slice(1).trimStart()
  const part = /(\d+(?:\.\d+)?)\s*(?:([a-z]+)\s*)?(?:,\s*|and\s+)?/iy
  let seconds = 0
  while (part.lastIndex < rest.length) {
    const match = part.exec(rest)
    if (!match) return undefined
    const isAlone = match[0].length === rest.length
    const unit = match[2] === undefined ? (isAlone ? HOUR : undefined) : spellings.get(match[2].toLowerCase())
    if (unit === undefined) return undefined
    seconds += Number(match[1]) * unit
  }
  const total = Math.round(seconds)
  if (rest === '' || total > LIMIT) return undefined
  return sign === '-' && total > 0 ? -total : total
}

/** Formats seconds in the short form, `1mo 1w 2d 3h 30m`; null for zero. */
export function formatDuration(seconds: number): string | null {
  if (seconds === 0) return null
  let rest = Math.abs(seconds)
  const parts = units.flatMap(([name, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? [`${count}${name}`] : []
  })
  return `${seconds < 0 ? '-' : ''}${parts.join(' ')}`
}
