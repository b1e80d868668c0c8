/** Charts as SVG that the server makes: lines, areas, bars and stacked bars over days or names, with a legend, and a table of the same values. */
import { type Html, html } from '../../html.ts'
import { type Axis, axisOf, HEIGHT, valueScale } from './axes.ts'
import { shapesOf } from './shapes.ts'

/** The place of a series in the palette: its colour, and how it is dashed. */
export type Shade = 1 | 2 | 3 | 4 | 5 | 6

export interface Series {
  readonly name: string
  readonly shade: Shade
  readonly look: 'line' | 'dashed' | 'area' | 'bar'
  /** One for each place on the axis; null where nothing is known. */
  readonly values: readonly (number | null)[]
}

/** What the axis below is about: days (`2021-04-01`, oldest first), or names in their order. */
export type Along = { readonly days: readonly string[] } | { readonly names: readonly string[] }

export interface Chart {
  /** Of its elements, once on the page. */
  readonly id: string
  readonly title: string
  /** What it shows, in a sentence. */
  readonly says: string
  readonly along: Along
  /** What the axis below counts: the head of the first column of the table. */
  readonly alongName: string
  readonly series: readonly Series[]
  /** Bars stand on each other; else beside each other. */
  readonly stacked?: true
  /** A line across, with a word: today. `at`: a day or a name of the axis. */
  readonly mark?: { readonly at: string; readonly label: string }
  /** A value in words; default: a number with at most one digit after the point. */
  readonly format?: (value: number) => string
}

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** Room below the plot for the words of the axis, and above it for the highest of the values, in pixels. */
const [BELOW, ABOVE] = [24, 10]
/** Letters of the values at the left, in pixels. */
const LETTER = 7

/**
 * A chart in a figure. Widths are shares of the window's, so that words keep their size on narrow ones; heights are pixels. Pure.
 */
export function chart(shown: Chart): Html {
  const { id, title, says, series, mark, format = numbers.format } = shown
  const axis = axisOf(
    shown.along,
    series.some(({ look }) => look === 'bar'),
  )
  const scale = valueScale(shown)
  const side = Math.max(2, ...scale.ticks.map(value => format(value).length)) * LETTER + 6
  const at = mark && axis.places.find(({ key }) => key === mark.at)
  return html`<figure class="chart" id="${id}"><figcaption><h3>${title}</h3>${legendOf(series)}</figcaption>
<div class="chart-frame"><svg class="chart-side" width="${side}" height="${ABOVE + HEIGHT + BELOW}" aria-hidden="true">${scale.ticks.map(value => html`<text x="${side - 6}" y="${ABOVE + scale.of(value) + 4}" text-anchor="end">${format(value)}</text>`)}</svg><svg class="chart-plot" width="100%" height="${ABOVE + HEIGHT + BELOW}" role="img" aria-labelledby="${id}-title ${id}-says"><title id="${id}-title">${title}</title><desc id="${id}-says">${says}</desc><svg y="${ABOVE}" width="100%" height="${HEIGHT}">${scale.ticks.map(value => html`<line class="${value === 0 ? 'chart-base' : 'chart-grid'}" x1="0" x2="100%" y1="${scale.of(value)}" y2="${scale.of(value)}"></line>`)}${shapesOf(series, axis, scale, shown.stacked === true)}${at && html`<line class="chart-mark" x1="${at.middle}%" x2="${at.middle}%" y1="0" y2="${HEIGHT}"></line><text class="chart-marked" x="${at.middle}%" y="-1" text-anchor="${at.middle > 80 ? 'end' : at.middle < 20 ? 'start' : 'middle'}">${mark.label}</text>`}${axis.ticks.map(({ position, label }, index) => html`<text${'names' in shown.along && index % 2 === 1 && html` class="chart-second"`} x="${position}%" y="${HEIGHT + 18}" text-anchor="middle">${label}</text>`)}${hoversOf(axis, series, format)}${isEmpty(series) && html`<text x="50%" y="${HEIGHT / 2}" text-anchor="middle">Nothing to show yet</text>`}</svg></svg></div>
${tableOf(shown, axis, format)}</figure>`
}

/** A bar or an area of nothing cannot be seen; a line can. */
const isEmpty = (series: readonly Series[]): boolean =>
  series.every(({ values, look }) => values.every(value => value === null || (value === 0 && look !== 'line' && look !== 'dashed')))

/** A series as it is drawn, in small. */
const swatch = ({ shade, look }: Series): Html =>
  look === 'line' || look === 'dashed'
    ? html`<svg width="20" height="10" aria-hidden="true"><line class="chart-line${look === 'dashed' ? ' dashed' : ''} shade-${shade}" x1="0" x2="20" y1="5" y2="5"></line></svg>`
    : html`<svg width="12" height="12" aria-hidden="true"><rect class="chart-${look} shade-${shade}" width="12" height="12" rx="2"></rect></svg>`

const legendOf = (series: readonly Series[]): Html =>
  html`<ul class="plain-list chart-legend">${series.map(one => html`<li>${swatch(one)}${one.name}</li>`)}</ul>`

/** The values of a place, where the pointer is over it: the browser shows titles without a script. */
const hoversOf = ({ places }: Axis, series: readonly Series[], format: (value: number) => string): readonly Html[] =>
  places.map(({ label, from, width }, index) => {
    const values = series.flatMap(({ name, values }) => {
      const value = values[index]
      return value === null || value === undefined ? [] : [`${name}: ${format(value)}`]
    })
    return html`<rect class="chart-hover" x="${from}%" width="${width}%" height="${HEIGHT}"><title>${[label, ...values].join('\n')}</title></rect>`
  })

/** The same as a table. */
function tableOf({ id, title, alongName, series }: Chart, { places }: Axis, format: (value: number) => string): Html {
  const rows = places.map(
    ({ label }, index) =>
      html`<tr><th scope="row">${label}</th>${series.map(({ values }) => html`<td>${values[index] === null || values[index] === undefined ? '–' : format(values[index])}</td>`)}</tr>`,
  )
  return html`<details class="small"><summary>Show as a table</summary><div class="scroll chart-table" tabindex="0" role="region" aria-label="${title}: table" id="${id}-table"><table class="data"><thead><tr><th scope="col">${alongName}</th>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details>`
}
