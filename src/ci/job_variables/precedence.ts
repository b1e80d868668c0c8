/**
 * Which variable counts where several have one key: those that were given to the run go before those of the project, then its groups
 * and the instance, what earlier jobs left, the CI file, and what is predefined. Pure.
 */
import { strongest } from '../../platform/expansion/expand.ts'
import type { Secret } from '../../platform/secret.ts'
import { expanderWith } from './expand_secret.ts'

/** A variable as a runner is given it. */
export interface RunnerVariable {
  readonly key: string
  readonly value: Secret
  /** May it be shown to whoever sees the job? */
  readonly public: boolean
  /** The value is written to a file, and the variable holds its path. */
  readonly file: boolean
  /** Hidden in logs. */
  readonly masked: boolean
  /** What looks like another variable in the value stays as it is. */
  readonly raw: boolean
}

/** Where variables come from. */
export interface Layers {
  readonly predefined: readonly RunnerVariable[]
  /** Of the CI file: the job's and those of the file. */
  readonly file: readonly RunnerVariable[]
  /** Left by earlier jobs. */
  readonly inherited: readonly RunnerVariable[]
  /** Of the instance, the groups and the project, the effective one of each key. */
  readonly set: readonly RunnerVariable[]
  /** Given to the pipeline, by a schedule, or to the job. */
  readonly given: readonly RunnerVariable[]
}

/** All layers, the strongest of each key. */
export const layered = ({ predefined, file, inherited, set, given }: Layers): RunnerVariable[] =>
  strongest([...predefined, ...file, ...inherited, ...set, ...given])

/**
 * Values with what they refer to put in, through any number of steps; runners themselves go but one step. What the runner alone knows
 * stays for it, as do references to files, whose paths are its own.
 */
export function expanded(variables: readonly RunnerVariable[]): RunnerVariable[] {
  const { secret } = expanderWith(
    variables.filter(({ file }) => !file),
    { missing: 'keep' },
  )
  return variables.map(variable => (variable.raw ? variable : { ...variable, value: secret(variable.value) }))
}
