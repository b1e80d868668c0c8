/**
 * CI files: from YAML to the plan of a pipeline. Nothing outside of this folder imports past this file. It knows no
 * pipeline row: what it needs comes as `Sources` (files, includes) and `PlanSubject` (reference, variables, changed files).
 *
 * - `checkConfig` parses and checks a file with its includes, in a thread, with bounds (`limits`): errors and warnings in words for the user.
 * - `planFrom` plans the pipeline of a subject: which jobs it gets, in which stages, with which options; `decideOn` does so for a checked file.
 * - `sourcesFor` reads includes with the rights of the user who starts the pipeline, `sourcesOfNobody` without any.
 */
export { parseDuration } from './durations.ts'
export type { DescribedVariable, JobConfig } from './keys/config.ts'
export { fileKeys } from './keys/reference/file_keys.ts'
export { jobKeys, variableKeys } from './keys/reference/job_keys.ts'
export { type CiSchema, jsonSchema, type KeySchema } from './keys/reference/json_schema.ts'
export type { Keys, KeyWords } from './keys/reference/words.ts'
export { limits } from './limits.ts'
export type {
  ArtifactsOption,
  CacheOption,
  Decision,
  Image,
  JobOptions,
  OtherNeed,
  PipelineSource,
  Plan,
  PlannedJob,
  PlanResult,
  PlanSubject,
  PlanVariable,
  Service,
  Sources,
  SubjectVariable,
  TriggerOption,
  When,
} from './plan.ts'
export { CI_FILE } from './plan.ts'
export { type CheckedConfig, checkConfig, decideOn, planFrom } from './plan_from.ts'
export { partYaml, yamlOf } from './reading/merged.ts'
export { lineFinder } from './reading/positions.ts'
export type { YamlMap } from './reading/values.ts'
export { skipsCi } from './skip.ts'
export { ciFileOf, elsewhereOf, RemoteNeeded, sourcesFor, sourcesOfNobody } from './sources.ts'
