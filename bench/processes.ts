/** Processes as Linux tells of them in /proc. Elsewhere there is nothing to read: all of these return undefined. */
import { readdir, readFile } from 'node:fs/promises'

export interface Process {
  readonly id: number
  readonly parent: number
  readonly name: string
  /** Milliseconds of processor time so far, with that of processes it started which have ended: connections of the database come and go. */
  readonly time: number
}

/** A value for a program, and one for the PostgreSQL server that it started. */
export interface Shares {
  readonly program: number
  readonly database: number
}

/** Linux counts processor time in hundredths of a second. */
const TICK = 10

/** The process `root` and all that it started. */
export async function familyOf(root: number): Promise<Process[] | undefined> {
  if (process.platform !== 'linux') return undefined
  const ids = (await readdir('/proc')).filter(entry => /^\d+$/.test(entry)).map(Number)
  const all = (await Promise.all(ids.map(describe))).filter(found => found !== undefined)
  const family = all.filter(({ id }) => id === root)
  // The list grows while it is walked: children of children are found in turn.
  for (const { id } of family) family.push(...all.filter(({ parent }) => parent === id))
  return family
}

/** `/proc/<id>/stat`: id, (name), state, parent, ... The name may hold spaces and parentheses. */
async function describe(id: number): Promise<Process | undefined> {
  const stat = await readOrGone(`/proc/${id}/stat`)
  if (stat === undefined) return undefined
  const end = stat.lastIndexOf(')')
  // The third field is the first of these.
  const fields = stat.slice(end + 2).split(' ')
  const [parent, ...times] = [fields[1], ...fields.slice(11, 15)].map(Number) as [number, ...number[]]
  return { id, parent, name: stat.slice(stat.indexOf('(') + 1, end), time: times.reduce((sum, ticks) => sum + ticks, 0) * TICK }
}

/** Bytes of memory, shared pages divided among those who share them (PSS); 0 for a process that has ended. */
export async function proportionalSize(id: number): Promise<number> {
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

/** Adds up what `measure` says of each process, the database's apart. */
export async function sharesOf(family: readonly Process[], measure: (process: Process) => number | Promise<number>): Promise<Shares> {
  const shares = { program: 0, database: 0 }
  for (const member of family) shares[member.name === 'postgres' ? 'database' : 'program'] += await measure(member)
  return shares
}
