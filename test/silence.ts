/** What a process of tests does that reports nothing for long. Without a limit a run would wait for it until something else ends all, and nothing would say why. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { listProcesses } from './processes.ts'

/** Milliseconds without a report of a test after which a process hangs. The longest test takes two minutes, on a busy machine five. */
const LIMIT = 15 * 60_000

/** Milliseconds for a process to write its report, and to end. */
const PATIENCE = 5_000

/** Flags of Node with which a process writes a report of what it does on SIGUSR2. */
export const reportFlags = (folder: string): readonly string[] => [
  '--report-on-signal',
  '--report-exclude-env',
  `--report-directory=${folder}`,
]

/** Ends a process that reports no test for too long, after it has found out what the process waits for. */
export class Silence {
  readonly #ending = new AbortController()
  readonly #timer: NodeJS.Timeout
  #last = 'no test has begun'

  /**
   * @param entry the file that the process runs
   * @param folder where the process writes its report (`reportFlags`)
   * @param say takes the text: what was reported last, and what the process has open
   */
  constructor(entry: string, folder: string, say: (text: string) => void, limit: number = LIMIT) {
    this.#timer = setTimeout(async () => {
      const pids = await processesOf(entry)
      // node:test swallows what a timer throws, and the process must end in any case.
      const found = await Promise.all(pids.map(pid => openIn(pid, folder).catch(error => inspect(error))))
      say(`no test was reported for ${limit / 1000} s (${this.#last})\n${found.join('\n')}`)
      this.#ending.abort()
      await delay(PATIENCE)
      for (const pid of await processesOf(entry)) send(pid, 'SIGKILL')
    }, limit)
  }

  /** Aborts when the process has been silent for too long. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Takes an event of the process. Output alone is none: a server that hangs may log for ever. */
  heard({ type, data }: TestEvent): void {
    if (data === undefined || !('name' in data)) return
    this.#last = `${type}: ${data.name}`
    this.#timer.refresh()
  }

  /** Listens no longer: the process has ended. */
  end(): void {
    clearTimeout(this.#timer)
  }
}

/** The processes of Node that run a file. */
const processesOf = async (file: string): Promise<number[]> =>
  (await listProcesses()).filter(({ pid, command }) => pid !== process.pid && command.includes(file)).map(({ pid }) => pid)

/** What a process has open, and where its code is, by its own report. */
async function openIn(pid: number, folder: string): Promise<string> {
  send(pid, 'SIGUSR2')
  for (const deadline = Date.now() + PATIENCE; Date.now() < deadline; await delay(100)) {
    const name = (await readdir(folder)).find(file => file.endsWith('.json') && file.split('.').includes(String(pid)))
    const report = name === undefined ? undefined : readable(await readFile(join(folder, name), 'utf8'))
    if (report === undefined) continue
    const handles = report.libuv.filter(({ is_active, is_referenced }) => is_active && is_referenced).map(handle => JSON.stringify(handle))
    return [`process ${pid}:`, ...(report.javascriptStack.stack ?? []), ...handles].join('\n  ')
  }
  return `process ${pid} wrote no report`
}

interface Report {
  /** No stack where no JavaScript runs. */
  readonly javascriptStack: { readonly stack?: readonly string[] }
  readonly libuv: readonly { readonly type: string; readonly is_active: boolean; readonly is_referenced: boolean }[]
}

/** The report, or undefined while it is being written. */
function readable(text: string): Report | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends a signal to a process, which may have ended. */
function send(pid: number, name: 'SIGUSR2' | 'SIGKILL'): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
