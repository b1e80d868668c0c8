/**
 * `ingot/testing`: a server of their own for tests of clients, run by the program itself. `npm run build` makes `dist/testing/index.js` of it, which
 * any Node can load; so it imports nothing of ours but types.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Fault, RecordedRequest, startIngot as Start, StartOptions, TestServer, World } from './types.d.ts'

/** The program, from where this file is built to. */
const program = fileURLToPath(new URL('../../bin/ingot', import.meta.url))

/** How long a server may take to end before it is killed, in milliseconds. */
const PATIENCE = 20_000

/** Characters of the log that an error of the start shows. */
const SHOWN = 4_000

/** The line that the program prints. */
interface Greeting {
  readonly url: string
  readonly ssh_port: number
  readonly password: string
  readonly token: string
  readonly people: Readonly<Record<string, { readonly id: number; readonly token: string }>>
}

export const startIngot: typeof Start = async (options = {}) => {
  const { world, port, record, timeout = 60_000 } = options
  const folder = await mkdtemp(join(tmpdir(), 'ingot-world-'))
  try {
    const file = world === undefined ? undefined : await fileOf(world, folder)
    const args = [
      ...['start', '--ephemeral', '--json', '--attached'],
      ...(port === undefined ? [] : ['--port', String(port)]),
      ...(file === undefined ? [] : ['--world', file]),
      ...(record === undefined ? [] : ['--record', resolve(record)]),
    ]
    // In a folder without an `ingot.json`, and it ends when this process does: its standard input is a pipe from here.
    const child = spawn(program, args, { cwd: folder, env: environment(options), stdio: ['pipe', 'pipe', 'pipe'] })
    return serverOf(child, await greetingOf(child, timeout))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The world as a file. JSON is YAML. */
async function fileOf(world: string | World, folder: string): Promise<string> {
  if (typeof world === 'string') return resolve(world)
  const file = join(folder, 'world.json')
  await writeFile(file, JSON.stringify(world, undefined, 2))
  return file
}

/** The environment without settings of Ingot that are meant for another server. */
function environment({ env: given = {} }: StartOptions): Record<string, string | undefined> {
  const rest = Object.entries(env).filter(([name]) => !name.startsWith('INGOT_') && name !== 'DATABASE_URL')
  return { ...Object.fromEntries(rest), ...given }
}

async function greetingOf(child: ChildProcess, timeout: number): Promise<Greeting> {
  let log = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-SHOWN)
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<Greeting>((greeted, reject) => {
      timer = setTimeout(() => {
        child.kill('SIGKILL')
        reject(new Error(`ingot has not started within ${timeout} ms: ${log}`))
      }, timeout)
      let line = ''
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        line += text
        if (line.includes('\n')) greeted(JSON.parse(line.slice(0, line.indexOf('\n'))) as Greeting)
      })
      child.once('error', reject)
      child.once('close', () => reject(new Error(log.trim() || 'ingot ended before it had started')))
    })
  } finally {
    clearTimeout(timer)
  }
}

function serverOf(child: ChildProcess, { url, ssh_port, password, token, people }: Greeting): TestServer {
  // Tests that forget `stop` end all the same.
  child.unref()
  for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as (Readable & { unref?: () => void }) | null)?.unref?.()
  const ended = new Promise<void>(done => child.once('close', () => done()))

  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${url}/-/testing/${path}`, {
      method,
      headers: { 'private-token': token, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} /-/testing/${path} answered ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
    child.stdin?.end()
    await ended
    clearTimeout(timer)
  }

  return {
    url,
    token,
    password,
    sshPort: ssh_port,
    people: Object.fromEntries(Object.entries(people).map(([username, person]) => [username, { username, ...person }])),
    async reset() {
      await call('POST', 'reset')
    },
    async requests() {
      const { requests, dropped } = (await call('GET', 'requests')) as { requests: RecordedRequest[]; dropped: number }
      if (dropped > 0) throw new Error(`there were ${dropped} more requests than are kept: give startIngot a file to record them`)
      return requests
    },
    async fail(path: string, { retryAfter, ...fault }: Fault) {
      await call('POST', 'faults', { path, ...fault, ...(retryAfter !== undefined && { retry_after: retryAfter }) })
    },
    async clearFaults() {
      await call('DELETE', 'faults')
    },
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
