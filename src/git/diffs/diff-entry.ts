/** The parts of a diff, and how much of one is kept. */

/** One changed file. Modes are as git writes them (`100644`; `0` where the side does not exist). */
export interface DiffEntry {
  readonly old_path: string
  readonly new_path: string
  readonly a_mode: string
  readonly b_mode: string
  readonly new_file: boolean
  readonly renamed_file: boolean
  readonly deleted_file: boolean
  /** From `---` (or `Binary files`) on; empty for a mere rename or change of mode, and where it was cut. */
  readonly diff: string
  /** This file's diff alone is over the limit: `diff` is empty. */
  readonly too_large: boolean
  /** The diffs before it used up what the whole may have: `diff` is empty. */
  readonly collapsed: boolean
}

/** How much of a diff is kept. */
export interface DiffLimits {
  readonly files: number
  /** Lines of all diffs together. */
  readonly lines: number
  /** Bytes of all diffs together. */
  readonly bytes: number
  /** Bytes of the diff of one file. */
  readonly fileBytes: number
}

/** What the API serves unless more is asked for. */
export const defaultDiffLimits: DiffLimits = { files: 1000, lines: 50_000, bytes: 5 * 1024 * 1024, fileBytes: 200 * 1024 }

export interface Diff {
  readonly entries: DiffEntry[]
  /** How many files changed, the ones beyond the limit included. */
  readonly files: number
  /** Whether anything was left out. */
  readonly overflow: boolean
}
