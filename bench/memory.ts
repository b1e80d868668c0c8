/** The memory of a process and everything it started, as the kernel accounts for it. */
import { readdir, readFile } from 'node:fs/promises'

/** Megabytes (of 1,000,000 bytes), shared pages divided among those who share them (PSS). */
export interface Memory {
  /** The process itself and what it started, without its database. */
  readonly program: number
  /** The processes of its PostgreSQL server. */
  readonly database: number
}

/** Measures the process `root` and its descendants; undefined where the system does not tell (anything but Linux). */
export async function memoryOf(root: number): Promise<Memory | undefined> {
  const processes = await descendantsOf(root)
  if (processes === undefined) return undefined
  let program = 0
  let database = 0
  for (const { id, name } of processes) {
    const bytes = await proportionalSize(id)
    if (name === 'postgres') database += bytes
    else program += bytes
  }
  return { program: program / 1e6, database: database / 1e6 }
}

interface Process {
  readonly id: number
  readonly parent: number
  readonly name: string
}

async function descendantsOf(root: number): Promise<Process[] | undefined> {
  if (process.platform !== 'linux') return undefined
  const ids = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry)).map(Number)
  const all = (await Promise.all(ids.map(describe))).filter(found => found !== undefined)
  const family = all.filter(({ id }) => id === root)
  // The list grows while it is walked: children of children are found in turn.
  for (const { id } of family) family.push(...all.filter(({ parent }) => parent === id))
  return family
}

/** `/proc/<id>/stat`: id, (name), state, parent. The name may hold spaces and parentheses. */
async function describe(id: number): Promise<Process | undefined> {
  const stat = await readOrGone(`/proc/${id}/stat`)
  const parts = stat && /^\d+ \((.*)\) \S (\d+)/s.exec(stat)
  return parts ? { id, name: parts[1] as string, parent: Number(parts[2]) } : undefined
}

/** Bytes; 0 for a process that has ended. */
async function proportionalSize(id: number): Promise<number> {
  const rollup = await readOrGone(`/proc/${id}/smaps_rollup`)
  const kilobytes = rollup && /^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]
  return kilobytes ? Number(kilobytes) * 1024 : 0
}

async function readOrGone(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}
