/** A CI file after its keys are checked and typed. Nothing is decided yet. */

import type { EnvironmentOption, JobOptions, OtherNeed, PlannedNeed, PlanVariable, When } from '../plan.ts'
import type { YamlMap } from '../reading/values.ts'
import type { Expression } from '../rules/expression.ts'

/** One of `rules`: the conditions, all of which must hold, and the attributes that then apply. */
export interface Rule {
  readonly if?: Expression | undefined
  readonly changes?: readonly string[] | undefined
  readonly exists?: readonly string[] | undefined
  readonly when?: When | 'never' | undefined
  readonly allow_failure?: boolean | undefined
  /** In seconds. */
  readonly start_in?: number | undefined
  readonly variables?: readonly PlanVariable[] | undefined
  /** As written, for those who ask why a job is part of a pipeline. */
  readonly written: YamlMap
}

/** `only` or `except`. */
export interface Policy {
  readonly refs?: readonly string[] | undefined
  readonly variables?: readonly Expression[] | undefined
  readonly changes?: readonly string[] | undefined
  /** `kubernetes: active`: where the project has a cluster for every environment. */
  readonly kubernetes?: true | undefined
  /** As written, for the linter. */
  readonly written: unknown
}

export type Matrix = readonly Readonly<Record<string, readonly string[]>>[]

/** What a job inherits: everything, nothing, or the named keys. */
export type Inherited = boolean | readonly string[]

export interface JobConfig {
  readonly name: string
  readonly kind: 'build' | 'bridge'
  readonly stage: string
  readonly when: When | undefined
  readonly start_in: number | undefined
  readonly allow_failure: boolean | undefined
  readonly rules: readonly Rule[] | undefined
  readonly only: Policy | undefined
  readonly except: Policy | undefined
  /** Undefined: the job waits for the earlier stages. */
  readonly needs: readonly PlannedNeed[] | undefined
  readonly other_needs: readonly OtherNeed[]
  readonly dependencies: readonly string[] | undefined
  readonly parallel: number | Matrix | undefined
  readonly tags: readonly string[]
  readonly interruptible: boolean
  readonly resource_group: string | undefined
  /** In seconds. */
  readonly timeout: number | undefined
  readonly variables: readonly PlanVariable[]
  /** Of the file's variables. */
  readonly inherited_variables: Inherited
  readonly environment: EnvironmentOption | undefined
  /** Keys that go to `jobs.options` unchanged. */
  readonly options: JobOptions
}

/** A variable that says what it is for: a pipeline that is run by hand asks for it. */
export interface DescribedVariable {
  readonly key: string
  readonly value: string
  readonly description: string
  /** The values that are offered; none: any. */
  readonly options: readonly string[]
}

export interface FileConfig {
  /** As written, with `.pre` and `.post` added at the ends. */
  readonly stages: readonly string[]
  readonly variables: readonly PlanVariable[]
  /** Those among them that have a description. */
  readonly described: readonly DescribedVariable[]
  /** Of `workflow`. */
  readonly workflow: readonly Rule[] | undefined
  readonly jobs: readonly JobConfig[]
}
