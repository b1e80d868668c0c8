/** The facts that decide whether merge requests can be merged, for a page, in a fixed number of statements. */

import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import { alive } from '../../ci/states.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Facts } from '../../platform/kernel/context.ts'
import { headPipelinesOf } from '../merge_request_pipelines/queries.ts'
import type { MergeFacts } from '../merge_requests/details/mergeable.ts'
import type { MergeRequestRow } from '../merge_requests/queries.ts'
import { approvalFactsOn, type Grounds, groundsOf } from './facts.ts'
import { leftInAll, stateOf } from './state.ts'

/** The state of a pipeline that must succeed before the merge. */
function pipelineFact(pipeline: Pick<PipelineRow, 'status'> | undefined, mayBeSkipped: boolean): MergeFacts['pipeline'] {
  if (!pipeline) return 'missing'
  if (pipeline.status === 'success' || (pipeline.status === 'skipped' && mayBeSkipped)) return 'success'
  return alive.includes(pipeline.status) ? 'running' : 'failed'
}

/** The facts, with the project's number of approvals as default for merge requests without their own (`approvals_before_merge`). */
export type KnownMergeFacts = MergeFacts & { readonly approvalsOfProject: number }

/** The facts of merge requests by id. Approvals and pipelines are loaded only for open ones; the others no longer need them. */
export async function mergeFactsOf(
  db: Db,
  tier: Facts['tier'],
  rows: readonly MergeRequestRow[],
): Promise<ReadonlyMap<number, KnownMergeFacts>> {
  const open = rows.filter(({ state }) => state === 'opened')
  const asked = groundsOf(
    db,
    rows.map(row => row.id),
  )
  const [grounds, approvals] = await Promise.all([asked, approvalFactsOn(db, tier, open, asked)])
  const awaitsPipeline = ({ id }: MergeRequestRow) => grounds.get(id)?.only_allow_merge_if_pipeline_succeeds === true
  const pipelines = await headPipelinesOf(db, open.filter(awaitsPipeline))
  return new Map(
    rows.map(row => {
      const { unresolved_threads, approvals_before_merge, allow_merge_on_skipped_pipeline } = grounds.get(row.id) as Grounds
      const { rules = [], counting = [] } = approvals.get(row.id) ?? {}
      return [
        row.id,
        {
          state: row.state,
          merge_status: row.merge_status,
          draft: row.draft,
          unresolvedThreads: unresolved_threads,
          approvalsLeft: leftInAll(rules.map(rule => stateOf(rule, counting))),
          pipeline:
            row.state === 'opened' && awaitsPipeline(row)
              ? pipelineFact(pipelines.get(row.id), allow_merge_on_skipped_pipeline)
              : undefined,
          approvalsOfProject: approvals_before_merge,
        } satisfies KnownMergeFacts,
      ] as const
    }),
  )
}
