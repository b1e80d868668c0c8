/** What a roadmap shows: the epics of a group and of those below it as trees, and their milestones. A fixed number of statements. */
import { datesOf } from '../../../planning/epics/dates.ts'
import { epicProgress } from '../../../planning/epics/progress.ts'
import { datedEpics, type EpicFilters, epicsMatching } from '../../../planning/epics/queries.ts'
import { milestonesDueIn } from '../../../planning/milestones/below.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { GroupWithRole } from '../../places/planning.ts'
import { type EpicNode, treeOf } from '../contents/load.ts'
import { barOf, type Column } from './timeframe.ts'

/** Epics that are looked at, the latest first; milestones that are shown. */
export const MOST_EPICS = 500
const MOST_MILESTONES = 20

/** Entries of the outermost level that are shown. */
export const MOST_ROWS = 100

export interface Roadmap {
  /** Trees of what lies in the time that is shown, earliest first. */
  readonly rows: readonly EpicNode[]
  readonly undated: readonly EpicNode[]
  /** How many lie before or after the time that is shown. */
  readonly elsewhere: number
  /** There are more epics than are looked at. */
  readonly isCut: boolean
  readonly milestones: readonly RoadmapMilestone[]
}

export interface RoadmapMilestone {
  readonly title: string
  readonly start_date: string | null
  readonly due_date: string | null
  /** The path of its page. */
  readonly href: string
}

const byStart = (a: EpicNode, b: EpicNode): number =>
  (a.start_date ?? a.due_date ?? '9').localeCompare(b.start_date ?? b.due_date ?? '9') || a.id - b.id

/** Sorts trees by when they begin. Pure. */
const sorted = (nodes: readonly EpicNode[]): readonly EpicNode[] =>
  [...nodes].sort(byStart).map(node => ({ ...node, children: sorted(node.children) }))

const hasDays = ({ start_date, due_date, children }: EpicNode): boolean =>
  start_date !== null || due_date !== null || children.some(hasDays)

/** What of trees lies in the time that is shown: an epic does with anything below it, and what is below it and has no days stays there. Pure. */
export const within = (columns: readonly Column[], nodes: readonly EpicNode[]): readonly EpicNode[] =>
  nodes.flatMap(node => {
    const below = within(columns, node.children)
    if (below.length === 0 && !barOf(columns, node.start_date, node.due_date)) return []
    return [{ ...node, children: [...below, ...node.children.filter(child => !hasDays(child))] }]
  })

/** What the roadmap of a group shows in the time of its columns. */
export async function roadmapOf(
  ctx: Context & { readonly group: GroupWithRole },
  filters: EpicFilters,
  columns: readonly Column[],
): Promise<Roadmap> {
  const { db, actor, group } = ctx
  const found = await epicsMatching(ctx, group, filters)
    .limit(MOST_EPICS + 1)
    .execute()
  const epics = found.slice(0, MOST_EPICS)
  const ids = epics.map(({ id }) => id)
  const [begin, end] = [(columns[0] as Column).first, (columns.at(-1) as Column).next]
  const [dated, progress, milestones] = await Promise.all([
    datedEpics(db, ids),
    epicProgress(db, actor, ids),
    milestonesDueIn(db, actor, group.id, begin, end).limit(MOST_MILESTONES).execute(),
  ])
  const trees = sorted(treeOf(epics, datesOf(dated), progress))
  const withDays = trees.filter(hasDays)
  const rows = within(columns, withDays)
  return {
    rows: rows.slice(0, MOST_ROWS),
    undated: trees.filter(node => !hasDays(node)),
    elsewhere: withDays.length - rows.length,
    isCut: found.length > MOST_EPICS || rows.length > MOST_ROWS,
    milestones: milestones.map(({ title, start_date, due_date, iid, place_path }) => ({
      title,
      start_date,
      due_date,
      href: `/groups/${place_path}/-/milestones/${iid}`,
    })),
  }
}
