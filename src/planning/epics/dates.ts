/** Start and due dates of epics. */
import type { DatedEpic } from './queries.ts'

/** Dates of an epic, `YYYY-MM-DD` or null. */
export interface EpicDates {
  /** From the milestones of its issues and from its child epics: the earliest start, the latest end. */
  readonly start_inherited: string | null
  readonly due_inherited: string | null
  /** The effective dates: the fixed ones if they are set, else the inherited ones. */
  readonly start: string | null
  readonly due: string | null
}

const pick = (days: readonly (string | null)[], end: 'earliest' | 'latest'): string | null => {
  const sorted = days.filter(day => day !== null).sort()
  return (end === 'earliest' ? sorted[0] : sorted.at(-1)) ?? null
}

/** The dates of each epic, from a list that contains all of their descendants. */
export function datesOf(epics: readonly DatedEpic[]): ReadonlyMap<number, EpicDates> {
  const children = Map.groupBy(epics, epic => epic.parent_id)
  const known = new Map<number, EpicDates>()
  const dateOf = (epic: DatedEpic): EpicDates => {
    const done = known.get(epic.id)
    if (done) return done
    const below = (children.get(epic.id) ?? []).map(dateOf)
    const start_inherited = pick([epic.milestones_start, ...below.map(child => child.start)], 'earliest')
    const due_inherited = pick([epic.milestones_due, ...below.map(child => child.due)], 'latest')
    const dates = {
      start_inherited,
      due_inherited,
      start: epic.start_date_is_fixed ? epic.start_date_fixed : start_inherited,
      due: epic.due_date_is_fixed ? epic.due_date_fixed : due_inherited,
    }
    known.set(epic.id, dates)
    return dates
  }
  for (const epic of epics) dateOf(epic)
  return known
}
