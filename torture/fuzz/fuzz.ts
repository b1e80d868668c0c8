/**
 * Fuzz: a running server is sent hundreds of thousands of requests that are almost right, to its API and to its pages and forms. It never fails,
 * hangs, or shows where in its code something went wrong, and it does not grow.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { newDirectory, type RunningIngot, startIngot } from '../../src/server/cli/scene.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { type Chance, chanceFrom } from '../chance.ts'
import { type Options, type Part, type Row, Tally } from '../part.ts'
import { type FuzzRequest, requestTo } from './requests.ts'

const REQUESTS = { short: 3_000, long: 200_000 } as const
/** Requests between two moments at which the world is made what it was. */
const ROUND = 1_000
const ABREAST = 8
/** An answer that takes as long is a hang, in milliseconds. */
const HANG = 30_000
/** Bytes that the server may have grown by, and files that it may have open more: the least of its last quarter over the most of its second one. */
const GROWTH = 100 * 1024 * 1024
const HANDLES = 50

/** Of the code, in an answer. */
const TRACE = /\bat (?:async )?[\w.<>]+ \(|file:\/\/\/|node_modules|\/src\/\w+\/\w+/

/** They wait by design, or answer with what others say. */
const left = new Set(['GET /-/live', 'POST /jobs/request'])

const world = join(import.meta.dirname, '../../src/server/testing/world.yml')
const PASSWORD = 'correct horse battery'

interface Caller {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
}

interface Heard {
  readonly status: number
  readonly text: string
  readonly headers: IncomingMessage['headers']
}

function send(url: string, agent: Agent, { method, path, type, body }: FuzzRequest, headers: Caller['headers']): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      agent,
      headers: { ...headers, ...(type && { 'content-type': type }), ...(body && { 'content-length': body.length }) },
    }
    const { hostname, port } = new URL(url)
    // As it is: a URL would tidy it up.
    const asked = request({ hostname, port, path, ...options, signal: AbortSignal.timeout(HANG) })
    asked.on('error', reject)
    asked.on('response', answer => {
      const chunks: Buffer[] = []
      answer.on('data', chunk => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('latin1'), headers: answer.headers }),
      )
    })
    asked.end(body)
  })
}

/** A server with the small world of the test bench, which can be made what it was. */
class Target {
  #ingot: RunningIngot | undefined
  readonly #cwd: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: ABREAST })
  callers: readonly Caller[] = []

  constructor(cwd: string) {
    this.#cwd = cwd
  }

  get pid(): number {
    return this.#ingot!.pid
  }

  async start(): Promise<void> {
    // Where webhooks and imports of the fuzz lead, nobody is.
    const settings = ['--ephemeral', '--world', world, '--rate-limit', 'off', '--log-level', 'fatal', '--runner-wait', '0']
    this.#ingot = await startIngot(settings, { cwd: this.#cwd })
    await this.#meet()
  }

  async send(sent: FuzzRequest, headers: Caller['headers']): Promise<Heard> {
    return send(this.#ingot!.url, this.#agent, sent, headers)
  }

  /** Makes the world what it was; a server whose administrators are locked out begins again. */
  async reset(): Promise<boolean> {
    const token = { 'private-token': this.#ingot!.token! }
    const answer = await this.send({ route: '', method: 'POST', path: '/-/testing/reset' }, token).catch(() => undefined)
    if (answer?.status === 204) return this.#meet().then(() => true)
    await this.end()
    await this.start()
    return false
  }

  /** Callers by token, and one in a browser. */
  async #meet(): Promise<void> {
    const { token } = this.#ingot!
    const body = Buffer.from(new URLSearchParams({ login: 'ada', password: PASSWORD, redirect: '/' }).toString())
    const signedIn = await this.send(
      { route: '', method: 'POST', path: '/users/sign_in', type: 'application/x-www-form-urlencoded', body },
      {},
    )
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!
    const home = await this.send({ route: '', method: 'GET', path: '/' }, { cookie, accept: 'text/html' })
    const csrf = /<meta name="csrf-token" content="([^"]+)">/.exec(home.text)?.[1] ?? ''
    this.callers = [
      { name: 'root', headers: { 'private-token': token! } },
      { name: 'ada', headers: { 'private-token': 'token-of-ada-0123456789' } },
      { name: 'grace', headers: { 'private-token': 'token-of-grace-0123456789' } },
      { name: 'ada in a browser', headers: { cookie, 'x-csrf-token': csrf, accept: 'text/html' } },
      { name: 'nobody', headers: {} },
    ]
  }

  async end(): Promise<void> {
    await this.#ingot?.end('SIGTERM')
  }
}

