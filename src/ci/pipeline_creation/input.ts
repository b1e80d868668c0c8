/** The input of pipeline creation, common to all sources: pushes, users, schedules, triggers, bridges. */
import type { PipelineSource } from '../config/index.ts'
import type { PipelineRow } from '../pipelines/queries.ts'
import type { GivenVariable } from '../run_variables/given.ts'

/** The pipeline that is requested. It runs as the actor. */
export interface PipelineInput {
  readonly source: PipelineSource
  /** Full name: `refs/heads/…`, `refs/tags/…`, `refs/merge-requests/1/head`. */
  readonly ref: string
  readonly sha: string
  /** The former commit of the reference, after a push. */
  readonly before_sha?: string | undefined
  readonly variables?: readonly GivenVariable[] | undefined
  readonly merge_request_id?: number | undefined
  readonly schedule_id?: number | undefined
  readonly trigger_id?: number | undefined
  /** The bridge that starts it, and that bridge's pipeline. */
  readonly upstream?: { readonly job_id: number; readonly pipeline_id: number; readonly isChild: boolean } | undefined
  /** The text of a CI file that replaces the project's. */
  readonly config?: string | undefined
  /**
   * Idempotency key, for tasks that may run twice: the second run gets the existing pipeline. Of two concurrent runs one fails,
   * and must be retried.
   */
  readonly requestKey?: string | undefined
  /** A CI file that includes files of other servers is not read: `RemoteNeeded` is thrown, for a task that may wait for them. */
  readonly withoutRemote?: boolean | undefined
  /** No caller waits for the answer: errors of the CI file are recorded as a failed pipeline. */
  readonly quietly?: boolean | undefined
}

/** The result of a request for a pipeline. */
export type PipelineResult =
  | { readonly kind: 'made'; readonly pipeline: PipelineRow }
  /** There is no pipeline; the reason in the words of the API. */
  | { readonly kind: 'refused'; readonly errors: readonly string[] }
