/** What each file of a run took, so that a suite that grows slow shows where. */
import { appendFile, readFile } from 'node:fs/promises'

/** The environment variable with the file in which the processes of a run note what their files took. */
export const timesVariable = 'INGOT_TEST_TIMES'

/** Seconds by the clock, of the processor for the test process, and for the programs that it started and that have ended (git, a browser). */
interface Spent {
  readonly clock: number
  readonly own: number
  readonly programs: number
}

/** Begins to measure what this process spends. `stop` notes it under the file's name where a run wants to know. */
export async function startWatch(): Promise<{ stop(file: string): Promise<void> }> {
  const before = await spentSoFar()
  return {
    async stop(file) {
      // biome-ignore lint/style/noProcessEnv: the way from the run to its processes
      const notes = process.env[timesVariable]
      if (notes === undefined) return
      const now = await spentSoFar()
      const spent = [now.clock - before.clock, now.own - before.own, now.programs - before.programs]
      await appendFile(notes, `${[file, ...spent.map(seconds => seconds.toFixed(1))].join('\t')}\n`)
    },
  }
}

/** What this process has spent since it began. Programs that still run count when they have ended; 0 where the system has no `/proc`. */
async function spentSoFar(): Promise<Spent> {
  const { user, system } = process.cpuUsage()
  const stat = await readFile('/proc/self/stat', 'utf8').catch(() => '')
  // proc(5): fields 16 and 17 are the user and system time of ended children, in ticks of 10 ms. The name before them may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[13] ?? 0) + Number(fields[14] ?? 0)
  return { clock: performance.now() / 1000, own: (user + system) / 1e6, programs: ticks / 100 }
}

/** A table of the files that took most of the processor, the longest first, and the sums of all. The database's own time is in none of them. */
export async function longestFiles(notes: string, count = 25): Promise<string> {
  const lines = (await readFile(notes, 'utf8').catch(() => '')).split('\n').filter(line => line !== '')
  const files = lines.map(line => {
    const [file = '', ...numbers] = line.split('\t')
    const [clock = 0, own = 0, programs = 0] = numbers.map(Number)
    return { file, clock, own, programs }
  })
  const row = (name: string, spent: Spent) =>
    `${[spent.clock, spent.own, spent.programs].map(seconds => seconds.toFixed(1).padStart(8)).join('')}  ${name}\n`
  const sumOf = (kind: keyof Spent) => files.reduce((sum, each) => sum + each[kind], 0)
  const sum = { clock: sumOf('clock'), own: sumOf('own'), programs: sumOf('programs') }
  const longest = files.sort((a, b) => b.own + b.programs - a.own - a.programs).slice(0, count)
  const head = `\nSeconds by the clock, of the processor, of it in other programs (${files.length} files)\n`
  return head + row('all', sum) + longest.map(each => row(each.file, each)).join('')
}
