/**
 * From the text of a CI file to the plan of a pipeline: parse, include, merge, check, decide.
 * Uses no database and no git: included files and facts come from `Sources` and `PlanSubject`. What grows with the number of jobs is done in
 * slices.
 */

import { runInSlices } from '../../platform/kernel/answer/time_slicing.ts'
import { rules as readRules } from './keys/conditions.ts'
import type { FileConfig, JobConfig } from './keys/config.ts'
import { readFile } from './keys/file.ts'
import { Place, Problems } from './keys/place.ts'
import { limits } from './limits.ts'
import { CI_FILE, type DecisionReport, type PlanResult, type PlanSubject, type Sources } from './plan.ts'
import { errorsBetween, tooManyJobs } from './planning/checks.ts'
import { decide } from './planning/decide.ts'
import { spread, spreadCount, tooManyNeeds } from './planning/spread.ts'
import { extended } from './reading/extends.ts'
import type { IncludeRules } from './reading/include_rules.ts'
import { Includer } from './reading/includes.ts'
import { writtenSize } from './reading/merged.ts'
import { readYaml } from './reading/read.ts'
import { dereferenced } from './reading/references.ts'
import { Budget, ConfigRefused, sizeOfFile, type YamlMap } from './reading/values.ts'
import { RuleEvaluator } from './rules/evaluator.ts'
import { lookupAmong } from './rules/lookup.ts'

/** A CI file that was parsed and checked, before anything is decided for a pipeline. */
export interface CheckedConfig {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  /** The merged file; undefined if it cannot be merged. */
  readonly merged: YamlMap | undefined
  /** The keys that lead to what a message is about, by message, as far as they are known. */
  readonly places: ReadonlyMap<string, readonly string[]>
  /** What misspelled keys may be meant to be, by the message about them. */
  readonly hints: ReadonlyMap<string, string>
  /** Absent where there are errors. */
  readonly config?: { readonly file: FileConfig; readonly jobs: readonly JobConfig[] }
}

/** The linter's subject if it plans no pipeline: no variables, nothing to compare with. */
const nobody = (sources: Sources): PlanSubject => ({
  source: 'push',
  ref: '',
  ref_type: 'branch',
  project_path: '',
  variables: [],
  changedPaths: async () => undefined,
  files: () => sources.files(),
  hasCluster: async () => false,
})

/** Parses and checks a CI file. `subject` is for includes that depend on variables and rules. */
export async function checkConfig(text: string, sources: Sources, subject: PlanSubject = nobody(sources)): Promise<CheckedConfig> {
  if (text.trim() === '') return unreadable('Please provide content of .gitlab-ci.yml')
  let merged: YamlMap
  try {
    merged = await putTogether(text, sources, subject)
  } catch (error) {
    if (error instanceof ConfigRefused) return unreadable(error.message)
    throw error
  }
  const problems = new Problems()
  const file = await runInSlices(readFile(merged, problems))
  const { places, hints } = problems
  if (problems.errors.length > 0) return { errors: problems.errors, warnings: problems.warnings, merged, places, hints }
  const warnings = [...problems.warnings, ...doubtful(file)]
  // Counted before they are made: a few lines may stand for very many.
  const tooMany = [...tooManyJobs(spreadCount(file.jobs)), ...tooManyNeeds(file.jobs)]
  if (tooMany.length > 0) return { errors: tooMany, warnings, merged, places, hints }
  const jobs = await runInSlices(spread(file.jobs))
  const errors = await runInSlices(errorsBetween(file, jobs))
  return errors.length > 0
    ? { errors, warnings, merged, places, hints }
    : { errors: [], warnings, merged, places, hints, config: { file, jobs } }
}

const unreadable = (message: string): CheckedConfig => ({
  errors: [message],
  warnings: [],
  merged: undefined,
  places: new Map(),
  hints: new Map(),
})

/** Plans a pipeline for `subject` from the CI file `text`. */
export async function planFrom(text: string, subject: PlanSubject, sources: Sources): Promise<PlanResult> {
  return decideOn(await checkConfig(text, sources, subject), subject)
}

/** Plans a pipeline for `subject` from a file that was checked already. */
export async function decideOn(
  { errors, warnings, config }: CheckedConfig,
  subject: PlanSubject,
  report?: DecisionReport,
): Promise<PlanResult> {
  if (!config) return { kind: 'invalid', errors, warnings }
  try {
    return await decide(config.file, config.jobs, subject, warnings, report)
  } catch (error) {
    if (error instanceof ConfigRefused) return { kind: 'invalid', errors: [error.message], warnings }
    throw error
  }
}

async function putTogether(text: string, sources: Sources, subject: PlanSubject): Promise<YamlMap> {
  const budget = new Budget()
  const whole = await withIncluded(text, sources, subject, budget)
  const merged = await runInSlices(dereferenced(await runInSlices(extended(whole, budget))))
  if ((await runInSlices(sizeOfFile(merged))) > limits.mergedSize || (await runInSlices(writtenSize(merged))) > limits.writtenSize)
    throw new ConfigRefused('The configuration is too big once anchors, extends and references are put in place')
  return merged
}

async function withIncluded(text: string, sources: Sources, subject: PlanSubject, budget: Budget): Promise<YamlMap> {
  const judge = new RuleEvaluator(subject)
  try {
    const includer = new Includer(sources, subject.variables, includeRules(subject, judge), budget)
    return await includer.withIncluded(await readYaml(text, CI_FILE))
  } finally {
    judge.close()
  }
}

function includeRules(subject: PlanSubject, judge: RuleEvaluator): IncludeRules {
  const lookup = lookupAmong(subject.variables)
  return async written => {
    if (written === undefined || written === null) return true
    const problems = new Problems()
    const rules = readRules(written, new Place('include:rules', problems))
    if (!rules || problems.errors[0] !== undefined) throw new ConfigRefused(problems.errors[0] ?? 'include:rules config should be an array')
    const rule = await judge.firstOf(rules, lookup)
    return rule !== undefined && rule.when !== 'never'
  }
}

/** Jobs whose last rule matches in pipelines of every kind, so that one push may start two pipelines. */
function doubtful({ workflow, jobs }: FileConfig): string[] {
  if (workflow) return []
  return jobs.flatMap(({ name, rules }) => {
    const last = rules?.at(-1)
    const isOpen = last !== undefined && !last.if && !last.changes && !last.exists && last.when !== undefined && last.when !== 'never'
    return isOpen
      ? [`jobs:${name} may allow multiple pipelines to run for a single action due to \`rules:when\` clause with no \`workflow:rules\``]
      : []
  })
}
