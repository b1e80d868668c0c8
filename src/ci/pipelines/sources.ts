/** The sources of pipelines (`CI_PIPELINE_SOURCE`), as an enumeration. */
import type { PipelineSource } from '../config/index.ts'

export const pipelineSources = [
  'push',
  'web',
  'trigger',
  'schedule',
  'api',
  'external',
  'pipeline',
  'chat',
  'webide',
  'merge_request_event',
  'external_pull_request_event',
  'parent_pipeline',
  'ondemand_dast_scan',
  'ondemand_dast_validation',
] as const satisfies readonly PipelineSource[]
