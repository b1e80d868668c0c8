/** Burndown and burnup of a milestone, from what happened on each day. Pure. */
import type { BurndownDay } from '../../planning/milestones/burndown.ts'
import type { Along, Series } from '../../platform/pages/components/charts/chart.ts'

const DAY = 86_400_000
/** Days that a chart has at most; longer milestones are drawn in steps. */
const MOST = 180

export interface Burndown {
  readonly along: Along
  readonly down: readonly Series[]
  readonly up: readonly Series[]
}

/** Is it the number of issues that counts, or the sum of their weights? */
export type BurndownMeasure = 'count' | 'weight'

interface Standing {
  /** All that is in the milestone. */
  readonly scope: number
  readonly done: number
}

/** What there was at the end of each day. */
function standingsOf(days: readonly string[], happened: readonly BurndownDay[], by: BurndownMeasure): Standing[] {
  let [next, scope, done] = [0, 0, 0]
  return days.map(day => {
    for (; next < happened.length && (happened[next] as BurndownDay).day <= day; next++) {
      const { action, [by]: amount } = happened[next] as BurndownDay
      if (action === 'created') scope += amount
      else done += action === 'closed' ? amount : -amount
    }
    // What was closed before it began has been closed once; what a milestone got closed, and was reopened in it, is open.
    return { scope, done: Math.min(scope, Math.max(0, done)) }
  })
}

/** The days from the first to the last, and always both. */
function daysBetween(first: string, last: string): string[] {
  const [from, to] = [Date.parse(first), Date.parse(last)]
  const count = Math.round((to - from) / DAY) + 1
  const step = Math.ceil(count / MOST)
  const days = Array.from({ length: Math.ceil(count / step) }, (_, index) => new Date(from + index * step * DAY).toISOString().slice(0, 10))
  return days.at(-1) === last ? days : [...days, last]
}

/**
 * The lines of both charts. The guideline leads from all that is planned now to nought on the last day.
 * @param happened by day
 * @param today days after it are not known yet
 */
export function burndownSeries(
  { start_date, due_date }: { readonly start_date: string; readonly due_date: string },
  happened: readonly BurndownDay[],
  by: BurndownMeasure,
  today: string,
): Burndown {
  const days = daysBetween(start_date, due_date)
  const standings = standingsOf(days, happened, by)
  // In steps of several days, the one that today lies in is known too.
  const known = (index: number) => happened.length > 0 && (index === 0 || (days[index - 1] as string) < today)
  const from = (value: (standing: Standing) => number) =>
    standings.map((standing, index) => ((days[0] as string) <= today && known(index) ? value(standing) : null))
  const planned = standings.at(-1)?.scope ?? 0
  const last = Math.max(1, days.length - 1)
  const guideline: Series = {
    name: 'Guideline',
    shade: 6,
    look: 'dashed',
    // Where nothing was planned yet there is nothing to get done.
    values: days.map((_, index) => (happened.length === 0 ? null : planned * (1 - index / last))),
  }
  const noun = by === 'count' ? 'issues' : 'weight'
  return {
    along: { days },
    down: [{ name: `Remaining ${noun}`, shade: 1, look: 'line', values: from(({ scope, done }) => scope - done) }, guideline],
    up: [
      { name: `Total ${noun}`, shade: 1, look: 'line', values: from(({ scope }) => scope) },
      { name: `Completed ${noun}`, shade: 2, look: 'area', values: from(({ done }) => done) },
    ],
  }
}
