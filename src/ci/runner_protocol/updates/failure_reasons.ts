/** Why a job has failed, as its runner reports. */

/** The reasons that a runner may report; the job payload lists them. Any other is `unknown_failure` (runner protocol c.2). */
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

/** The reported reason; `unknown_failure` for none or an unknown one. */
export const failureReasonFrom = (given: string | undefined): (typeof failureReasons)[number] =>
  failureReasons.find(reason => reason === given) ?? 'unknown_failure'
