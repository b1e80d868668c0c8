/** Runs one job from beginning to end: sources, caches, dependencies, scripts, uploads. */
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expand, lookUp } from '../platform/expansion/expand.ts'
import type { Containers } from './containers/engine.ts'
import { JobContainers } from './containers/job_containers.ts'
import type { Coordinator } from './coordinator.ts'
import {
  checkoutDirectory,
  environmentOf,
  environmentOfGit,
  OutsideBuilds,
  type Place,
  secretsOf,
  variablesOf,
} from './executors/environment.ts'
import type { Namespaces } from './executors/namespaces.ts'
import { type Outcome, runProgram, scriptOf } from './executors/shell.ts'
import { downloadDependencies, uploadArtifacts } from './files/artifacts.ts'
import { type CacheOptions, restoreCaches, saveCaches } from './files/cache.ts'
import { assertInside, writeInside } from './files/inside.ts'
import type { Container, Job, Step, Variable } from './payload.ts'
import { installReleaseTool, type ReleaseTool } from './release/release_tool.ts'
import { getSources, lookup } from './sources.ts'
import { Trace } from './trace/trace.ts'

export interface JobOptions {
  readonly coordinator: Coordinator
  readonly builds: string
  readonly slot: number
  readonly shell: 'bash' | 'sh'
  readonly releaseTool: ReleaseTool
  /** The environment of programs besides the job's variables. */
  readonly inherited: Readonly<Record<string, string>>
  /** The namespaces in which its programs run; without them they run on the machine itself, with what the user of the jobs may see there. */
  readonly namespaces?: Namespaces | undefined
  /** What runs the scripts of jobs that name an image; or why there is none: they then run like those without. */
  readonly containers?: Containers | { readonly whyNot: string } | undefined
  /** Ends the job, since the runner itself ends. */
  readonly signal: AbortSignal
}

/** How a job ended. */
export interface Result {
  readonly state: 'success' | 'failed'
  readonly failure_reason?: string
  readonly exit_code?: number
}

/** Timeout in seconds of `after_script`, and of a job that has none. */
const AFTER_SCRIPT = 300
const TIMEOUT = 7200

/** The script of a step in a container, which runs this one whenever it is started. */
const STEP = 'step.sh'

/** Seconds for the final report of a job whose runner stops. */
const LAST_WORDS = 3

/** Why a job is aborted from outside. */
class Ending extends Error {
  readonly reason: 'canceled' | 'timeout' | 'stopped'

