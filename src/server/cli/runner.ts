/** `ingot runner`: runs jobs of an instance on this machine until it is stopped. */
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { ConfigError } from '../../platform/config.ts'
import { loggedUrl } from '../../platform/outbound/shown_url.ts'
import { runnerEnvironment } from '../../platform/runner_environment.ts'
import type { namespaceChoices } from '../../platform/settings.ts'
import { version } from '../../platform/system/version.ts'
import {
  type Containers,
  Coordinator,
  findEngine,
  findNamespaces,
  inPath,
  installedReleaseTool,
  isLoopbackUrl,
  type Job,
  type JobUser,
  keptToken,
  localContainers,
  type Namespaces,
  parseJobUser,
  passableFolder,
  RunnerRefused,
  readableFor,
  runJob,
  runJobs,
  runnerToken,
  startExecutors,
  userOfProtected,
  whyNamespacesFail,
} from '../../runner/index.ts'
import { CommandFailure } from './failures.ts'

export interface RunnerOptions {
  readonly url: string
  readonly tokenFile?: string
  readonly concurrency: string
  readonly buildsDir: string
  readonly tags: string
  readonly description?: string
  /** `uid:gid`. */
  readonly runAs?: string
  /** Whether jobs run in namespaces: where they can be made, always, or never. */
  readonly namespaces: (typeof namespaceChoices)[number]
  /** Whether jobs that name an image run in containers: where that works, always, or never. */
  readonly containers: (typeof namespaceChoices)[number]
  /** Folders and files of which jobs in namespaces see nothing. */
  readonly hide?: readonly string[]
  /** The token is the first line of standard input, and the runner ends with standard input. */
  readonly attached?: true
}

/** Runs jobs until SIGINT or SIGTERM, or, with `attached`, until the end of standard input. */
export async function runRunner(options: RunnerOptions): Promise<void> {
  const concurrency = Number(options.concurrency)
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64)
    throw new ConfigError(`--concurrency must be a whole number from 1 to 64, not ${JSON.stringify(options.concurrency)}`)
  if (!URL.canParse(options.url) || !/^https?:/.test(options.url))
    throw new ConfigError(`--url must be the address of an instance, not ${JSON.stringify(loggedUrl(options.url))}`)
  const user = options.runAs === undefined ? undefined : parseJobUser(options.runAs)
  if (options.runAs !== undefined && (!user || process.getuid?.() !== 0))
    throw new ConfigError(
      `--run-as must be two numbers above 0, as in 1000:1000, and only root may give it, not ${JSON.stringify(options.runAs)}`,
    )
  const stop = new AbortController()
  const tell = () => stop.abort()
  process.on('SIGINT', tell).on('SIGTERM', tell)
  // The reader of the output may end first; the runner must still end its jobs.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const say = (line: string) => process.stdout.write(`${line}\n`)
  try {
    const { token: given, inherited, engine } = runnerEnvironment()
    const token = options.attached ? await tokenFromInput(tell) : options.tokenFile ? await tokenIn(options.tokenFile) : given
    const folder = resolve(options.buildsDir)
    const file = join(folder, 'runner.json')
    if (!token && !(await keptToken(file, options.url)))
      throw new ConfigError('a registration token is needed: INGOT_RUNNER_TOKEN, or a file that --token-file names')
    if (!user && process.getuid?.() === 0)
      say(
        'Warning: jobs run as root and can read and change all of this machine. Start the runner as an ordinary user, or with --run-as <uid>:<gid>',
      )
    const coordinator = new Coordinator(options.url)
    const makeFolder = () =>
      user ? passableFolder(folder, [user, userOfProtected(user)]) : mkdir(folder, { recursive: true, mode: 0o700 })
    const own = await runnerToken({
      coordinator,
      url: options.url,
      token: token ?? '',
      description: options.description ?? `runner of Ingot on ${hostname()}`,
      tags: options.tags.split(',').filter(tag => tag !== ''),
      file,
      makeFolder,
      say,
    })
    const shell = (await inPath('bash', inherited.PATH ?? '')) === undefined ? 'sh' : 'bash'
    await makeFolder()
    const { namespaces, containers, hide = [], tokenFile } = options
    const { run, failed, end } = await jobsOf({
      ...{ coordinator, url: options.url, folder: await realpath(folder), shell, inherited, engine, user, signal: stop.signal, say },
      ...{ when: namespaces, whenContainers: containers, hidden: [...hide, ...(tokenFile === undefined ? [] : [tokenFile])] },
    })
    // Who can run no job any more takes none: they would wait for ever.
    const over = new AbortController()
    const signal = AbortSignal.any([stop.signal, over.signal])
    try {
      say(`Runner is ready for jobs of ${loggedUrl(options.url)}, ${concurrency} concurrently`)
      await Promise.race([runJobs({ coordinator, token: own, concurrency, run, signal, say }), failed])
    } finally {
      over.abort()
      await end()
    }
  } catch (error) {
    if (stop.signal.aborted) return
    if (error instanceof ConfigError || error instanceof CommandFailure) throw error
    const why =
      error instanceof RunnerRefused ? error.message : `the runner cannot work for ${loggedUrl(options.url)}: ${(error as Error).message}`
    throw new CommandFailure(why, { cause: error })
  } finally {
    process.off('SIGINT', tell).off('SIGTERM', tell)
    // It is open as long as the server runs, and the process with it.
    if (options.attached) process.stdin.destroy()
  }
}

