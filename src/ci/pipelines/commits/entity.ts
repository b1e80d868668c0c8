/** A commit with its newest pipeline as JSON (commits API at 14.0). */
import Type from 'typebox'
import {
  type CommitRow,
  commitFields,
  commitStatsSchema,
  loadStats,
  presentCommit,
  statsOf,
} from '../../../code/repository/commits/entity.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../../platform/kernel/context.ts'
import { described, integer, Nullable, text } from '../../../platform/kernel/declaration/types.ts'
import { basicFields, presentBasic } from '../lists/basic.ts'
import { latestPipelinesOf, type PipelineRow } from '../queries.ts'
import { projectsWithOpenPipelines } from '../rights/visible.ts'

const detailFields = {
  ...commitFields,
  // Contract: null if no pipeline has run for the commit, and if the caller may not read it (commits API, 14.0).
  status: Nullable(text('Status of the newest pipeline; null where there is none')),
  last_pipeline: Nullable(described('The newest pipeline; null where there is none', Type.Object(basicFields))),
  project_id: integer('ID of the project'),
}

type Last = ReadonlyMap<string, PipelineRow>

/** The newest pipelines of these commits of one project that the caller may read, by commit. */
async function loadLast({ db, actor }: Context, rows: readonly CommitRow[]): Promise<Last> {
  const [first] = rows
  const open = first && (await projectsWithOpenPipelines(db, actor, [first.project.id]))
  if (!first || !open?.has(first.project.id)) return new Map()
  return latestPipelinesOf(
    db,
    first.project.id,
    rows.map(({ commit }) => commit.id),
  )
}

function presentDetail({ commit, project, trailers }: CommitRow, last: Last, facts: Facts) {
  const pipeline = last.get(commit.id)
  return {
    ...presentCommit(commit, project, facts, trailers),
    status: pipeline?.status ?? null,
    last_pipeline: pipeline ? presentBasic(pipeline, facts) : null,
    project_id: project.id,
  }
}

/** A commit by itself, without line counts (`stats=false`). */
export const CommitSummary = entity({
  name: 'CommitDetailWithoutStats',
  schema: Type.Object(detailFields),
  load: loadLast,
  present: (row: CommitRow, last: Last, facts) => presentDetail(row, last, facts),
})

/** A commit by itself. */
export const CommitDetail = entity({
  name: 'CommitDetail',
  schema: Type.Object({ ...detailFields, stats: described('Numbers of lines', commitStatsSchema) }),
  load: async (ctx: Context, rows: readonly CommitRow[]) => ({ stated: await loadStats(ctx, rows), last: await loadLast(ctx, rows) }),
  present: (row: CommitRow, { stated, last }, facts) => ({
    ...presentDetail(row, last, facts),
    stats: { ...statsOf(row.commit, stated) },
  }),
})
