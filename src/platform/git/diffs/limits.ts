/** How much of a diff is kept: the one table of these limits. */

export interface DiffLimits {
  readonly files: number
  /** Lines of all diffs together. */
  readonly lines: number
  /** Bytes of all diffs together. */
  readonly bytes: number
  /** Bytes of the diff of one file. */
  readonly fileBytes: number
}

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** What the API serves unless more is asked for. */
export const defaultDiffLimits: DiffLimits = { files: 1000, lines: 50_000, bytes: 5 * megabyte, fileBytes: 200 * kilobyte }

/**
 * What is served where the limits are to be left aside (`access_raw_diffs`): as much as one answer can be made of without
 * endangering those of others. `streamDiff` has no limit at all.
 */
export const rawDiffLimits: DiffLimits = { files: 20_000, lines: 1_000_000, bytes: 50 * megabyte, fileBytes: 10 * megabyte }
