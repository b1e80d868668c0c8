/**
 * Overload: ten times the connections that a server takes. What it takes is answered in time; the others hear that they must come again, memory stays
 * within a bound, and soon everything is as before. A server that is stopped finishes what runs.
 */
import { readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Options, type Part, type Row, Tally } from './part.ts'
import { Victim } from './victim.ts'

/** Connections that the server takes. */
const CONNECTIONS = 200
const TIMES_MORE = 10
const SECONDS = { short: 4, long: 60 } as const
/** Milliseconds that an accepted request may take; with the tests, where other tests have the machine too, it may take longer. */
const LIMIT = { short: 20_000, long: 2_000 } as const
/** Bytes that the server may need beyond what it needs for the connections that it takes. */
const MEMORY = 250 * 1024 * 1024
/** Milliseconds until an ordinary request is quick again. */
const CALM = 10_000
/** Uploads under way when the server is stopped. */
const UPLOADS = 20

/** What a server or its guard said; status 0 where the connection was closed without a word. */
interface Heard {
  readonly status: number
  readonly retryAfter: string | undefined
  /** Milliseconds since the connection was made, without those in which the flood was held up itself when the answer came. */
  readonly took: number
}

/** How often the flood looks whether it is held up itself, in milliseconds. */
const LOOK = 5

/** When the flood was last not held up, by `performance.now()`; 0 while there is none. */
let lookedAt = 0

/** Milliseconds at most by which the flood, which shares the machine with the server, hears of an answer later than it is there. */
const ownDelay = (): number => (lookedAt === 0 ? 0 : Math.max(0, performance.now() - lookedAt - LOOK))

function ask(victim: Victim, method: string, path: string, body?: object): Promise<Heard> {
  let began = performance.now()
  return new Promise(resolve => {
    const end = (status: number, retryAfter?: string) => resolve({ status, retryAfter, took: performance.now() - began - ownDelay() })
    const headers = { 'private-token': victim.token, ...(body && { 'content-type': 'application/json' }) }
    // A connection of its own for each.
    const asked = request(`${victim.url}${path}`, { method, headers, agent: new Agent({ keepAlive: false }) })
    asked.on('socket', socket => {
      socket.once('connect', () => {
        began = performance.now()
      })
    })
    asked.on('error', () => end(0))
    asked.on('response', (answer: IncomingMessage) => {
      answer.resume()
      answer.on('close', () => end(answer.statusCode ?? 0, answer.headers['retry-after']))
    })
    asked.end(body && JSON.stringify(body))
  })
}

/** Bytes of memory that the process has by itself. */
async function memoryOf({ running }: Victim): Promise<number> {
  const status = await readFile(`/proc/${running.pid}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}

/** The time within which so many of a hundred were answered, in milliseconds. */
const centile = (times: readonly number[], share: number): number =>
  Math.round(times.toSorted((one, other) => one - other)[Math.ceil((times.length * share) / 100) - 1] ?? 0)

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`

async function flood(victim: Victim, clients: number, seconds: number, project: number, heard: (answer: Heard) => void): Promise<void> {
  const end = performance.now() + seconds * 1_000
  const look = setInterval(() => {
    lookedAt = performance.now()
  }, LOOK)
  const client = async (index: number) => {
    while (performance.now() < end) {
      const isWrite = index % 10 === 0
      const path = `/api/v4/projects/${project}/issues`
      const answer = await (isWrite ? ask(victim, 'POST', path, { title: `Issue of ${index}` }) : ask(victim, 'GET', path))
      heard(answer)
      // A client that is refused comes again, though not as late as it was asked to.
      if (answer.status === 503 || answer.status === 429) await delay(500)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)))
  clearInterval(look)
  lookedAt = 0
}

/** Uploads that have begun are finished by a server that is stopped meanwhile. */
async function stopInTheMidst(victim: Victim, project: number, tally: Tally, again: string): Promise<void> {
  const boundary = 'torture'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`
  const upload = () =>
    new Promise<number>(resolve => {
      const headers = { 'private-token': victim.token, 'content-type': `multipart/form-data; boundary=${boundary}` }
      const asked = request(`${victim.url}/api/v4/projects/${project}/uploads`, {
        method: 'POST',
        headers,
        agent: new Agent({ keepAlive: false }),
      })
      asked.on('error', () => resolve(0))
      asked.on('response', answer => {
        answer.resume()
        answer.on('close', () => resolve(answer.statusCode ?? 0))
      })
      asked.write(head)
      void delay(1_500).then(() => asked.end(`${'x'.repeat(100_000)}\r\n--${boundary}--\r\n`))
    })
  const uploads = Array.from({ length: UPLOADS }, upload)
  await delay(500)
  const stopped = victim.stop()
  for (const status of await Promise.all(uploads))
    tally.count(status === 201 ? undefined : `an upload under way was answered with ${status}`, again)
  const { code } = await stopped
  tally.count(code === 0 ? undefined : `the server ended with ${code}`, again)
}

async function run({ long, times, seed }: Options): Promise<Row[]> {
  const form = long ? 'long' : 'short'
  const again = `npm run torture -- overload --seed ${seed}`
  const accepted = new Tally('overload', `requests that were taken, of ${CONNECTIONS * TIMES_MORE} clients`)
  const refused = new Tally('overload', 'requests that were refused')
  const after = new Tally('overload', 'memory, calm afterwards, a graceful stop')
  const victim = await Victim.start({ settings: ['--connections', String(CONNECTIONS), '--connections-per-address', '0'] })
  try {
    const { id } = await victim.make<{ id: number }>('/projects', { name: 'Overload' })
    const seconds = times ?? SECONDS[form]
    // As many as it takes: what it needs for these is its measure.
    await flood(victim, CONNECTIONS, seconds, id, () => {})
    const full = await memoryOf(victim)
    const durations: number[] = []
    let most = 0
    let isOver = false
    const watching = (async () => {
      while (!isOver) {
        most = Math.max(most, await memoryOf(victim))
        await delay(200)
      }
    })()
    await flood(victim, CONNECTIONS * TIMES_MORE, seconds, id, ({ status, retryAfter, took }) => {
      if (status === 503 || status === 429) return refused.count(retryAfter ? undefined : `${status} without Retry-After`, again)
      if (status === 0) return refused.count('a connection was closed without an answer', again)
      durations.push(took)
      const isFine = status < 400 && took < LIMIT[form]
      accepted.count(isFine ? undefined : `answered with ${status} after ${Math.round(took)} ms`, again)
    })
    isOver = true
    await watching
    accepted.note = `half took ${centile(durations, 50)} ms at most, 99 of 100 took ${centile(durations, 99)}, the slowest ${centile(durations, 100)}`
    after.count(most - full < MEMORY ? undefined : `memory rose from ${megabytes(full)} to ${megabytes(most)}`, again)
    after.note = `${megabytes(full)} with ${CONNECTIONS} clients, ${megabytes(most)} with ${CONNECTIONS * TIMES_MORE}`
    const began = performance.now()
    let calm: Heard
    do calm = await ask(victim, 'GET', `/api/v4/projects/${id}`)
    while ((calm.status !== 200 || calm.took > 500) && performance.now() - began < CALM)
    after.count(calm.status === 200 ? undefined : `${CALM} ms afterwards the answer is ${calm.status}`, again)
    await stopInTheMidst(victim, id, after, again)
  } finally {
    await victim.remove()
  }
  return [accepted, refused, after].map(tally => tally.toRow())
}

export const overload: Part = { name: 'overload', run }
