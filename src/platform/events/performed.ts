/** How many background jobs this process has ended since it began, for those who watch it. */

/** Counts, and since when. */
export interface Performed {
  /** Jobs that ended, those that failed included. */
  processed: number
  /** Attempts that failed. */
  failed: number
}

/** Of this process. */
export const performed: Performed = { processed: 0, failed: 0 }
