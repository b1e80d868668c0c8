/** What the linter says, as JSON (CI lint API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { described, flag, Nullable, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { JobConfig, PlannedJob } from '../config/index.ts'

/** A file that was linted. */
export interface Linted {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  /** The merged file as YAML; undefined if it cannot be merged, or was not requested. */
  readonly merged: string | undefined
  /** Undefined if not requested. */
  readonly jobs: readonly LintedJob[] | undefined
}

/** A planned job: any job of the file, or those that the simulated pipeline would have. */
export interface LintedJob {
  readonly config: JobConfig
  readonly planned?: Pick<PlannedJob, 'when' | 'allow_failure'> | undefined
}

const commands = Type.Array(Type.String())
const conditions = Nullable(Type.Record(Type.String(), Type.Unknown()))

const LintJobSchema = Type.Object({
  name: text('Name of the job'),
  stage: text('Name of the stage'),
  before_script: described('Commands that run before the script', commands),
  script: described('Commands of the job', commands),
  after_script: described('Commands that run after the script', commands),
  tag_list: described('Tags that the runner must have', Type.Array(Type.String())),
  only: described('When the job runs; null where nothing is said', conditions),
  except: described('When the job does not run; null where nothing is said', conditions),
  environment: Nullable(text('Name of the environment, with variables; null where the job has none')),
  when: text('When the job runs: `on_success`, `on_failure`, `always`, `manual` or `delayed`'),
  allow_failure: flag('Whether the pipeline passes when this job fails'),
})

const findings = {
  errors: described('What is wrong', Type.Array(Type.String())),
  warnings: described('What is doubtful', Type.Array(Type.String())),
  merged_yaml: optional(Nullable(text('Everything included and extended in one file; null where it cannot be read'))),
  jobs: optional(described('Jobs', Type.Array(LintJobSchema))),
}

const presentJob = ({ config, planned }: LintedJob) => ({
  name: config.name,
  stage: config.stage,
  before_script: [...(config.options.before_script ?? [])],
  script: [...(config.options.script ?? [])],
  after_script: [...(config.options.after_script ?? [])],
  tag_list: [...config.tags],
  only: (config.only?.written ?? null) as Record<string, unknown> | null,
  except: (config.except?.written ?? null) as Record<string, unknown> | null,
  environment: config.environment?.name ?? null,
  when: planned?.when ?? config.when ?? 'on_success',
  allow_failure: planned?.allow_failure ?? config.allow_failure ?? config.when === 'manual',
})

const presentFindings = ({ errors, warnings, jobs }: Linted) => ({
  errors: [...errors],
  warnings: [...warnings],
  ...(jobs ? { jobs: jobs.map(presentJob) } : {}),
})

/** The result for a text that belongs to no project. */
export const Lint = entity({
  name: 'Lint',
  schema: Type.Object({ status: OneOf(['valid', 'invalid'], { description: '`valid` or `invalid`' }), ...findings }),
  present: (linted: Linted) => ({
    status: linted.errors.length === 0 ? ('valid' as const) : ('invalid' as const),
    ...presentFindings(linted),
    ...(linted.merged === undefined ? {} : { merged_yaml: linted.merged }),
  }),
})

/** The result for a project's CI file, or for a text in its place. */
export const ProjectLint = entity({
  name: 'ProjectLint',
  schema: Type.Object({ valid: flag('Whether the configuration is valid'), ...findings }),
  present: (linted: Linted) => ({
    valid: linted.errors.length === 0,
    ...presentFindings(linted),
    merged_yaml: linted.merged ?? null,
  }),
})
