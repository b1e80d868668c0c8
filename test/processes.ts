/** What runs on this machine. */
import { readdir, readFile } from 'node:fs/promises'

export interface RunningProcess {
  readonly pid: number
  /** The process that started it, or 1 where that has ended. */
  readonly parent: number
  /** The program and its arguments. */
  readonly command: readonly string[]
}

/** The processes of this machine that this one may see; none where the system has no `/proc`. */
export async function listProcesses(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name)).map(Number)
  return Promise.all(
    pids.map(async pid => {
      // Empty where it has ended meanwhile.
      const [status, command] = await Promise.all(
        ['status', 'cmdline'].map(file => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
      )
      return { pid, parent: Number(/^PPid:\s*(\d+)$/m.exec(status ?? '')?.[1]), command: (command ?? '').split('\0') }
    }),
  )
}
