/** Time as CI files write it: `1 week`, `3 mins 4 sec`, `2h20min`, `1:30:00`. A day has 24 hours, a month 30 days. */

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY
const MONTH = 30 * DAY
const YEAR = 365.25 * DAY

/** Seconds of each unit, in all its spellings. */
const units = new Map<string, number>(
  (
    [
      [1, 's sec secs second seconds'],
      [MINUTE, 'm min mins minute minutes'],
      [HOUR, 'h hr hrs hour hours'],
      [DAY, 'd day days'],
      [WEEK, 'w wk wks week weeks'],
      [MONTH, 'mo mos mon mons month months'],
      [YEAR, 'y yr yrs year years'],
    ] as const
  ).flatMap(([seconds, spellings]) => spellings.split(' ').map(spelling => [spelling, seconds] as const)),
)

const numbers = new Map<string, number>(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, value) => [word, value] as const),
).set('a', 1)
numbers.set('an', 1)

/** Between parts: `1 hour and 5 minutes`. */
const joiners = new Set(['and', 'with', 'plus'])

const token = /(\d+(?:\.\d+)?)|([a-z]+)|[\s,]+|(.)/gy

/** Words that stand for "without end". */
export const isNever = (text: string): boolean => /^\s*never\s*$/i.test(text)

/** The seconds that a text names, rounded; a number alone is seconds. Undefined for what is no duration, and for `never`. */
export function parseDuration(text: string): number | undefined {
  const clock = /^\s*(?:(\d+):)?(\d+):(\d{1,2})\s*$/.exec(text)
  if (clock) return Number(clock[1] ?? 0) * HOUR + Number(clock[2]) * MINUTE + Number(clock[3])
  let total = 0
  let amount: number | undefined
  let parts = 0
  for (const [whole, digits, word, odd] of text.toLowerCase().matchAll(token)) {
    if (odd !== undefined) return undefined
    const number = digits === undefined ? numbers.get(word ?? '') : Number(digits)
    if (number !== undefined) {
      if (amount !== undefined) return undefined
      amount = number
    } else if (word !== undefined && !joiners.has(word)) {
      const unit = units.get(word)
      if (unit === undefined || amount === undefined) return undefined
      total += amount * unit
      amount = undefined
      parts += 1
    } else if (whole.length === 0) return undefined
  }
  // What comes last without a unit is seconds.
  if (amount !== undefined) return Math.round(total + amount)
  return parts === 0 ? undefined : Math.round(total)
}
