/**
 * What a CI file asks for, as data: `planFrom` makes it, pipelines are made from it, and runners are given parts of it. Pure.
 * `JobOptions` goes into `jobs.options`, in the vocabulary of the CI file.
 */

import type { Secret } from '../../platform/secret.ts'
import type { YamlMap } from './reading/values.ts'

/** Where the CI file of a project is unless its `ci_config_path` says otherwise, and its name in messages. */
export const CI_FILE = '.gitlab-ci.yml'

/** A variable of the CI file, not yet expanded. */
export interface PlanVariable {
  readonly key: string
  readonly value: string
  readonly raw?: boolean
}

/** Why a pipeline was made (`CI_PIPELINE_SOURCE`). */
export type PipelineSource =
  | 'push'
  | 'web'
  | 'trigger'
  | 'schedule'
  | 'api'
  | 'external'
  | 'pipeline'
  | 'chat'
  | 'webide'
  | 'merge_request_event'
  | 'external_pull_request_event'
  | 'parent_pipeline'
  | 'ondemand_dast_scan'
  | 'ondemand_dast_validation'

export type When = 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed'

export interface Image {
  readonly name: string
  readonly entrypoint?: readonly string[]
  readonly ports?: readonly number[]
}

export interface Service extends Image {
  readonly alias?: string
  readonly command?: readonly string[]
}

export interface ArtifactsOption {
  readonly name?: string
  readonly paths?: readonly string[]
  readonly exclude?: readonly string[]
  readonly untracked?: boolean
  readonly when?: 'on_success' | 'on_failure' | 'always'
  /** In words: `1 week`, `never`. */
  readonly expire_in?: string
  readonly expose_as?: string
  readonly public?: boolean
  /** By type (`junit`, `dotenv`, ...): paths. */
  readonly reports?: Readonly<Record<string, readonly string[]>>
}

export interface CacheOption {
  /** With variables, or already computed from files. */
  readonly key?: string
  /** The key is computed from the last commits that changed these files. */
  readonly key_files?: { readonly files: readonly string[]; readonly prefix?: string }
  readonly paths?: readonly string[]
  readonly untracked?: boolean
  readonly policy?: 'pull-push' | 'pull' | 'push'
  readonly when?: 'on_success' | 'on_failure' | 'always'
}

export interface EnvironmentOption {
  /** With variables. */
  readonly name: string
  readonly url?: string
  readonly action?: 'start' | 'prepare' | 'stop' | 'verify' | 'access'
  readonly on_stop?: string
  readonly auto_stop_in?: string
  readonly deployment_tier?: string
  /** The namespace in the cluster, with variables. */
  readonly kubernetes?: { readonly namespace?: string }
}

/** A need of a job in the latest pipeline of a reference of another project, or in another pipeline of the same tree. */
export type OtherNeed =
  | { readonly project: string; readonly ref: string; readonly job: string; readonly artifacts: boolean }
  | { readonly pipeline: string; readonly job: string; readonly artifacts: boolean }
  /** Makes the bridge mirror the status of the latest pipeline there. */
  | { readonly upstream_pipeline: string }

/** What a bridge starts: a pipeline of another project, or a child pipeline from a CI file of this one or from an artifact of a job. */
export interface TriggerOption {
  readonly project?: string
  readonly branch?: string
  readonly include?: readonly TriggerInclude[]
  readonly strategy?: 'depend'
  readonly forward?: { readonly yaml_variables?: boolean; readonly pipeline_variables?: boolean }
}

export type TriggerInclude =
  | { readonly local: string }
  | { readonly artifact: string; readonly job: string }
  | { readonly project: string; readonly file: string; readonly ref?: string }
  | { readonly remote: string }
  | { readonly template: string }

/** The attributes of a job beyond its columns: the JSON in `jobs.options`. */
/** A token for another service. */
export interface IdTokenOption {
  /** Whom it is for. */
  readonly aud: string | readonly string[]
}

export interface JobOptions {
  readonly image?: Image
  readonly services?: readonly Service[]
  readonly before_script?: readonly string[]
  readonly script?: readonly string[]
  readonly after_script?: readonly string[]
  readonly artifacts?: ArtifactsOption
  readonly cache?: readonly CacheOption[]
  /** Names of jobs whose artifacts it downloads; absent: all jobs of earlier stages. */
  readonly dependencies?: readonly string[]
  readonly other_needs?: readonly OtherNeed[]
  readonly retry?: { readonly max: number; readonly when: readonly string[] }
  readonly allow_failure_exit_codes?: readonly number[]
  /** Delay of a delayed job, in seconds. */
  readonly start_in?: number
  readonly environment?: EnvironmentOption
  readonly release?: Readonly<Record<string, unknown>>
  readonly trigger?: TriggerOption
  /** By the variable that holds the token. */
  readonly id_tokens?: Readonly<Record<string, IdTokenOption>>
  /** A regular expression, without its slashes. */
  readonly coverage?: string
  /** `parallel` and `matrix`: index and total of the copies. */
  readonly parallel?: { readonly index: number; readonly total: number }
}

