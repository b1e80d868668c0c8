/**
 * The processor time that requests take. Waiting for a core that others use is no part of it, so that its ratios are
 * steadier than those of requests a second where the machine is shared.
 */
import { familyOf, sharesOf } from './processes.ts'

/** Runs the work and returns the milliseconds that `server` and the database of `ingot` were busy; undefined where the system does not tell. */
export async function busyDuring<Result>(
  server: number,
  ingot: number,
  work: () => Promise<Result>,
): Promise<[Result, number | undefined]> {
  const before = await busy(server, ingot)
  const result = await work()
  const after = await busy(server, ingot)
  return [result, before === undefined || after === undefined ? undefined : after - before]
}

async function busy(server: number, ingot: number): Promise<number | undefined> {
  const [program, database] = [await familyOf(server), await familyOf(ingot)]
  if (!program || !database) return undefined
  const time = ({ time }: { readonly time: number }) => time
  return (await sharesOf(program, time)).program + (await sharesOf(database, time)).database
}
