/** Looks at the memory that a process and those that it has started fill: a limit of the system counts what each may map, and not what all have. */
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds between two looks. What another server sends fills some 600 MB a second. */
const LOOK = 250

const MEGABYTES_PER_KILOBYTE = 1 / 1024

/**
 * Calls `onFull` once they fill more than so many megabytes. Where the system does not say (it has no /proc), never.
 * @param pid undefined until the process runs
 * @returns ends the watch
 */
export function watchMemory(pid: () => number | undefined, megabytes: number, onFull: () => void): () => void {
  const timer = setInterval(() => {
    const root = pid()
    if (root === undefined || residentOf(root) <= megabytes) return
    clearInterval(timer)
    onFull()
  }, LOOK)
  timer.unref()
  return () => clearInterval(timer)
}

/** Megabytes that a process and its descendants fill, without files that they have mapped. */
function residentOf(pid: number): number {
  const own = /^RssAnon:\s*(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? '0'
  return Number(own) * MEGABYTES_PER_KILOBYTE + childrenOf(pid).reduce((sum, child) => sum + residentOf(child), 0)
}

const childrenOf = (pid: number): number[] =>
  threadsOf(pid).flatMap(thread =>
    textOf(`/proc/${pid}/task/${thread}/children`)
      .split(' ')
      .filter(child => child !== '')
      .map(Number),
  )

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Empty for a process that has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
