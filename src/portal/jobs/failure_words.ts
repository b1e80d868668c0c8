/** Why a job has failed, in words for people: what happened, and where it is mended. */
import { reasonText } from '../pipelines/jobs_view.ts'

const words: Readonly<Record<string, string>> = {
  unknown_failure: 'its runner gave no reason',
  script_failure: 'a command of its script ended with an error, which the log shows',
  api_failure: 'the runner could not reach the server',
  stuck_or_timeout_failure: 'no runner took it in time, or its runner stopped reporting',
  runner_system_failure: 'the runner could not run it: the machine, its disk or its container failed',
  runner_unsupported: 'the runner cannot do what the job asks for',
  missing_dependency_failure: 'artifacts of a job before it are gone: run that one again first',
  job_execution_timeout: 'it ran longer than it may. The settings of CI/CD, timeout in the CI file and the runner each have a limit',
  data_integrity_failure: 'what the job is made of cannot be read',
  trace_size_exceeded: 'its log is larger than the server takes',
  forward_deployment_failure:
    'a newer pipeline has deployed to its environment, or begun to, and older ones are kept from doing so after it',
  protected_environment_failure: 'its environment is protected, and the user it runs for may not deploy there',
  environment_creation_failure: 'its environment could not be made: the name is not one for an environment',
  user_blocked: 'the user it runs for is blocked',
  downstream_bridge_project_not_found:
    'the project whose pipeline it starts is not there, or the user it runs for is no member who sees it. The rights of administrators do not count',
  upstream_bridge_project_not_found: 'the project whose pipeline it follows is not there, or the user it runs for does not see it',
  insufficient_bridge_permissions: 'the user it runs for may not run pipelines of that branch of the other project',
  invalid_bridge_trigger: 'it names its own project, or one without a branch',
  downstream_pipeline_creation_failed:
    'the pipeline could not be made: there is no such branch, its CI file is wrong, or no job of it applies',
  reached_max_descendant_pipelines_depth: 'child pipelines of child pipelines start no further ones',
  pipeline_loop_detected: 'the pipelines would start one another without end',
}

/** The reason as the rest of a sentence. */
export const failureWords = (reason: string): string => words[reason] ?? reasonText(reason)
