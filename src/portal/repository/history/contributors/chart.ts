/** The chart of those who wrote a history, over time. Pure. */
import type { Weekday } from '../../../../platform/access/preferences.ts'
import type { Contributions } from '../../../../platform/git/index.ts'
import { chart, type Series, type Shade } from '../../../../platform/pages/components/charts/chart.ts'
import type { Html } from '../../../../platform/pages/html.ts'
import { beginningOf, stepsOf, stepText } from '../../../analytics/range.ts'

/** A span of so many days is shown by weeks, a longer one by months. */
const MOST_BY_WEEKS = 2 * 366
/** Years that are shown: a clock that went wrong says any day. */
const MOST_YEARS = 20

const DAY = 86_400_000

/** Commits of the first people by themselves and of all others together; undefined where none lies in the time that is shown. */
export function contributionsChart({ people, days, otherDays }: Contributions, now: Date, weekday: Weekday): Html | undefined {
  const to = now.toISOString().slice(0, 10)
  const oldest = new Date(Date.UTC(now.getUTCFullYear() - MOST_YEARS, now.getUTCMonth(), 1)).toISOString().slice(0, 10)
  const all = [...days, otherDays].flatMap(byDay => [...byDay.keys()])
  const from = all.reduce((first, day) => (day >= oldest && day < first ? day : first), `${to}~`)
  if (from > to) return undefined
  const step = Date.parse(to) - Date.parse(from) <= MOST_BY_WEEKS * DAY ? weekday : 'month'
  const steps = stepsOf({ from, to }, step)
  const valuesOf = (byDay: ReadonlyMap<string, number>): readonly number[] => {
    const sums = new Map<string, number>()
    for (const [day, commits] of byDay) {
      const beginning = beginningOf(day, step)
      sums.set(beginning, (sums.get(beginning) ?? 0) + commits)
    }
    return steps.map(beginning => sums.get(beginning) ?? 0)
  }
  const bar = (name: string, byDay: ReadonlyMap<string, number>, index: number): Series => ({
    name,
    shade: (index + 1) as Shade,
    look: 'bar',
    values: valuesOf(byDay),
  })
  const others = people.length - days.length
  return chart({
    id: 'contributions',
    title: step === 'month' ? 'Commits by month' : 'Commits by week',
    says: `How many commits were written${others > 0 ? ', by the people with most of them' : ''}`,
    along: { names: steps.map(day => stepText(day, step)) },
    alongName: step === 'month' ? 'Month' : 'Week',
    series: [
      ...days.map((byDay, index) => bar(people[index]?.name || 'No name', byDay, index)),
      ...(others > 0 ? [bar(others === 1 ? '1 other' : `${others} others`, otherDays, days.length)] : []),
    ],
    stacked: true,
  })
}
