/** The statements that a piece of work runs: tests hold requests to a fixed number of them (house rules, query budget). */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { LogEvent } from 'kysely'

const recorder = new AsyncLocalStorage<string[]>()

/** Kysely's `log`: records the statement for whoever is recording; costs a lookup otherwise. */
export function recordStatement(event: LogEvent): void {
  recorder.getStore()?.push(event.query.sql)
}

/** Runs the work and returns its result with the SQL of every statement it ran, in order, `begin` and `commit` included. */
export async function recordStatements<T>(work: () => Promise<T>): Promise<{ result: T; statements: string[] }> {
  const statements: string[] = []
  const result = await recorder.run(statements, work)
  return { result, statements }
}
