/** The variables of a stored job: what its runner is given, and what names and addresses in its configuration refer to. */
import type { Context } from '../../platform/kernel/context.ts'
import { Secret } from '../../platform/secret.ts'
import { clusterFor, type DeploymentCluster, deploymentClusters, deploymentVariables } from '../clusters/deployment.ts'
import type { PlanVariable } from '../config/index.ts'
import { type JobEnvironment, jobHooks } from '../jobs/hooks.ts'
import type { JobRow } from '../jobs/queries.ts'
import { type GivenVariable, givenVariablesOfJobs } from '../run_variables/given.ts'
import { runnersById } from '../runners/queries.ts'
import { type JobVariable, variablesForJob } from '../variables/effective.ts'
import { expanderWith } from './expand_secret.ts'
import { factsAbout } from './facts.ts'
import { inheritedVariables, mayHaveDependencies } from './inherited.ts'
import { type Place, placeOf } from './place.ts'
import { expanded, type Layers, layered, type RunnerVariable } from './precedence.ts'
import { type Facts, predefinedFrom, type RunnerFacts } from './predefined.ts'

/**
 * The variables of a job, expanded, each key once: the input of `expand` for names and addresses of the job. A fixed number of statements.
 * @param token the job's token, for the runner that is assigned the job; without it there is no `CI_JOB_TOKEN`
 */
export async function runnerVariablesOf(ctx: Context, job: JobRow, token?: string): Promise<RunnerVariable[]> {
  const { db } = ctx
  const runner = job.runner_id === null ? undefined : (await runnersById(db, [job.runner_id])).get(job.runner_id)
  const known = { job, place: await placeOf(db, job), given: mayHaveDependencies(job) ? undefined : [] }
  const [sources] = await variableSources(ctx, [known])
  return runnerVariablesFrom(sources as VariableSources, job, { token, runner })
}

/** A job whose variables are needed. */
export interface KnownOfJob {
  readonly job: JobRow
  readonly place: Place
  /** The jobs whose artifacts it downloads, if the caller has looked them up: it gets their dotenv variables too. */
  readonly given: readonly number[] | undefined
}

/** The runner. */
export interface RunOfJob {
  readonly token: string | undefined
  readonly runner: RunnerFacts | undefined
  /** Tokens for other services. */
  readonly signed?: readonly RunnerVariable[] | undefined
}

/** The sources of a job's variables, loaded before it is known when and by which runner it is run. */
export interface VariableSources {
  readonly facts: Facts
  readonly environment: JobEnvironment | undefined
  readonly set: readonly JobVariable[]
  readonly given: readonly GivenVariable[]
  readonly inherited: readonly GivenVariable[]
  /** The cluster that it deploys to. */
  readonly cluster: DeploymentCluster | undefined
}

/** Loads the sources of the variables of these jobs, in the same order. What jobs of a pipeline share is loaded once. */
export async function variableSources(ctx: Context, known: readonly KnownOfJob[]): Promise<VariableSources[]> {
  const ofPipelines = Map.groupBy(known, ({ place }) => place.pipeline.id)
  const found = await Promise.all([...ofPipelines.values()].map(alike => sourcesWithin(ctx, alike)))
  const sources = new Map(found.flat())
  return known.map(each => sources.get(each) as VariableSources)
}

/** The same for jobs of one pipeline. */
async function sourcesWithin(ctx: Context, known: readonly KnownOfJob[]): Promise<[KnownOfJob, VariableSources][]> {
  const { db, deps } = ctx
  const { pipeline, project } = (known[0] as KnownOfJob).place
  const facts = askedPer((user_id: number | null) =>
    factsAbout(ctx, project, { ...pipeline, triggered: pipeline.trigger_id !== null, user_id }),
  )
  const set = askedPer((environment: string | null) =>
    variablesForJob(ctx, {
      projectId: project.id,
      groupIds: project.namespace_traversal_ids,
      environment: environment ?? undefined,
      isProtected: pipeline.protected,
    }),
  )
  const clusters = askedPer((_: 'once') => deploymentClusters(db, deps, project))
  const given = givenVariablesOfJobs(
    db,
    deps,
    pipeline.id,
    known.map(({ job }) => job.id),
  )
  const sourcesOf = async ({ job, given: before }: KnownOfJob): Promise<VariableSources> => {
    const [environment, aboutIt, setForIt, givenToAll, inherited, cluster] = await Promise.all([
      job.environment === null ? undefined : jobHooks.value.environmentOf(ctx, { ...job, environment: job.environment }),
      facts(job.user_id),
      set(job.environment),
      given,
      before === undefined || before.length > 0 ? inheritedVariables(db, deps, job, before) : [],
      job.environment === null ? undefined : clusterFor(await clusters('once'), project, job.environment),
    ])
    return { facts: aboutIt, environment, set: setForIt, given: givenToAll(job.id), inherited, cluster }
  }
  return Promise.all(known.map(async each => [each, await sourcesOf(each)] as [KnownOfJob, VariableSources]))
}

/** Memoizes a load by key: all callers get the same promise. */
function askedPer<Value, Answer>(ask: (value: Value) => Promise<Answer>): (value: Value) => Promise<Answer> {
  const answers = new Map<Value, Promise<Answer>>()
  return value => {
    const answer = answers.get(value) ?? ask(value)
    answers.set(value, answer)
    return answer
  }
}

/** Computes the variables from their sources. Pure. */
export function runnerVariablesFrom(
  { facts, environment, set, given, inherited, cluster }: VariableSources,
  job: JobRow,
  { token, runner, signed = [] }: RunOfJob,
): RunnerVariable[] {
  const layers: Layers = {
    predefined: [
      ...predefinedFrom({ ...facts, job: { ...job, environment, token }, runner }).map(each => ({
        ...each,
        value: new Secret(each.value),
        file: false,
      })),
      ...signed,
    ],
    file: job.variables.map(fileVariable),
    inherited: inherited.map(givenVariable),
    set: set.map(setVariable),
    given: given.map(givenVariable),
  }
  const variables = cluster && environment ? deploying(layers, { cluster, environment, project: facts.project, job }) : layered(layers)
  const address = job.options.environment?.url
  return expanded(address === undefined ? variables : [...variables, fileVariable({ key: 'CI_ENVIRONMENT_URL', value: address })])
}

interface Deploying {
  readonly cluster: DeploymentCluster
  readonly environment: JobEnvironment
  readonly project: Facts['project']
  readonly job: JobRow
}

/** The variables of a job that deploys to a cluster. The namespace that it names may refer to the others. */
function deploying(layers: Layers, { cluster, environment, project, job }: Deploying): RunnerVariable[] {
  const named = job.options.environment?.kubernetes?.namespace
  const namespace = named && expanderWith(layered(layers)).published(named)
  const added = deploymentVariables(cluster, { project, slug: environment.slug, namespace })
  return layered({ ...layers, predefined: [...layers.predefined, ...added] })
}

const fileVariable = ({ key, value, raw = false }: PlanVariable): RunnerVariable => ({
  key,
  value: new Secret(value),
  public: true,
  file: false,
  masked: false,
  raw,
})

const givenVariable = ({ key, value, variable_type, raw = false }: GivenVariable): RunnerVariable => ({
  key,
  value,
  public: false,
  file: variable_type === 'file',
  masked: false,
  raw,
})

const setVariable = ({ key, value, variable_type, masked, raw }: JobVariable): RunnerVariable => ({
  key,
  value,
  public: false,
  file: variable_type === 'file',
  masked,
  raw,
})