interface Size {
  /** Bytes. */
  readonly memory: number
  readonly handles: number
}

async function sizeOf(pid: number): Promise<Size> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return { memory: Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) * 1024, handles: (await readdir(`/proc/${pid}/fd`)).length }
}

/** A request as a command that sends it again. */
const asCommand = ({ method, path, type, body }: FuzzRequest, { name }: Caller): string =>
  `${name}: ${method} ${path.slice(0, 300)}${body ? ` ${type} ${JSON.stringify(body.toString().slice(0, 600))}` : ''}`

/** Compares what the server held late with what it held early, once it was warm; says nothing of a few rounds. */
function judgeGrowth(tally: Tally, sizes: readonly Size[], seed: number): void {
  const quarter = Math.floor(sizes.length / 4)
  if (quarter === 0) return
  const [early, late] = [sizes.slice(quarter, 2 * quarter), sizes.slice(-quarter)]
  const growthOf = (name: keyof Size) => Math.min(...late.map(size => size[name])) - Math.max(...early.map(size => size[name]))
  const [memory, handles] = [growthOf('memory'), growthOf('handles')]
  const last = late.at(-1)!
  tally.note = `${Math.round(last.memory / 2 ** 20)} MB, ${last.handles} files, over ${sizes.length} rounds`
  tally.count(memory < GROWTH ? undefined : `the memory grew by ${Math.round(memory / 2 ** 20)} MB`, `seed ${seed}`)
  tally.count(handles < HANDLES ? undefined : `${handles} more files are open`, `seed ${seed}`)
}

async function run({ long, times, seed, say }: Options): Promise<Row[]> {
  const chance: Chance = chanceFrom(seed)
  const count = times ?? REQUESTS[long ? 'long' : 'short']
  const sentTally = new Tally('fuzz', 'mutated requests to the API, pages and forms')
  const grown = new Tally('fuzz', 'memory and open files of the server')
  const declared = endpoints.filter(({ route }) => !left.has(route))
  const cwd = await newDirectory()
  await writeFile(join(cwd, '.keep'), '')
  const target = new Target(cwd)
  const seen = new Set<string>()
  try {
    await target.start()
    /** After each round, by server: one that was started again has its caches to fill. */
    const sizes: Size[][] = [[]]
    for (let done = 0; done < count; done += ROUND) {
      let left = Math.min(ROUND, count - done)
      const work = async () => {
        while (left-- > 0) {
          const endpoint = chance.of(declared)
          const caller = chance.of(target.callers)
          const sent = requestTo(endpoint, chance)
          const problem = await target.send(sent, caller.headers).then(
            ({ status, text }) => {
              if (status >= 500 && status !== 503) return `${sent.route} is answered with ${status}: ${text.slice(0, 200)}`
              return status >= 400 && TRACE.test(text) ? `${sent.route} shows its code: ${TRACE.exec(text)?.[0]}` : undefined
            },
            error => `${sent.route} is not answered: ${error}`,
          )
          sentTally.times += 1
          // One of each kind is enough to mend it.
          const kind = `${sent.route} ${problem?.slice(0, 40 + sent.route.length)}`
          if (problem === undefined || seen.has(kind)) continue
          seen.add(kind)
          sentTally.fail(problem, asCommand(sent, caller))
        }
      }
      await Promise.all(Array.from({ length: ABREAST }, work))
      sizes.at(-1)?.push(await sizeOf(target.pid))
      if (done + ROUND < count && !(await target.reset())) sizes.push([])
      if ((done / ROUND) % 20 === 19) say(`fuzz: ${done + ROUND} requests, ${seen.size} kinds of failures`)
    }
    // What is noted in the end is of the server that ran for the longest.
    for (const ofOne of sizes.toSorted((one, other) => one.length - other.length)) judgeGrowth(grown, ofOne, seed)
  } finally {
    await target.end()
    await rm(cwd, { recursive: true, force: true })
  }
  return [sentTally, grown].map(tally => tally.toRow())
}

export const fuzz: Part = { name: 'fuzz', run }
