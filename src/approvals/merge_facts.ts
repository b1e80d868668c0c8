/** The facts that it depends on whether merge requests can be merged, for a page: a fixed number of statements. */

import { alive } from '../ci/jobs/moving/states.ts'
import { headPipelinesOf } from '../ci/pipelines/of_merge_requests.ts'
import type { PipelineRow } from '../ci/pipelines/queries.ts'
import { anyOf } from '../db/any.ts'
import type { Db } from '../db/connection.ts'
import { unresolvedThreads } from '../discussions/unresolved.ts'
import type { Facts } from '../kernel/context.ts'
import type { MergeFacts } from '../merge_requests/mergeable.ts'
import type { MergeRequestRow } from '../merge_requests/queries.ts'
import { approvalFacts } from './facts.ts'
import { leftInAll, stateOf } from './state.ts'

/** What a project asks for before a merge, by its id. */
async function demandsOf(db: Db, projectIds: readonly number[]) {
  const rows = await db
    .selectFrom('projects')
    .select([
      'id',
      'only_allow_merge_if_all_discussions_are_resolved',
      'only_allow_merge_if_pipeline_succeeds',
      'allow_merge_on_skipped_pipeline',
    ])
    .where('id', '=', anyOf(projectIds))
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** What a pipeline that must succeed first has come to. */
function pipelineFact(pipeline: Pick<PipelineRow, 'status'> | undefined, mayBeSkipped: boolean): MergeFacts['pipeline'] {
  if (!pipeline) return 'missing'
  if (pipeline.status === 'success' || (pipeline.status === 'skipped' && mayBeSkipped)) return 'success'
  return alive.includes(pipeline.status) ? 'running' : 'failed'
}

/** The facts of merge requests by id. */
export async function mergeFactsOf(db: Db, tier: Facts['tier'], rows: readonly MergeRequestRow[]): Promise<Map<number, MergeFacts>> {
  const approvals = await approvalFacts(db, tier, rows)
  const demands = await demandsOf(db, [...new Set(rows.map(row => row.project_id))])
  const threads = await unresolvedThreads(
    db,
    rows.map(row => row.id),
  )
  const pipelines = await headPipelinesOf(
    db,
    rows.filter(row => demands.get(row.project_id)?.only_allow_merge_if_pipeline_succeeds),
  )
  return new Map(
    rows.map(row => {
      const demand = demands.get(row.project_id)
      const { rules = [], approved_by = [] } = approvals.get(row.id) ?? {}
      return [
        row.id,
        {
          state: row.state,
          merge_status: row.merge_status,
          draft: row.draft,
          unresolvedThreads: demand?.only_allow_merge_if_all_discussions_are_resolved ? (threads.get(row.id) ?? 0) : 0,
          approvalsLeft: leftInAll(rules.map(rule => stateOf(rule, approved_by))),
          pipeline: demand?.only_allow_merge_if_pipeline_succeeds
            ? pipelineFact(pipelines.get(row.id), demand.allow_merge_on_skipped_pipeline)
            : undefined,
        } satisfies MergeFacts,
      ] as const
    }),
  )
}
