/** What whoever merges wishes. */
export interface MergeOptions {
  /** The tip of the source branch that is meant. */
  readonly sha?: string | undefined
  readonly squash?: boolean | undefined
  readonly should_remove_source_branch?: boolean | undefined
  readonly merge_commit_message?: string | undefined
  readonly squash_commit_message?: string | undefined
}
