/** The server that is tortured: the program itself on data that outlive it, to be killed, or to have its database killed, and started again. */
import { execFile } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beginIngot, type Ended, newDirectory, type RunningIngot, startIngot } from '../src/server/cli/scene.ts'

const execute = promisify(execFile)

export type Kill = 'server' | 'database' | 'both'

export interface VictimOptions {
  /** Where it keeps everything; a new folder below /tmp unless given. */
  readonly cwd?: string
  readonly settings?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Where requests go in place of the server itself: to what stands before it. */
  readonly shownAt?: string
}

/** Longer than any answer may take, in milliseconds: what takes as long hangs. */
const HANGS = 60_000

/** Longer than any command may take on a machine that does much else, in milliseconds. */
const COMMAND_HANGS = 15 * 60_000

/** How a command ends. One that hangs is killed, and says so. */
export async function endOf(command: ReturnType<typeof beginIngot>): Promise<Ended> {
  let hung = false
  const timer = setTimeout(() => {
    hung = true
    command.kill()
  }, COMMAND_HANGS)
  try {
    const ended = await command.ended
    return hung ? { ...ended, stderr: `it did not end in ${COMMAND_HANGS / 60_000} minutes: ${ended.stderr}` } : ended
  } finally {
    clearTimeout(timer)
  }
}

/** A request as it is sent. */
export interface Sending {
  readonly token?: string
  readonly body?: object | string | Buffer | FormData
  readonly headers?: Readonly<Record<string, string>>
}

/** Those whose data are there. */
const victims = new Set<Victim>()

/** Ends all servers, and removes their data. */
export async function endAll(): Promise<void> {
  for (const victim of victims) await victim.remove()
}

export class Victim {
  readonly cwd: string
  readonly dataDir: string
  /** Hears of every answer: its status, or 0 where there was none, and why. */
  onAnswer: (request: string, status: number, why?: string) => void = () => {}
  readonly #settings: readonly string[]
  readonly #env: Readonly<Record<string, string>>
  readonly #shownAt: string | undefined
  #running: RunningIngot | undefined
  #token = ''

  private constructor(cwd: string, { settings = [], env = {}, shownAt }: VictimOptions) {
    this.cwd = cwd
    this.dataDir = join(cwd, 'data')
    this.#settings = settings
    this.#env = env
    this.#shownAt = shownAt
    this.#token = env.INGOT_ROOT_TOKEN ?? ''
  }

  /** A server that runs. */
  static async start(options: VictimOptions = {}): Promise<Victim> {
    const victim = new Victim(options.cwd ?? (await newDirectory()), options)
    victims.add(victim)
    await victim.start()
    return victim
  }

  get url(): string {
    return this.#shownAt ?? this.running.url
  }

  get token(): string {
    return this.#token
  }

  get running(): RunningIngot {
    if (!this.#running) throw new Error('the server does not run')
    return this.#running
  }

  async start(): Promise<void> {
    const settings = ['--data-dir', this.dataDir, '--rate-limit', 'off', '--log-level', 'error', '--runner-wait', '0', ...this.#settings]
    this.#running = await startIngot(settings, { cwd: this.cwd, env: this.#env })
    this.#token = this.#running.token ?? this.#token
  }

  /** The process of the embedded database. */
  async databasePid(): Promise<number> {
    const [pid] = (await readFile(join(this.dataDir, 'postgresql', '18', 'postmaster.pid'), 'utf8')).split('\n')
    return Number(pid)
  }

  /** Kills with SIGKILL; a server whose database alone is killed goes on. */
  async kill(what: Kill): Promise<void> {
    if (what !== 'server') process.kill(await this.databasePid(), 'SIGKILL')
    if (what !== 'database') await this.running.end('SIGKILL')
  }

  /** Stops it politely. @returns its exit code, and what it wrote on standard error */
  async stop(): Promise<{ code: number | NodeJS.Signals | null; stderr: string }> {
    const { running } = this
    this.#running = undefined
    await running.end('SIGTERM')
    return running.ended
  }

  /** Ends it, if it still runs. */
  async end(): Promise<void> {
    await this.#running?.end('SIGKILL')
    this.#running = undefined
  }

  /** Ends it and removes its data. */
  async remove(): Promise<void> {
    await this.end()
    victims.delete(this)
    await rm(this.cwd, { recursive: true, force: true, maxRetries: 5 })
  }

  /** A request to any path; rejects if the server ends before it has answered. The administrator sends it unless there is a token. */
  async send(method: string, path: string, { token = this.#token, body, headers = {} }: Sending = {}): Promise<Response> {
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body) && !(body instanceof FormData)
    const request = `${method} ${path}`
    const answer = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(HANGS),
      headers: { ...(token && { 'private-token': token }), ...(isJson && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: (isJson ? JSON.stringify(body) : body) as BodyInit }),
    }).catch(error => {
      this.onAnswer(request, 0, String(error.cause ?? error))
      throw error
    })
    this.onAnswer(request, answer.status)
    return answer
  }

  /** A request to the API. */
  call(method: string, path: string, body?: Sending['body'], more: Omit<Sending, 'body'> = {}): Promise<Response> {
    return this.send(method, `/api/v4${path}`, { ...more, ...(body !== undefined && { body }) })
  }

  /** What a GET of the API answers, as JSON. @throws where it is refused */
  async get<T>(path: string): Promise<T> {
    const answer = await this.call('GET', path)
    if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  /** What a POST of the API makes. @throws where it is refused */
  async make<T>(path: string, body: object = {}): Promise<T> {
    const answer = await this.call('POST', path, body)
    if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }

  /** All rows of a list, page by page. */
  async all<T>(path: string): Promise<T[]> {
    const rows: T[] = []
    for (let page: string | null = '1'; page; ) {
      const answer = await this.call('GET', `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`)
      rows.push(...((await answer.json()) as T[]))
      page = answer.headers.get('x-next-page')
    }
    return rows
  }

  /** A command of the program on the same data. */
  command(...args: string[]): Promise<Ended> {
    return endOf(this.begin(...args))
  }

  /** A command that can be killed. */
  begin(...args: string[]): ReturnType<typeof beginIngot> {
    return beginIngot([...args, '--data-dir', this.dataDir], { cwd: this.cwd, env: this.#env })
  }

  /** Runs git with nothing of this machine's configuration. @throws with what it said */
  async git(cwd: string, ...args: string[]): Promise<string> {
    const env = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: this.cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      // What git has started speaks to the server, and ends by itself where that is silent: a signal to git does not reach it.
      GIT_HTTP_LOW_SPEED_LIMIT: '1',
      GIT_HTTP_LOW_SPEED_TIME: String(HANGS / 1_000),
      GIT_AUTHOR_NAME: 'Torture',
      GIT_AUTHOR_EMAIL: 'torture@example.com',
      GIT_COMMITTER_NAME: 'Torture',
      GIT_COMMITTER_EMAIL: 'torture@example.com',
    }
    const { stdout } = await execute('git', args, { cwd, env, timeout: HANGS })
    return stdout
  }

  /** Where git pushes to. */
  remote(fullPath: string): string {
    return `${this.url.replace('://', `://root:${this.#token}@`)}/${fullPath}.git`
  }

  /** The folders of all repositories. */
  async repositories(): Promise<string[]> {
    const root = join(this.dataDir, 'repositories')
    const names = await readdir(root, { recursive: true })
    return names.filter(name => /\.git$/.test(name)).map(name => join(root, name))
  }
}
