/** The options of a merge, as the caller gives them. */
export interface MergeOptions {
  /** The expected tip of the source branch. */
  readonly sha?: string | undefined
  readonly squash?: boolean | undefined
  readonly should_remove_source_branch?: boolean | undefined
  readonly merge_commit_message?: string | undefined
  readonly squash_commit_message?: string | undefined
}