  constructor(reason: Ending['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** A step of the runner that failed, through no fault of the scripts. */
class SystemFailure extends Error {}

/** Runs a job and reports it; never throws. Removes its directory afterwards. */
export async function runJob(job: Job, options: JobOptions): Promise<void> {
  const directory = join(options.builds, `job-${job.id}`)
  const path = lookup(job.variables ?? [])('CI_PROJECT_PATH') ?? `project-${job.job_info?.project_id ?? 0}`
  const place: Place = {
    directory,
    builds: join(directory, 'builds'),
    project: join(directory, 'builds', path),
    temporary: join(directory, 'tmp'),
    slot: options.slot,
  }
  const ending = new AbortController()
  const trace = new Trace({
    coordinator: options.coordinator,
    job,
    secrets: secretsOf(job),
    onAbort: status => ending.abort(new Ending('canceled', `the job is ${status}`)),
  })
  const seconds = job.runner_info?.timeout || TIMEOUT
  const timer = setTimeout(() => ending.abort(new Ending('timeout', `it ran for more than ${seconds} seconds`)), seconds * 1000)
  const stop = () => ending.abort(new Ending('stopped', 'the runner stops'))
  options.signal.addEventListener('abort', stop, { once: true })
  if (options.signal.aborted) stop()
  let result: Result
  try {
    result = await new Run(job, options, place, trace, ending.signal).run()
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', stop)
    await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
  }
  // A runner that stops has no time to wait for a server that may have stopped before it.
  await trace.finish(result, options.signal.aborted ? LAST_WORDS : undefined)
}

/** What the CI file asks for and this runner does not do, with what it does in place of it. */
function withoutContainers({ image, services }: Job, containers: JobOptions['containers']): string[] {
  const why = containers && 'whyNot' in containers ? ` (${containers.whyNot})` : ''
  const names = (services ?? []).map(({ name }) => name).join(', ')
  const isPossible = containers && 'run' in containers
  return [
    ...(image && !isPossible
      ? [`this runner has no containers${why}: the job runs on the machine itself, with its programs, and not in ${image.name}`]
      : []),
    ...(names !== '' && !isPossible ? [`services are not started here: ${names}`] : []),
    ...(names !== '' && isPossible && !image ? [`services are started for jobs with an image alone: ${names}`] : []),
  ]
}

class Run {
  readonly #job: Job
  readonly #options: JobOptions
  #place: Place
  readonly #trace: Trace
  readonly #signal: AbortSignal
  #environment: Record<string, string> = {}
  #inside: JobContainers | undefined
  #long: Readonly<Record<string, string>> = {}

  constructor(job: Job, options: JobOptions, place: Place, trace: Trace, signal: AbortSignal) {
    this.#job = job
    this.#options = options
    this.#place = place
    this.#trace = trace
    this.#signal = signal
  }

  async run(): Promise<Result> {
    try {
      return await this.#runToEnd()
    } finally {
      await this.#inside?.remove()
    }
  }

  async #runToEnd(): Promise<Result> {
    try {
      await this.#prepare()
    } catch (error) {
      return this.#failedBy(error)
    }
    let result = await this.#runSteps()
    if (!(this.#signal.reason instanceof Ending && this.#signal.reason.reason === 'stopped')) await this.#afterScript(result)
    if (this.#signal.aborted) return result
    try {
      const { directory, project, temporary } = this.#place
      const isWanted = (this.#job.cache ?? []).length > 0 || (this.#job.artifacts ?? []).length > 0
      if (this.#inside && isWanted) await this.#inside.bringBack(project)
      await assertInside(directory, [project, temporary])
      const succeeded = result.state === 'success'
      await this.#section('archive_cache', () => saveCaches(this.#job.cache ?? [], succeeded, this.#cacheOptions()))
      await this.#section(`upload_artifacts_on_${succeeded ? 'success' : 'failure'}`, () =>
        uploadArtifacts(succeeded, this.#artifactOptions()),
      )
    } catch (error) {
      // A failed job keeps its first reason.
      if (result.state === 'success') result = this.#failedBy(error)
      else this.#trace.line(`WARNING: ${(error as Error).message}`)
    }
    if (result.state === 'success') this.#trace.line('\x1b[32;1mJob succeeded\x1b[0;m')
    return result
  }

  async #prepare(): Promise<void> {
    const { inherited, namespaces, releaseTool } = this.#options
    const { image } = this.#job
    const containers = image && this.#options.containers && 'run' in this.#options.containers ? this.#options.containers : undefined
    const apart = namespaces && !containers ? ', in namespaces of its own' : ''
    const how = containers ? 'container executor' : 'shell executor'
    this.#trace.line(`\x1b[0KRunning with the runner of Ingot, ${how}, in a clean directory${apart}\x1b[0;m`)
    for (const line of withoutContainers(this.#job, this.#options.containers)) this.#trace.line(`\x1b[33;1mWARNING: ${line}\x1b[0;m`)
    this.#place = checkoutDirectory(this.#job, this.#place)
    const { project, temporary } = this.#place
    const variables = variablesOf(this.#job, this.#place)
    await mkdir(project, { recursive: true, mode: 0o700 })
    // Apart from the machine the home of its user can be read only: the job gets one of its own.
    const { HOME: _home, ...others } = inherited
    this.#environment = await environmentOf(variables, this.#place, namespaces ? others : inherited)
    const tools = await installReleaseTool(temporary, releaseTool)
    this.#environment.PATH = `${this.#environment.PATH ?? '/usr/local/bin:/usr/bin:/bin'}:${tools}`
    if (image && containers) {
      this.#inside = new JobContainers(image, {
        ...{ containers, job: this.#job, directory: this.#place.directory, expanded: this.#expanded },
        ...{ say: line => this.#trace.line(line), onOutput: bytes => this.#trace.write(bytes), signal: this.#signal },
      })
      await this.#section('prepare_executor', () => this.#inside!.fetch())
    }
    await this.#section('get_sources', async () => {
      const attempts = Number(this.#environment.GET_SOURCES_ATTEMPTS) || 1
      for (let attempt = 1; ; attempt++) {
        const failed = await getSources({
          job: this.#job,
          variable: key => this.#environment[key],
          git: args => this.#git(args),
          say: line => this.#trace.line(line),
        })
        if (!failed) return
        if (failed.kind === 'stopped') throw failed.reason
        if (attempt >= attempts) throw new SystemFailure('the sources could not be fetched')
        await assertInside(this.#place.directory, [dirname(project)])
        await rm(project, { recursive: true, force: true })
        await mkdir(project, { recursive: true, mode: 0o700 })
      }
    })
    // Variables of the job may have had git run programs of it, which put links in place of the folders that are written to now.
    await assertInside(this.#place.directory, [project, temporary])
    const caches = this.#job.cache ?? []
    if (caches.length > 0) await this.#section('restore_cache', () => restoreCaches(caches, this.#cacheOptions()))
    if ((this.#job.dependencies ?? []).some(({ artifacts_file }) => artifacts_file?.filename))
      await this.#section('download_artifacts', () => downloadDependencies(this.#artifactOptions()))
    if (image && this.#inside) await this.#begin(image, this.#inside, variables)
  }

  /** Makes the containers. Variables of several lines are set by the scripts: an engine takes only those of one line. */
  async #begin(image: Container, inside: JobContainers, variables: readonly Variable[]): Promise<void> {
    const keys = new Set(variables.map(({ key }) => key).filter(key => key !== 'CI_SHARED_ENVIRONMENT'))
    // Its files belong to another user in the container.
    const trust: Record<string, string> = keys.has('GIT_CONFIG_COUNT')
      ? {}
      : { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' }
    const own = Object.entries(this.#environment).filter(([key]) => keys.has(key))
    const isShort = ([, value]: [string, string]) => !/[\n\r]/.test(value)
    this.#long = Object.fromEntries(own.filter(entry => !isShort(entry)))
    const environment = { ...Object.fromEntries(own.filter(isShort)), CI_DISPOSABLE_ENVIRONMENT: 'true', ...trust }
    const { project, temporary } = this.#place
    await this.#section('start_containers', () => inside.begin(image, environment, join(temporary, STEP), project))
  }

  async #runSteps(): Promise<Result> {
    let result: Result = { state: 'success' }
    for (const step of this.#job.steps ?? []) {
      if (step.name === 'after_script') continue
      const wanted = step.when === 'always' || (step.when === 'on_failure') === (result.state === 'failed')
      if (!wanted || this.#signal.aborted) continue
      const outcome = await this.#section(step.name === 'script' ? 'step_script' : `step_${step.name}`, () =>
        this.#script(step, this.#signal),
      )
      const failed = this.#judge(outcome)
      if (failed && !step.allow_failure && result.state === 'success') result = failed
    }
    return result
  }

  /** Always runs, for five minutes at most, and never changes how the job ends. */
  async #afterScript({ state }: Result): Promise<void> {
    const step = this.#job.steps?.find(({ name }) => name === 'after_script')
    if (!step?.script?.length) return
    const isCanceled = this.#signal.aborted
    // Contract: a canceled job ends immediately at this level; its `after_script` does not run (runner protocol c.4).
    if (isCanceled && (this.#signal.reason as Ending).reason === 'canceled') return
    this.#environment.CI_JOB_STATUS = state
    const outcome = await this.#section('after_script', () => this.#script(step, AbortSignal.timeout(AFTER_SCRIPT * 1000)))
    if (outcome.kind !== 'exited' || outcome.code !== 0) this.#trace.line('WARNING: after_script failed, but the job goes on')
  }

  async #script({ name, script, timeout }: Step, signal: AbortSignal): Promise<Outcome> {
    if (!script?.length) return { kind: 'exited', code: 0 }
    const { shell } = this.#options
    const { directory, temporary } = this.#place
    const file = join(temporary, this.#inside ? STEP : `${name.replace(/\W/g, '_')}.sh`)
    this.#environment.CI_JOB_STATUS ??= 'running'
    const set = { ...this.#long, CI_JOB_STATUS: this.#environment.CI_JOB_STATUS }
    try {
      await writeInside(directory, file, this.#inside ? scriptOf(script, 'any', set) : scriptOf(script, shell))
      await this.#inside?.put([file], signal)
    } catch (error) {
      return { kind: 'unstartable', error: error as Error }
    }
    const own = timeout && timeout > 0 ? AbortSignal.timeout(Math.min(timeout, 2_000_000) * 1000) : undefined
    const until = own ? AbortSignal.any([signal, own]) : signal
    const outcome = await (this.#inside ? this.#inside.step(until) : this.#run(shell, [file], until))
    const isOwn = outcome.kind === 'stopped' && !signal.aborted
    return isOwn ? { kind: 'stopped', reason: new Ending('timeout', `it ran for more than ${timeout} seconds`) } : outcome
  }

  #git(args: readonly string[]): Promise<Outcome> {
    const environment = this.#inside ? environmentOfGit(this.#environment, this.#options.inherited, this.#place.temporary) : undefined
    return this.#run('git', ['-c', 'credential.helper=', '-c', 'init.defaultBranch=none', ...args], this.#signal, undefined, environment)
  }

  #run(
    program: string,
    args: readonly string[],
    signal: AbortSignal,
    onOutput?: (bytes: Buffer) => void,
    environment: Readonly<Record<string, string>> = this.#environment,
  ): Promise<Outcome> {
    return runProgram(program, args, {
      cwd: this.#place.project,
      environment: { ...environment, GIT_TERMINAL_PROMPT: '0' },
      onOutput: onOutput ?? (bytes => this.#trace.write(bytes)),
      signal,
      apart: this.#options.namespaces && { namespaces: this.#options.namespaces, directory: this.#place.directory },
    })
  }

  /** The failure that a program's end means for the job; undefined for success. */
  #judge(outcome: Outcome): Result | undefined {
    if (outcome.kind === 'exited') {
      if (outcome.code === 0) return undefined
      this.#trace.line(`\x1b[31;1mERROR: Job failed: exit status ${outcome.code}\x1b[0;m`)
      return { state: 'failed', failure_reason: 'script_failure', exit_code: outcome.code }
    }
    return this.#failedBy(outcome.kind === 'stopped' ? outcome.reason : outcome.error)
  }

  #failedBy(error: unknown): Result {
    const reason = this.#signal.aborted ? this.#signal.reason : error
    this.#trace.line(`\x1b[31;1mERROR: Job failed: ${(reason as Error).message}\x1b[0;m`)
    if (reason instanceof OutsideBuilds) return { state: 'failed', failure_reason: 'script_failure' }
    const why = reason instanceof Ending ? reason.reason : 'stopped'
    const failure_reason = { canceled: 'unknown_failure', timeout: 'job_execution_timeout', stopped: 'runner_system_failure' }[why]
    return { state: 'failed', failure_reason }
  }

  async #section<T>(name: string, run: () => Promise<T>): Promise<T> {
    const marks = this.#job.features?.trace_sections === true
    const mark = (which: 'start' | 'end') => {
      if (marks) this.#trace.write(`section_${which}:${Math.floor(Date.now() / 1000)}:${name}\r\x1b[0K`)
    }
    mark('start')
    this.#trace.line(`\x1b[36;1m${name.replaceAll('_', ' ')}\x1b[0;m`)
    try {
      return await run()
    } finally {
      mark('end')
    }
  }

  readonly #expanded = (text: string): string => {
    const known = lookUp(Object.entries(this.#environment).map(([key, value]) => ({ key, value, raw: true })))
    return expand(text, known)
  }

  readonly #untracked = async (): Promise<readonly string[]> => {
    const parts: Buffer[] = []
    // Scripts have ended, and nothing of theirs may run any more: the configuration of the working copy is theirs, and so are the variables.
    const args = ['-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false', 'ls-files', '--others', '-z']
    const { PATH = '/usr/local/bin:/usr/bin:/bin' } = this.#options.inherited
    const environment = { PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
    await this.#run('git', args, this.#signal, bytes => parts.push(bytes), environment)
    return Buffer.concat(parts)
      .toString()
      .split('\0')
      .filter(path => path !== '')
  }

  #cacheOptions(): CacheOptions {
    return {
      directory: join(dirname(this.#place.directory), 'cache', `project-${this.#job.job_info?.project_id ?? 0}`),
      project: this.#place.project,
      expanded: this.#expanded,
      fallbackKey: this.#environment.CACHE_FALLBACK_KEY,
      say: line => this.#trace.line(line),
      untracked: this.#untracked,
      signal: this.#signal,
    }
  }

  #artifactOptions() {
    return {
      coordinator: this.#options.coordinator,
      job: this.#job,
      project: this.#place.project,
      temporary: this.#place.temporary,
      expanded: this.#expanded,
      untracked: this.#untracked,
      say: (line: string) => this.#trace.line(line),
      signal: this.#signal,
    }
  }
}
