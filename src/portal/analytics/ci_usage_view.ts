/** What CI takes and how it ends, as charts and tables. Pure. */
import { BUSIEST, KEPT_NAMES, RECOUNTED_DAYS } from '../../ci/usage/counting.ts'
import { LISTED, type NamedUsage, type ProjectUsage, type UsageDay } from '../../ci/usage/queries.ts'
import { chart, type Series } from '../../platform/pages/components/charts/chart.ts'
import { durationText } from '../../platform/pages/components/numbers.ts'
import { dataTable, type TableColumn } from '../../platform/pages/components/table.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import { analyticsNav } from './flow_view.ts'

const MINUTE = 60

/** Links to the spans of time. */
export const spanNav = (base: string, spans: readonly string[], current: string): Html =>
  analyticsNav(
    spans.map(days => ({ label: `${days} days`, href: `${base}?days=${days}`, isCurrent: days === current })),
    'Span of time',
  )

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

const shareText = (part: number, of: number): string => (of === 0 ? '–' : `${short.format((100 * part) / of)} %`)

/** Times in the unit that suits the longest of them. */
function timesOf(rows: readonly UsageDay[], keys: readonly (keyof UsageDay)[]) {
  const longest = Math.max(0, ...rows.flatMap(row => keys.map(key => Number(row[key] ?? 0))))
  const [unit, size] = longest >= 10_800 ? (['h', 3_600] as const) : longest >= 180 ? (['min', MINUTE] as const) : (['s', 1] as const)
  return { size, format: (value: number) => `${short.format(value)} ${unit}` }
}

/** The figures of the span, and how they went from day to day. `days`: all of them. */
export function usageCharts(days: readonly string[], rows: readonly UsageDay[]): Html {
  const byDay = new Map(rows.map(row => [row.day, row]))
  const sum = (key: 'pipelines' | 'succeeded' | 'failed' | 'canceled' | 'jobs' | 'failed_jobs' | 'flaky_jobs' | 'job_seconds') =>
    rows.reduce((total, row) => total + row[key], 0)
  const bars = (name: string, shade: Series['shade'], of: (row: UsageDay) => number): Series => ({
    name,
    shade,
    look: 'bar',
    values: days.map(day => {
      const row = byDay.get(day)
      return row ? of(row) : 0
    }),
  })
  const times = (kind: 'duration' | 'queue') => {
    const { size, format } = timesOf(rows, [`${kind}_p50`, `${kind}_p95`])
    const line = (name: string, shade: Series['shade'], key: 'p50' | 'p95'): Series => ({
      name,
      shade,
      look: key === 'p50' ? 'line' : 'dashed',
      values: days.map(day => {
        const value = byDay.get(day)?.[`${kind}_${key}`]
        return value === null || value === undefined ? null : value / size
      }),
    })
    return { format, series: [line('Half of them at most', 1, 'p50'), line('95 % at most', 6, 'p95')] }
  }
  const along = { along: { days }, alongName: 'Day' }
  const [pipelines, ended] = [sum('pipelines'), sum('succeeded') + sum('failed')]
  const figure = (label: string, value: string, more?: string): Html =>
    html`<div class="panel"><div class="body"><strong class="figure">${value}</strong><div>${label}</div>${more !== undefined && html`<div class="muted small">${more}</div>`}</div></div>`
  return html`<section class="figures section" aria-label="Figures">${figure('pipelines', whole.format(pipelines))}${figure('passed', shareText(sum('succeeded'), ended), `of ${whole.format(ended)} that passed or failed`)}${figure('of jobs', minutesText(sum('job_seconds')), `in ${whole.format(sum('jobs'))} jobs, ${whole.format(sum('failed_jobs'))} failed`)}${figure('flaky failures', whole.format(sum('flaky_jobs')), 'failed, and passed when run again')}</section>
<h2 class="sr-only">Charts</h2>
${chart({ ...along, id: 'usage-pipelines', title: 'Pipelines', says: 'Pipelines by the day on which they were made, and how they have ended.', stacked: true, series: [bars('Passed', 2, row => row.succeeded), bars('Failed', 5, row => row.failed), bars('Canceled', 4, row => row.canceled), bars('Other', 1, row => row.pipelines - row.succeeded - row.failed - row.canceled)] })}
<div class="charts section">${chart({ ...along, id: 'usage-duration', title: 'Duration of pipelines', says: 'How long the jobs of pipelines ran that have ended.', ...times('duration') })}${chart({ ...along, id: 'usage-queue', title: 'Waiting for a runner', says: 'How long jobs waited until a runner took them.', ...times('queue') })}</div>
<div class="section">${chart({ ...along, id: 'usage-minutes', title: 'Minutes of jobs', says: 'How long all jobs ran together, in minutes.', format: minutes, series: [bars('Minutes', 1, row => row.job_seconds / MINUTE)] })}</div>`
}

