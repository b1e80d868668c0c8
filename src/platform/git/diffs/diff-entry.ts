/** The parts of a diff. */
import type { DiffLimits } from './limits.ts'
import type { ChangedFile } from './raw-entries.ts'

/** One changed file with what changed in it. */
export interface DiffEntry extends ChangedFile {
  /** From `---` (or `Binary files`) on; empty for a mere rename or change of mode, and where it was cut. */
  readonly diff: string
  /** This file's diff alone is over the limit: `diff` is empty. */
  readonly too_large: boolean
  /** The diffs before it used up what the whole may have: `diff` is empty. */
  readonly collapsed: boolean
}

export interface Diff {
  readonly entries: readonly DiffEntry[]
  /** How many files changed, the ones beyond the limit included. */
  readonly files: number
  /** Whether anything was left out. */
  readonly overflow: boolean
  /** Which limit left something out; the one of the whole diff, where one of a single file did too. */
  readonly exceeded: keyof DiffLimits | undefined
}
