/** Why a job has failed, as far as its runner can say. */

/** The reasons that a runner may give; it is told them, and gives `unknown_failure` for any other (runner protocol c.2). */
export const failureReasons = [
  'unknown_failure',
  'script_failure',
  'api_failure',
  'stuck_or_timeout_failure',
  'runner_system_failure',
  'missing_dependency_failure',
  'runner_unsupported',
  'job_execution_timeout',
  'data_integrity_failure',
] as const

/** The reason that a runner gave; `unknown_failure` for none, or one that there is not. */
export const failureReasonFrom = (given: string | undefined): (typeof failureReasons)[number] =>
  failureReasons.find(reason => reason === given) ?? 'unknown_failure'
