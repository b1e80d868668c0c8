/** The stretch of time that a roadmap shows: columns of a week, a month or a quarter, and where a day stands in them. Pure. */

import { daysIntoWeek, type Weekday } from '../../../platform/access/preferences.ts'

export const scales = ['weeks', 'months', 'quarters'] as const
export type Scale = (typeof scales)[number]

/** Columns of a roadmap. */
export const COLUMNS = 12

/** The days that a roadmap may begin with: also twelve quarters later, and one step earlier, years have four digits. */
export const EARLIEST = '1010-01-01'
export const LATEST = '9990-12-31'

/** A column; days as `YYYY-MM-DD`. */
export interface Column {
  readonly first: string
  /** The first day after it. */
  readonly next: string
  readonly label: string
}

const DAY = 86_400_000

const textOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Months of a column; undefined for weeks. */
const monthsOf: Readonly<Record<Scale, number | undefined>> = { weeks: undefined, months: 1, quarters: 3 }

/** The first day of the column that a day is in. */
function columnOf(scale: Scale, day: string, weekday: Weekday): string {
  const months = monthsOf[scale]
  const at = new Date(timeOf(day))
  if (months === undefined) return textOf(at.getTime() - daysIntoWeek(at, weekday) * DAY)
  return textOf(Date.UTC(at.getUTCFullYear(), Math.floor(at.getUTCMonth() / months) * months))
}

/** The first day of a column so many columns later than the one that begins with `first`, or earlier. */
export function shifted(scale: Scale, first: string, by: number): string {
  const months = monthsOf[scale]
  const at = new Date(timeOf(first))
  return months === undefined ? textOf(at.getTime() + 7 * by * DAY) : textOf(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months * by))
}

function labelOf(scale: Scale, first: string): string {
  const [year, month, day] = first.split('-').map(Number) as [number, number, number]
  if (scale === 'weeks') return `${day} ${monthNames[month - 1]}`
  return scale === 'months' ? `${monthNames[month - 1]} ${year}` : `Q${Math.ceil(month / 3)} ${year}`
}

/** The columns from the one on that `from` is in; two columns before `today` unless it is given. `weekday`: on which weeks begin. */
export function columnsFrom(scale: Scale, from: string | undefined, today: string, weekday: Weekday): readonly Column[] {
  const first = from === undefined ? shifted(scale, columnOf(scale, today, weekday), -2) : columnOf(scale, from, weekday)
  return Array.from({ length: COLUMNS }, (_, index) => {
    const start = shifted(scale, first, index)
    return { first: start, next: shifted(scale, start, 1), label: labelOf(scale, start) }
  })
}

/** Where a day begins, in columns from the beginning: 1.5 is the middle of the second. Days before and after are at the ends. */
export function positionOf(columns: readonly Column[], day: string): number {
  const time = timeOf(day)
  const at = columns.findIndex(({ next }) => time < timeOf(next))
  if (at < 0) return columns.length
  const { first, next } = columns[at] as Column
  return Math.max(0, at + (time - timeOf(first)) / (timeOf(next) - timeOf(first)))
}

/** A bar in columns from the beginning. */
export interface Bar {
  readonly from: number
  readonly to: number
  /** An end is not known, or lies beyond what is shown. */
  readonly isOpenAt: { readonly start: boolean; readonly end: boolean }
}

/** The bar of what has these days, both included; undefined where none of it is shown, or it has no days. */
export function barOf(columns: readonly Column[], start: string | null, due: string | null): Bar | undefined {
  const [begin, end] = [(columns[0] as Column).first, (columns.at(-1) as Column).next]
  if (start === null && due === null) return undefined
  if ((start !== null && start >= end) || (due !== null && due < begin)) return undefined
  const from = start === null ? 0 : positionOf(columns, start)
  const to = due === null ? columns.length : positionOf(columns, textOf(timeOf(due) + DAY))
  return to <= from ? undefined : { from, to, isOpenAt: { start: start === null || start < begin, end: due === null || due >= end } }
}
