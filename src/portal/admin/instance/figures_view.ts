/** Charts of what happened on the last days. Pure. */
import { chart, type Series } from '../../../platform/pages/components/charts/chart.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { type DayFigures, MOST_OF_DAY } from './figures.ts'

type Counted = Exclude<keyof DayFigures, 'day'>

const numbers = new Intl.NumberFormat('en')

/** More than are counted are as many or more. */
const countText = (value: number): string => (value >= MOST_OF_DAY ? `${numbers.format(MOST_OF_DAY)} or more` : numbers.format(value))

/** The charts of the last four weeks. */
export function figureCharts(figures: readonly DayFigures[]): Html {
  const series = (name: string, shade: Series['shade'], look: Series['look'], of: Counted): Series => ({
    name,
    shade,
    look,
    values: figures.map(day => day[of]),
  })
  const common = { along: { days: figures.map(({ day }) => day) }, alongName: 'Day', format: countText }
  return html`<div class="charts">${chart({ ...common, id: 'people-chart', title: 'People active', says: 'People who did something on each of the last 28 days.', series: [series('People', 1, 'bar', 'people')] })}
${chart({ ...common, id: 'pushes-chart', title: 'Pushes', says: 'Pushes on each of the last 28 days.', series: [series('Pushes', 3, 'bar', 'pushes')] })}
${chart({ ...common, id: 'jobs-chart', title: 'CI/CD jobs', says: 'Jobs that were made on each of the last 28 days, and those of them that failed.', series: [series('Jobs', 1, 'area', 'jobs'), series('Failed', 6, 'line', 'failed_jobs')] })}</div>`
}