/** Minutes as the field counts them: `1,234 min`. */
/** Short times with a digit more: a project of quick jobs would be nothing but noughts. */
const minutes = (value: number): string => `${(value < 10 ? tenths : whole).format(value)} min`
const minutesText = (seconds: number): string => minutes(seconds / MINUTE)

/** A table whose first column heads its rows. */
const table = <Row>(title: string, says: string, columns: readonly TableColumn<Row>[], rows: readonly Row[], none: string): Html =>
  html`<section class="section"><h2>${title}</h2>${rows.length === 0 ? html`<p class="muted">${none}</p>` : html`<p class="muted">${says}</p>${dataTable({ label: title, columns, rows })}`}</section>`

/** The jobs of a project by their names. */
export function jobTables(rows: readonly NamedUsage[]): Html {
  const name: TableColumn<NamedUsage> = { title: 'Job', cell: row => html`<span class="mono">${row.name}</span>` }
  const runs: TableColumn<NamedUsage> = { title: 'Runs', cell: row => whole.format(row.runs) }
  const listed = (place: 'by_time' | 'by_failures' | 'by_flakiness', isListed: (row: NamedUsage) => boolean) =>
    rows.filter(row => row[place] <= LISTED && isListed(row)).toSorted((a, b) => a[place] - b[place])
  return html`${table(
    'Slowest jobs',
    'By how long they run on average.',
    [
      name,
      { title: 'On average', cell: row => durationText(row.seconds / row.ended) },
      { title: 'At most', cell: row => durationText(row.longest) },
      { title: 'Together', cell: row => minutesText(row.seconds) },
      runs,
    ],
    listed('by_time', row => row.ended > 0),
    'No job has run.',
  )}
${table(
  'Jobs that fail most often',
  'By how many of their runs failed.',
  [
    name,
    { title: 'Failed', cell: row => whole.format(row.failed) },
    { title: 'Of its runs', cell: row => shareText(row.failed, row.runs) },
    runs,
  ],
  listed('by_failures', row => row.failed > 0),
  'No job has failed.',
)}
${table(
  'Flaky jobs',
  'They failed, and passed when they were run again on the same commit.',
  [
    name,
    { title: 'Flaky failures', cell: row => whole.format(row.flaky) },
    { title: 'Of its failures', cell: row => shareText(row.flaky, row.failed) },
    runs,
  ],
  listed('by_flakiness', row => row.flaky > 0),
  'No job has failed and passed on the same commit.',
)}`
}

/** The projects that took most of a group or of the instance. */
export const projectTable = (
  rows: readonly (ProjectUsage & { readonly project: { readonly full_path: string; readonly full_name: string } })[],
): Html =>
  table(
    'Projects that took most',
    'By how long their jobs ran together.',
    [
      { title: 'Project', cell: ({ project }) => html`<a href="${projectPath(project, '/-/pipelines/charts')}">${project.full_name}</a>` },
      { title: 'Minutes', cell: row => minutesText(row.job_seconds) },
      { title: 'Pipelines', cell: row => whole.format(row.pipelines) },
      { title: 'Failed', cell: row => shareText(row.failed, row.pipelines) },
    ],
    rows,
    'No job has run.',
  )

/** What the figures leave out. */
export const usageNote: Html = html`<p class="muted small section">Counted every ten minutes, by days in UTC; a job or pipeline belongs to the day on which it was made. What ends or is run again more than ${RECOUNTED_DAYS - 1} days later is not counted. Of a project's day the ${KEPT_NAMES} names of jobs that ran longest and as many that failed most are kept, those of parallel jobs without their numbers; of the day of a group or the instance the ${BUSIEST} projects that ran longest are looked at. A project that moves takes what it did before with it, its groups do not.</p>`
