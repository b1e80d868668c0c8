/** What is in an epic: its issues, and the tree of epics below it. A fixed number of statements. */
import { datesOf } from '../../../planning/epics/dates.ts'
import { epicIdsBelow, epicProgress } from '../../../planning/epics/progress.ts'
import { datedEpics, type EpicRow, issuesOfEpic, visibleEpicsById } from '../../../planning/epics/queries.ts'
import { Issue } from '../../../planning/issues/entity.ts'
import { noProgress, type Progress } from '../../../planning/shared/progress.ts'
import { presentAll } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { tierCovers } from '../../../platform/kernel/declaration/types.ts'
import { epicPath, type InEpic } from '../scope.ts'
import type { IssueOfEpic } from './contents_view.ts'

/** Issues, and epics in all levels together, that a page shows. */
export const MOST_ISSUES = 100
export const MOST_EPICS = 200

/** An epic with those below it. */
export interface EpicNode {
  readonly id: number
  readonly title: string
  readonly href: string
  readonly state: string
  readonly confidential: boolean
  readonly start_date: string | null
  readonly due_date: string | null
  readonly progress: Progress
  readonly children: readonly EpicNode[]
}

export interface Contents {
  /** Of the epic with all that is below it. */
  readonly progress: Progress
  readonly children: readonly EpicNode[]
  readonly issues: readonly IssueOfEpic[]
  /** There are more of either than are shown. */
  readonly isCut: { readonly issues: boolean; readonly epics: boolean }
  readonly hasTree: boolean
}

/** Epics as trees: each below its parent, where that is among them. Pure. */
export function treeOf(
  rows: readonly EpicRow[],
  dates: ReturnType<typeof datesOf>,
  progress: ReadonlyMap<number, Progress>,
): readonly EpicNode[] {
  const known = new Set(rows.map(({ id }) => id))
  const byParent = Map.groupBy(rows, ({ parent_id }) => (parent_id !== null && known.has(parent_id) ? parent_id : null))
  const nodeOf = (row: EpicRow): EpicNode => ({
    id: row.id,
    title: row.title,
    href: epicPath({ group: { full_path: row.group_path }, epic: row }),
    state: row.state,
    confidential: row.confidential,
    start_date: dates.get(row.id)?.start ?? null,
    due_date: dates.get(row.id)?.due ?? null,
    progress: progress.get(row.id) ?? noProgress,
    children: (byParent.get(row.id) ?? []).map(nodeOf),
  })
  return (byParent.get(null) ?? []).map(nodeOf)
}

/** What is in the epic of a page. */
export async function contentsOf(ctx: Context & InEpic): Promise<Contents> {
  const { db, actor, epic } = ctx
  const hasTree = tierCovers(ctx.tier, 'ultimate')
  const ids = hasTree ? await epicIdsBelow(db, actor, [epic.id], MOST_EPICS + 1) : []
  const shown = ids.slice(0, MOST_EPICS)
  const [below, dated, progress, issues] = await Promise.all([
    visibleEpicsById(db, actor, shown),
    datedEpics(db, shown),
    epicProgress(db, actor, [epic.id, ...shown]),
    issuesOfEpic(db, actor, epic)
      .limit(MOST_ISSUES + 1)
      .execute(),
  ])
  const rows = [...below.values()].sort((a, b) => a.position - b.position || a.id - b.id)
  return {
    progress: progress.get(epic.id) ?? noProgress,
    children: treeOf(rows, datesOf(dated), progress),
    issues: (await presentAll(Issue, ctx, issues.slice(0, MOST_ISSUES))) as unknown as readonly IssueOfEpic[],
    isCut: { issues: issues.length > MOST_ISSUES, epics: ids.length > MOST_EPICS },
    hasTree,
  }
}