interface JobsOptions {
  readonly coordinator: Coordinator
  readonly url: string
  readonly folder: string
  readonly shell: 'bash' | 'sh'
  readonly inherited: Readonly<Record<string, string>>
  /** The environment of a container engine. */
  readonly engine: Readonly<Record<string, string>>
  readonly user: JobUser | undefined
  readonly signal: AbortSignal
  readonly say: (line: string) => void
  readonly when: RunnerOptions['namespaces']
  readonly whenContainers: RunnerOptions['containers']
  readonly hidden: readonly string[]
}

/** Runs the jobs in this process, or in executors that have given up root. */
async function jobsOf(jobs: JobsOptions) {
  const { coordinator, url, folder, shell, inherited, user, signal } = jobs
  const containers = await containersOf(jobs)
  if (!user) {
    const wanted = await namespacesOf(jobs, installedReleaseTool.node)
    const namespaces = wanted && afterTrial(jobs, await whyNamespacesFail(wanted, folder)) ? wanted : undefined
    const options = { coordinator, builds: folder, shell, inherited, releaseTool: installedReleaseTool, signal, namespaces, containers }
    const never = new Promise<never>(() => {})
    return { run: (job: Job, slot: number) => runJob(job, { ...options, slot }), failed: never, end: async () => {} }
  }
  const { node, program } = installedReleaseTool
  const releaseTool = {
    node: await readableFor(user, node, `node-${process.version}`),
    program: await readableFor(user, program, `release-cli-${version}.ts`),
  }
  // The home and temporary folder of root are of no use to another user.
  const { HOME: _home, USER: _user, LOGNAME: _logname, TMPDIR: _temporary, ...others } = inherited
  const namespaces = await namespacesOf(jobs, releaseTool.node)
  const executors = await startExecutors({ user, folder, url, shell, inherited: others, releaseTool, namespaces, containers })
  const end = () => executors.stop()
  try {
    if (namespaces) afterTrial(jobs, executors.whyNot)
  } catch (error) {
    await end()
    throw error
  }
  // Jobs end with the runner, which waits for them.
  signal.addEventListener('abort', () => void end(), { once: true })
  return { run: executors.run, failed: executors.failed, end }
}

/**
 * The namespaces that jobs are to run in. Jobs that are root keep the machine, which they were given to change, unless they are required.
 * @param node what a job executes of this installation
 */
async function namespacesOf({ folder, inherited, user, when, hidden, say }: JobsOptions, node: string): Promise<Namespaces | undefined> {
  const isRoot = !user && process.getuid?.() === 0
  if (when === 'off' || (when === 'auto' && isRoot)) return undefined
  const found = await findNamespaces({ path: inherited.PATH ?? '', hidden: [...hidden, folder], shown: [node] })
  if (!found) afterTrial({ when, say }, 'bubblewrap is not installed')
  return found
}

/**
 * What makes containers for jobs that name an image, and for their services; or why nothing does. Undefined where containers are not wanted.
 * @throws CommandFailure they are required and cannot be made
 */
async function containersOf(jobs: JobsOptions): Promise<Containers | { readonly whyNot: string } | undefined> {
  const { engine: environment, folder, url, say, whenContainers } = jobs
  if (whenContainers === 'off') return undefined
  const found = await findEngine({ environment, folder, mayShareNetwork: isLoopbackUrl(url) })
  if ('engine' in found) {
    say(`Jobs that name an image run in containers of ${found.engine.kind}`)
    return localContainers(found.engine, environment)
  }
  if (whenContainers === 'require') throw new CommandFailure(`jobs cannot run in containers: ${found.whyNot}`)
  say(`Jobs that name an image run without containers: ${found.whyNot}`)
  return found
}

/** Says whether jobs run in namespaces. @throws CommandFailure they are required and cannot be made */
function afterTrial({ when, say }: Pick<JobsOptions, 'when' | 'say'>, whyNot: string | undefined): boolean {
  if (whyNot !== undefined && when === 'require') throw new CommandFailure(`jobs cannot run in namespaces: ${whyNot}`)
  say(
    whyNot === undefined
      ? 'Jobs run in namespaces of their own: they see no files and processes of other jobs'
      : `Jobs run without namespaces, and can see files and processes of other jobs: ${whyNot}`,
  )
  return whyNot === undefined
}

const tokenIn = async (file: string): Promise<string> =>
  (
    await readFile(file, 'utf8').catch(error => {
      throw new ConfigError(`cannot read ${file}: ${(error as Error).message}`)
    })
  ).trim()

/** The first line of the input; `onEnd` is called when the input ends, because its writer has ended. */
async function tokenFromInput(onEnd: () => void): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  lines.once('close', onEnd)
  const { promise, resolve: found } = Promise.withResolvers<string>()
  lines.once('line', found).once('close', () => found(''))
  return promise
}
