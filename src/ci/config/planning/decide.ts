/** Which jobs of a file a pipeline gets, and with which attributes. */
import { breather } from '../../../platform/kernel/answer/time_slicing.ts'
import type { FileConfig, JobConfig, Rule } from '../keys/config.ts'
import type { Decision, DecisionReport, Plan, PlannedJob, PlanResult, PlanSubject, PlanVariable } from '../plan.ts'
import { RuleEvaluator } from '../rules/evaluator.ts'
import type { Lookup } from '../rules/expression.ts'
import { lookupAmong } from '../rules/lookup.ts'

/** The plan of a pipeline: `jobs` are those of the file after `parallel` is expanded. `report` is notified of what was decided, and why. */
export async function decide(
  file: FileConfig,
  jobs: readonly JobConfig[],
  subject: PlanSubject,
  warnings: readonly string[],
  report?: DecisionReport,
): Promise<PlanResult> {
  const judge = new RuleEvaluator(subject)
  try {
    return await decideBy(judge, file, jobs, subject, warnings, report)
  } finally {
    judge.close()
  }
}

async function decideBy(
  judge: RuleEvaluator,
  file: FileConfig,
  jobs: readonly JobConfig[],
  subject: PlanSubject,
  warnings: readonly string[],
  report: DecisionReport | undefined,
): Promise<PlanResult> {
  const given = lookupAmong(subject.variables)
  // Variables of users and projects override those of the file.
  const lookupWith = (variables: readonly PlanVariable[]): Lookup => {
    const own = new Map(variables.map(({ key, value }) => [key, value]))
    return name => given(name) ?? own.get(name)
  }

  const rule: Partial<Rule> | undefined = file.workflow ? await judge.firstOf(file.workflow, lookupWith(file.variables)) : {}
  if (file.workflow) report?.workflow(decisionBy(file.workflow, rule, rule?.when !== 'never'))
  if (!rule || rule.when === 'never') return { kind: 'nothing', reason: 'workflow', warnings }
  const added = rule.variables ?? []
  const shared = merged(file.variables, added)

  const positions = new Map(file.stages.map((stage, index) => [stage, index]))
  const planned: PlannedJob[] = []
  const pause = breather()
  for (const job of jobs) {
    await pause()
    const found = await plannedJob(job)
    if (found) planned.push(found)
  }
  const errors = missingNeeds(planned)
  if (errors.length > 0) return { kind: 'invalid', errors, warnings }
  // `.pre` and `.post` alone make no pipeline.
  if (planned.every(({ stage }) => stage === '.pre' || stage === '.post')) return { kind: 'nothing', reason: 'no_jobs', warnings }
  return { kind: 'plan', plan: arranged(planned, file, added, warnings) }

  async function plannedJob(job: JobConfig): Promise<PlannedJob | undefined> {
    const inherited = job.inherited_variables
    const fromFile = inherited === true ? shared : inherited === false ? [] : shared.filter(({ key }) => inherited.includes(key))
    const variables = merged(fromFile, job.variables)
    const lookup = lookupWith(variables)
    const applying: Partial<Rule> | undefined = job.rules ? await judge.firstOf(job.rules, lookup) : {}
    const when = applying?.when ?? job.when ?? 'on_success'
    const excludedBy = job.rules ? undefined : await judge.excludedBy(job, lookup)
    const isIn = applying !== undefined && excludedBy === undefined && when !== 'never'
    report?.job(job, job.rules ? decisionBy(job.rules, applying, isIn) : { isIn, by: excludedBy ?? 'default' })
    if (!applying || !isIn) return undefined
    const start_in = applying.start_in ?? job.start_in
    return {
      name: job.name,
      kind: job.kind,
      stage: job.stage,
      stage_position: positions.get(job.stage) ?? 0,
      when,
      // Contract: who starts a manual job by hand need not do so, except where a rule makes it manual (public behaviour).
      allow_failure: applying.allow_failure ?? job.allow_failure ?? job.when === 'manual',
      needs: job.needs,
      tags: job.tags,
      interruptible: job.interruptible,
      resource_group: job.resource_group,
      timeout: job.timeout,
      variables: applying.variables ? merged(variables, applying.variables) : variables,
      options: {
        ...job.options,
        ...(job.dependencies ? { dependencies: job.dependencies } : {}),
        ...(job.other_needs.length > 0 ? { other_needs: job.other_needs } : {}),
        ...(job.environment ? { environment: job.environment } : {}),
        ...(when === 'delayed' && start_in !== undefined ? { start_in } : {}),
      },
    }
  }
}

/** What a list of rules has decided: by the rule that applies, or because none does. */
const decisionBy = (rules: readonly Rule[], applying: Partial<Rule> | undefined, isIn: boolean): Decision => {
  const at = rules.indexOf(applying as Rule)
  const rule = rules[at]
  return rule ? { isIn, by: 'rule', number: at + 1, written: rule.written } : { isIn: false, by: 'no_rule' }
}

/** Variables, deduplicated by key: later ones override earlier ones. */
function merged(below: readonly PlanVariable[], above: readonly PlanVariable[]): readonly PlanVariable[] {
  if (above.length === 0) return below
  const all = new Map(below.map(variable => [variable.key, variable]))
  for (const variable of above) all.set(variable.key, variable)
  return [...all.values()]
}

function missingNeeds(planned: readonly PlannedJob[]): string[] {
  const names = new Set(planned.map(({ name }) => name))
  return planned.flatMap(({ name, needs = [] }) =>
    needs
      .filter(need => !need.optional && !names.has(need.name))
      .map(need => `'${name}' job needs '${need.name}' job, but '${need.name}' was not added to the pipeline`),
  )
}

/** Sorted by stage, with stage indexes after empty stages are removed, and without optional needs that have no job. */
function arranged(
  planned: readonly PlannedJob[],
  { stages }: FileConfig,
  variables: readonly PlanVariable[],
  warnings: readonly string[],
): Plan {
  const names = new Set(planned.map(({ name }) => name))
  const used = new Set(planned.map(({ stage }) => stage))
  const left = stages.filter(stage => used.has(stage))
  const positions = new Map(left.map((stage, index) => [stage, index]))
  const jobs = planned
    .map(job => ({
      ...job,
      stage_position: positions.get(job.stage) ?? 0,
      needs: job.needs?.filter(need => names.has(need.name)),
    }))
    .sort((one, other) => one.stage_position - other.stage_position)
  return { stages: left, jobs, variables, warnings }
}