export interface PlannedNeed {
  readonly name: string
  readonly artifacts: boolean
  readonly optional: boolean
}

/** A planned job. */
export interface PlannedJob {
  readonly name: string
  readonly kind: 'build' | 'bridge'
  readonly stage: string
  /** Index in the plan's `stages`. */
  readonly stage_position: number
  readonly when: When
  readonly allow_failure: boolean
  /** Undefined: the job waits for the earlier stages. */
  readonly needs: readonly PlannedNeed[] | undefined
  readonly tags: readonly string[]
  readonly interruptible: boolean
  /** With variables. */
  readonly resource_group: string | undefined
  /** In seconds. */
  readonly timeout: number | undefined
  /** Its own variables and those of the file, the job's last; includes those that its rule adds. */
  readonly variables: readonly PlanVariable[]
  readonly options: JobOptions
}

/** A planned pipeline. */
export interface Plan {
  /** The stages that have jobs, `.pre` first and `.post` last. */
  readonly stages: readonly string[]
  /** By stage, then in the order of the file. */
  readonly jobs: readonly PlannedJob[]
  /** Variables that `workflow: rules` add. */
  readonly variables: readonly PlanVariable[]
  readonly warnings: readonly string[]
}

/** A variable that rules and names may refer to, from any source. Its value may affect decisions, but is never shown. */
export interface SubjectVariable {
  readonly key: string
  readonly value: Secret
  readonly raw?: boolean
}

/** The facts about the planned pipeline that rules may use. */
export interface PlanSubject {
  readonly source: PipelineSource
  /** Short name of the branch or tag; of a merge request its source branch. */
  readonly ref: string
  readonly ref_type: 'branch' | 'tag' | 'merge_request'
  /** Full path of the project, for `only: branches@group/project`. */
  readonly project_path: string
  /** All variables that `if` and expansion may use, strongest last. */
  readonly variables: readonly SubjectVariable[]
  /** The changed paths; undefined if there is nothing to compare with, and then every `changes` matches. */
  changedPaths(): Promise<readonly string[] | undefined>
  /** All files of the commit. */
  files(): Promise<readonly string[]>
  /** Has the project a cluster for every environment? */
  hasCluster(): Promise<boolean>
}

/**
 * The path of an `include`: as the CI file writes it, and with variables expanded. Values of variables may be secret,
 * so messages show `written` alone.
 */
export interface Located {
  readonly written: string
  readonly meant: Secret
}

/**
 * Where included files come from. Each function returns the text, or undefined if there is no such file; all may throw `ConfigRefused`
 * (reading/values.ts), whose message says why a file may not be read, and never shows the value of a variable.
 */
export interface Sources {
  local(path: Located): Promise<string | undefined>
  /** All files of the commit, for patterns. */
  files(): Promise<readonly string[]>
  project(of: {
    readonly project: Located
    readonly file: Located
    readonly ref: Located | undefined
    /** Read it as an anonymous user: a remote file includes it. */
    readonly asPublic: boolean
  }): Promise<string | undefined>
  remote(url: Located): Promise<string | undefined>
  /** A file that comes with the server. */
  template(file: Located): Promise<string | undefined>
}

/** Whether a job, or a pipeline, is let in, and what decided so. */
export type Decision =
  | { readonly isIn: boolean; readonly by: 'rule'; readonly number: number; readonly written: YamlMap }
  /** There are rules, and none applies. */
  | { readonly isIn: false; readonly by: 'no_rule' }
  /** `only` or `except` keeps it out; else it is in by default. */
  | { readonly isIn: boolean; readonly by: 'only' | 'except' | 'default' }

/** What is notified of decisions while a pipeline is planned, for those who ask why a job is in it or not. */
export interface DecisionReport {
  /** Of `workflow: rules`, where there are some. */
  workflow(decision: Decision): void
  job(job: { readonly name: string; readonly stage: string }, decision: Decision): void
}

export type PlanResult =
  | { readonly kind: 'plan'; readonly plan: Plan }
  /** The rules leave no job to run. */
  | { readonly kind: 'nothing'; readonly reason: 'workflow' | 'no_jobs'; readonly warnings: readonly string[] }
  | { readonly kind: 'invalid'; readonly errors: readonly string[]; readonly warnings: readonly string[] }
