/** What a pipeline is wished for, by whomever: pushes, people, schedules, triggers, bridges. */
import type { PipelineSource } from '../config/plan.ts'
import type { PipelineRow } from '../pipelines/queries.ts'
import type { GivenVariable } from '../run_variables/given.ts'

/** What a pipeline is to be of. It acts as the actor. */
export interface PipelineInput {
  readonly source: PipelineSource
  /** Full name: `refs/heads/…`, `refs/tags/…`, `refs/merge-requests/1/head`. */
  readonly ref: string
  readonly sha: string
  /** What the reference was before, where something was pushed. */
  readonly before_sha?: string | undefined
  readonly variables?: readonly GivenVariable[] | undefined
  readonly merge_request_id?: number | undefined
  readonly schedule_id?: number | undefined
  readonly trigger_id?: number | undefined
  /** The bridge that starts it, and that bridge's pipeline. */
  readonly upstream?: { readonly job_id: number; readonly pipeline_id: number; readonly isChild: boolean } | undefined
  /** The text of a CI file that stands in the place of the project's. */
  readonly config?: string | undefined
  /**
   * Names the asking, of a task that may run twice: a second time it gets the pipeline that there is. Of two at the same instant one fails,
   * and is to be tried again.
   */
  readonly requestKey?: string | undefined
  /** Nobody waits for the answer: what is wrong with the CI file is kept as a failed pipeline. */
  readonly quietly?: boolean | undefined
}

/** What has become of a wish. */
export type Granted =
  | { readonly kind: 'made'; readonly pipeline: PipelineRow }
  /** There is no such pipeline: why not, in the words of the API. */
  | { readonly kind: 'refused'; readonly errors: readonly string[] }
