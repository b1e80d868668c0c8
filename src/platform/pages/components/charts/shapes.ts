/** The shapes of the series of a chart. Pure. */
import { area, line, stack } from 'd3-shape'
import { type Html, html } from '../../html.ts'
import { type Axis, HEIGHT, hundredths, type ValueScale } from './axes.ts'
import type { Series } from './chart.ts'

/** Areas first, then bars, then lines over them. */
export function shapesOf(series: readonly Series[], axis: Axis, scale: ValueScale, stacked: boolean): Html {
  const bars = series.filter(({ look }) => look === 'bar')
  const areas = series.filter(({ look }) => look === 'area')
  const lines = series.filter(({ look }) => look === 'line' || look === 'dashed' || look === 'area')
  return html`${curves(areas.map(one => areaOf(one, axis, scale)))}${stacked ? stackedBars(bars, axis, scale) : bars.map((one, index) => barsBeside(one, index, bars.length, axis, scale))}${curves(lines.map(one => lineOf(one, axis, scale)))}${lines.map(one => loneDots(one, axis, scale))}`
}

/** Paths know no shares of a width: they are drawn a hundred wide, and stretched; their strokes are not. */
const curves = (paths: readonly Html[]): Html | undefined =>
  paths.length === 0
    ? undefined
    : html`<svg width="100%" height="${HEIGHT}" viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none">${paths}</svg>`

interface Point {
  readonly x: number
  readonly y: number | null
}

const pointsOf = ({ values }: Series, { places }: Axis, scale: ValueScale): Point[] =>
  places.map(({ middle }, index) => {
    const value = values[index]
    return { x: middle, y: value === null || value === undefined ? null : scale.of(value) }
  })

const isKnown = ({ y }: Point): boolean => y !== null

function lineOf(series: Series, axis: Axis, scale: ValueScale): Html {
  const path = line<Point>(
    ({ x }) => x,
    ({ y }) => y ?? 0,
  )
    .defined(isKnown)
    .digits(2)
  const dashed = series.look === 'dashed' ? ' dashed' : ''
  return html`<path class="chart-line${dashed} shade-${series.shade}" d="${path(pointsOf(series, axis, scale))}"></path>`
}

function areaOf(series: Series, axis: Axis, scale: ValueScale): Html {
  const path = area<Point>(
    ({ x }) => x,
    HEIGHT,
    ({ y }) => y ?? 0,
  )
    .defined(isKnown)
    .digits(2)
  return html`<path class="chart-area shade-${series.shade}" d="${path(pointsOf(series, axis, scale))}"></path>`
}

/** Points without a neighbour, through which no line leads. */
function loneDots(series: Series, axis: Axis, scale: ValueScale): readonly Html[] {
  const points = pointsOf(series, axis, scale)
  return points
    .filter((point, index) => isKnown(point) && (points[index - 1]?.y ?? null) === null && (points[index + 1]?.y ?? null) === null)
    .map(({ x, y }) => html`<circle class="chart-dot shade-${series.shade}" cx="${x}%" cy="${y}" r="3"></circle>`)
}

const barOf = (shade: number, x: number, width: number, from: number, to: number): Html | undefined =>
  to === from
    ? undefined
    : html`<rect class="chart-bar shade-${shade}" x="${hundredths(x)}%" width="${hundredths(width)}%" y="${to}" height="${hundredths(from - to)}"></rect>`

const barsBeside = (
  { shade, values }: Series,
  index: number,
  count: number,
  { places, bar }: Axis,
  scale: ValueScale,
): readonly (Html | undefined)[] =>
  places.map(({ middle }, place) =>
    barOf(shade, middle - bar / 2 + (index * bar) / count, bar / count, HEIGHT, scale.of(values[place] ?? 0)),
  )

function stackedBars(bars: readonly Series[], { places, bar }: Axis, scale: ValueScale): readonly (Html | undefined)[] {
  const rows = places.map((_, place) => bars.map(({ values }) => values[place] ?? 0))
  const layers = stack<readonly number[], number>()
    .keys(bars.map((_, index) => index))
    .value((row, index) => row[index] ?? 0)(rows)
  return layers.flatMap((layer, index) =>
    layer.map(([low, high], place) =>
      barOf(bars[index]?.shade ?? 1, (places[place]?.middle ?? 0) - bar / 2, bar, scale.of(low), scale.of(high)),
    ),
  )
}
