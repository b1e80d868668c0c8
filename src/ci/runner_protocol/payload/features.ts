/** Runner features that a job requires beyond running scripts (runner protocol c.1 `features`). Pure. */
import type { JobOptions } from '../../config/index.ts'

/** Features of runners, and which jobs require them (public behaviour at 14.0). */
const needed: Readonly<Record<string, (job: JobToRun) => boolean>> = {
  upload_multiple_artifacts: ({ options }) => Object.keys(options.artifacts?.reports ?? {}).length > 0,
  refspecs: ({ ref }) => ref.startsWith('refs/merge-requests/'),
  artifacts_exclude: ({ options }) => (options.artifacts?.exclude ?? []).length > 0,
  multi_build_steps: ({ options }) => options.release !== undefined,
  return_exit_code: ({ options }) => options.allow_failure_exit_codes !== undefined,
}

export interface JobToRun {
  readonly options: JobOptions
  /** The reference of its pipeline. */
  readonly ref: string
}

/** The required features that a runner does not report. */
export const missingFeatures = (job: JobToRun, announced: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(needed).flatMap(([feature, isNeeded]) => (announced[feature] !== true && isNeeded(job) ? [feature] : []))
