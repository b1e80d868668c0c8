/**
 * The processor time that requests take. Waiting for a core that others use is no part of it, so that its ratios are
 * steadier than those of requests a second where the machine is shared.
 */
import { familyOf, type Shares, sharesOf } from './processes.ts'

/**
 * Runs the work and returns the milliseconds that `server` (with git, where it started that) and the database of `ingot` were busy; undefined
 * where the system does not tell.
 */
export async function busyDuring<Result>(
  server: number,
  ingot: number,
  work: () => Promise<Result>,
): Promise<[Result, Shares | undefined]> {
  const before = await busy(server, ingot)
  const result = await work()
  const after = await busy(server, ingot)
  return [result, before && after && { program: after.program - before.program, database: after.database - before.database }]
}

async function busy(server: number, ingot: number): Promise<Shares | undefined> {
  const [program, database] = [await familyOf(server), await familyOf(ingot)]
  if (!program || !database) return undefined
  const time = ({ time }: { readonly time: number }) => time
  return { program: (await sharesOf(program, time)).program, database: (await sharesOf(database, time)).database }
}
