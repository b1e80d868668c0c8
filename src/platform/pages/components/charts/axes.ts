/** Where values and places stand in a chart: heights in pixels, widths in hundredths. Pure. */
import { scaleBand, scaleLinear, scaleUtc } from 'd3-scale'
import type { Along, Chart } from './chart.ts'

/** Of the plot, in pixels. */
export const HEIGHT = 200
/** Words along the axis below at most, and long ones: so many fit beside each other at 360 px. */
const [MOST_WORDS, MOST_LONG_WORDS] = [6, 4]
const DAY = 86_400_000

/** A day or a name of the axis below. */
export interface AxisPlace {
  /** As the chart was given it. */
  readonly key: string
  /** For people. */
  readonly label: string
  readonly middle: number
  /** The part of the width that belongs to it. */
  readonly from: number
  readonly width: number
}

export interface Axis {
  readonly places: readonly AxisPlace[]
  readonly ticks: readonly { readonly position: number; readonly label: string }[]
  /** The width of a bar or of the bars of a place. */
  readonly bar: number
}

/** A share of the width as short as it can be seen. */
export const hundredths = (value: number): number => Math.round(value * 100) / 100

const monthsAndDays = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const monthsAndYears = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const wholeDays = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Beyond so many days the axis says months and years. */
const MONTHLY = 300

/** The axis of days or of names. `hasBars`: at both ends there is room for half a bar. */
export const axisOf = (along: Along, hasBars = false): Axis =>
  'days' in along ? axisOfDays(along.days, hasBars) : axisOfNames(along.names)

function axisOfDays(days: readonly string[], hasBars: boolean): Axis {
  if (days.length === 0) return { places: [], ticks: [], bar: 0 }
  const instants = days.map(day => Date.parse(day))
  const [first = 0, last = first] = [instants[0], instants.at(-1)]
  // A single day stands in the middle.
  const room = first === last ? DAY : hasBars ? (last - first) / (days.length - 1) / 2 : 0
  const scale = scaleUtc([first - room, last + room], [0, 100])
  const words = last - first > MONTHLY * DAY ? monthsAndYears : monthsAndDays
  const places = days.map((key, index): AxisPlace => {
    const instant = instants[index] as number
    const from = index === 0 ? 0 : scale((instant + (instants[index - 1] as number)) / 2)
    const to = index === days.length - 1 ? 100 : scale((instant + (instants[index + 1] as number)) / 2)
    return {
      key,
      label: wholeDays.format(instant),
      middle: hundredths(scale(instant)),
      from: hundredths(from),
      width: hundredths(Math.max(0, to - from)),
    }
  })
  // Round moments by the library; for a few days it offers hours, which no day has.
  const offered = scale
    .ticks(MOST_WORDS - 1)
    .filter(tick => tick.getTime() % DAY === 0 && tick.getTime() >= first && tick.getTime() <= last)
  const every = Math.ceil(offered.length / MOST_WORDS)
  const ticks = offered
    .filter((_, index) => index % every === 0)
    .map(tick => ({ position: hundredths(scale(tick)), label: words.format(tick) }))
  return { places, ticks, bar: hundredths(80 / days.length) }
}

function axisOfNames(names: readonly string[]): Axis {
  const scale = scaleBand(
    names.map((_, index) => index),
    [0, 100],
  )
    .paddingInner(0.3)
    .paddingOuter(0.15)
  const [step, bar] = [scale.step(), scale.bandwidth()]
  const places = names.map((name, index): AxisPlace => {
    const middle = (scale(index) ?? 0) + bar / 2
    return { key: name, label: name, middle: hundredths(middle), from: hundredths(middle - step / 2), width: hundredths(step) }
  })
  const most = names.some(name => name.length > LONGEST / 2) ? MOST_LONG_WORDS : MOST_WORDS
  const every = Math.max(1, Math.ceil(names.length / most))
  const ticks = places.filter((_, index) => index % every === 0).map(({ middle, label }) => ({ position: middle, label: shortened(label) }))
  return { places, ticks, bar: hundredths(bar) }
}

/** Letters of a name below the axis; the whole one stands in the table. */
const LONGEST = 12

const shortened = (name: string): string => ([...name].length > LONGEST ? `${[...name].slice(0, LONGEST - 1).join('')}…` : name)

/** The values at the left: round ones, and how far from the top of the plot a value stands. */
export interface ValueScale {
  readonly ticks: readonly number[]
  of(value: number): number
}

/** From nought to the highest value, or to the highest of the sums where bars stand on each other. */
export function valueScale({ series, stacked, along }: Pick<Chart, 'series' | 'stacked' | 'along'>): ValueScale {
  const length = 'days' in along ? along.days.length : along.names.length
  const bars = series.filter(({ look }) => look === 'bar')
  const sums = stacked ? Array.from({ length }, (_, index) => bars.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)) : []
  let highest = 0
  for (const value of [...sums, ...series.flatMap(({ values }) => values)]) if (value !== null && value > highest) highest = value
  const scale = scaleLinear([0, highest === 0 ? 1 : highest], [HEIGHT, 0]).nice(4)
  const isWhole = series.every(({ look, values }) => look === 'dashed' || values.every(value => value === null || Number.isInteger(value)))
  const ticks = scale.ticks(4).filter(value => !isWhole || Number.isInteger(value))
  return { ticks, of: value => hundredths(scale(value)) }
}
