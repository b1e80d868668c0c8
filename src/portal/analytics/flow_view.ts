/** Pages of analytics: filters, charts and figures. Pure. */
import { type Along, chart, type Series, type Shade } from '../../platform/pages/components/charts/chart.ts'
import { durationText } from '../../platform/pages/components/numbers.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { Flow, Quantiles, Times } from './flow.ts'
import { type FlowParams, type Range, type Step, stepsOf, stepText } from './range.ts'

/** One of the pages of a place, for the links between them. */
export interface AnalyticsPage {
  readonly label: string
  readonly href: string
  readonly isCurrent: boolean
}

/** Links to pages beside each other. */
export const analyticsNav = (pages: readonly AnalyticsPage[], label = 'Analytics'): Html =>
  html`<nav class="subnav" aria-label="${label}">${pages.map(({ label, href, isCurrent }) => html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${label}</a>`)}</nav>`

const dayField = (name: 'from' | 'to', label: string, value: string, wrong: string | undefined): Html =>
  html`<label class="filter-field">${label} <input class="form-control" type="date" name="${name}" value="${value}"${wrong !== undefined && html` aria-invalid="true" aria-describedby="range-wrong"`}></label>`

const textField = (name: string, label: string, value: string | undefined): Html =>
  html`<label class="filter-field">${label} <input class="form-control" name="${name}" value="${value ?? ''}" maxlength="255" autocapitalize="none"></label>`

interface FilterForm {
  readonly base: string
  readonly asked: Partial<FlowParams>
  readonly range: Range
  /** What is wrong with the first day. */
  readonly wrong: string | undefined
  /** Only a span of time is asked for. */
  readonly daysOnly?: true
}

/** The form of the filters: it reads and writes the address. */
export const filterForm = ({ base, asked, range, wrong, daysOnly }: FilterForm): Html =>
  html`<form class="filter-bar analytics-filter" action="${base}">${dayField('from', 'From', asked.from ?? range.from, wrong)}${dayField('to', 'To', asked.to ?? range.to, undefined)}${
    daysOnly === undefined &&
    html`<label class="filter-field">By <select class="form-control form-select" name="by">${(['month', 'week'] as const).map(value => html`<option value="${value}"${value === asked.by && html` selected`}>${value}</option>`)}</select></label>${textField('author_username', 'Author', asked.author_username)}${textField('label', 'Label', asked.label)}${textField('milestone', 'Milestone', asked.milestone)}`
  }<button class="btn">Show</button>${wrong !== undefined && html`<p class="wrong" id="range-wrong" role="alert">The first day ${wrong}.</p>`}</form>`

/** What a page of a flow says. */
export interface FlowWords {
  /** `issues` */
  readonly noun: string
  /** What is done with them: `Closed`. */
  readonly done: string
  readonly whole: { readonly title: string; readonly says: string }
  readonly active: { readonly title: string; readonly says: string }
}

const DAY = 86_400

const none = '–'

const durationOf = (seconds: number | null): string =>
  seconds === null ? none : seconds < 60 ? 'less than a minute' : durationText(seconds)

const empty: Quantiles = { count: 0, p50: null, p75: null, p90: null }

/** The figures of the whole span. */
const figuresView = (words: FlowWords, all: Times | undefined): Html =>
  html`<section class="section" aria-label="Figures"><h2>Times</h2>${dataTable({
    label: 'Times',
    rows: [
      { ...words.whole, ...(all?.whole ?? empty) },
      { ...words.active, ...(all?.active ?? empty) },
    ],
    columns: [
      { title: 'From the beginning to the end', cell: ({ title, says }) => html`${title}<br><span class="muted light">${says}</span>` },
      { title: 'Half of them at most', cell: ({ p50 }) => durationOf(p50) },
      { title: '75 % at most', cell: ({ p75 }) => durationOf(p75) },
      { title: '90 % at most', cell: ({ p90 }) => durationOf(p90) },
      { title: 'Measured', cell: ({ count }) => count },
    ],
  })}</section>`

const days = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : Math.round((seconds / DAY) * 100) / 100

const inDays = (value: number): string => `${Math.round(value * 10) / 10} d`

/** Charts of what came and went and of the times, and the figures of all of it. */
export function flowView(words: FlowWords, flow: Flow, range: Range, step: Step): Html {
  const by = step === 'month' ? 'month' : 'week'
  const steps = stepsOf(range, step)
  const along: Along = { names: steps.map(first => stepText(first, step)) }
  const alongName = by === 'month' ? 'Month' : 'Week'
  const moved = new Map(flow.throughput.map(row => [row.step, row]))
  const times = new Map(flow.times.map(row => [row.step, row]))
  const bars = (name: string, shade: Shade, key: 'opened' | 'done'): Series => ({
    name,
    shade,
    look: 'bar',
    values: steps.map(first => moved.get(first)?.[key] ?? 0),
  })
  const line = (name: string, shade: Shade, which: 'whole' | 'active', key: 'p50' | 'p90'): Series => ({
    name,
    shade,
    look: key === 'p50' ? 'line' : 'dashed',
    values: steps.map(first => days(times.get(first)?.[which][key])),
  })
  const sum = (key: 'opened' | 'done') => flow.throughput.reduce((total, row) => total + row[key], 0)
  const timeChart = (which: 'whole' | 'active', { title, says }: FlowWords['whole']): Html =>
    chart({
      id: `times-${which}`,
      title,
      says: `${says}, in days, by ${by}: so long half of them took at most, and all but a tenth.`,
      along,
      alongName,
      format: inDays,
      series: [line('Half', which === 'whole' ? 1 : 4, which, 'p50'), line('90 %', 6, which, 'p90')],
    })
  return html`<p>${sum('opened')} ${words.noun} opened and ${sum('done')} ${words.done.toLowerCase()} in these ${steps.length === 1 ? by : `${steps.length} ${by}s`}.</p><h2 class="sr-only">Charts</h2>
${chart({ id: 'throughput', title: 'Throughput', says: `How many ${words.noun} were opened, and ${words.done.toLowerCase()}, by ${by}.`, along, alongName, series: [bars('Opened', 1, 'opened'), bars(words.done, 2, 'done')] })}
<div class="charts section">${timeChart('whole', words.whole)}${timeChart('active', words.active)}</div>
${figuresView(words, times.get(null))}`
}
