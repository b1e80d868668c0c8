/**
 * Which variable wins if several have one key, strongest first: those given to the run, those of the project, of its groups
 * and of the instance, those left by earlier jobs, those of the CI file, predefined ones. Pure.
 */
import { strongest } from '../../platform/expansion/expand.ts'
import type { Secret } from '../../platform/secret.ts'
import { expanderWith } from './expand_secret.ts'

/** A variable as a runner is given it. */
export interface RunnerVariable {
  readonly key: string
  readonly value: Secret
  /** May it be shown to users who see the job? */
  readonly public: boolean
  /** The value is written to a file, and the variable holds its path. */
  readonly file: boolean
  /** Hidden in logs. */
  readonly masked: boolean
  /** References to other variables in the value are not expanded. */
  readonly raw: boolean
}

/** The layers of variables. */
export interface Layers {
  readonly predefined: readonly RunnerVariable[]
  /** From the CI file: the job's and those of the file. */
  readonly file: readonly RunnerVariable[]
  /** Left by earlier jobs. */
  readonly inherited: readonly RunnerVariable[]
  /** From the instance, the groups and the project: the effective one of each key. */
  readonly set: readonly RunnerVariable[]
  /** Given to the pipeline, by a schedule, or to the job. */
  readonly given: readonly RunnerVariable[]
}

/** Merges all layers; the strongest of each key wins. */
export const layered = ({ predefined, file, inherited, set, given }: Layers): RunnerVariable[] =>
  strongest([...predefined, ...file, ...inherited, ...set, ...given])

/**
 * Expands the values through any number of steps; runners themselves expand only one. References that only the runner can resolve are
 * left to it, as are references to files, whose paths the runner chooses.
 */
export function expanded(variables: readonly RunnerVariable[]): RunnerVariable[] {
  const { secret } = expanderWith(
    variables.filter(({ file }) => !file),
    { missing: 'keep' },
  )
  return variables.map(variable => (variable.raw ? variable : { ...variable, value: secret(variable.value) }))
}
