/**
 * Records the statements of a piece of work: tests check the query budget of requests (house rules), and the bench runs the same statements
 * without Ingot.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery, LogEvent } from 'kysely'

const recorder = new AsyncLocalStorage<CompiledQuery[]>()

/** Kysely's `log`: adds the statement to the active recording; costs one lookup otherwise. */
export function recordStatement(event: LogEvent): void {
  recorder.getStore()?.push(event.query)
}

/** Runs the work and returns its result with every statement it ran and its parameters, in order, `begin` and `commit` included. */
export async function recordQueries<T>(work: () => Promise<T>): Promise<{ result: T; queries: CompiledQuery[] }> {
  const queries: CompiledQuery[] = []
  const result = await recorder.run(queries, work)
  return { result, queries }
}

/** The same with the SQL alone. */
export async function recordStatements<T>(work: () => Promise<T>): Promise<{ result: T; statements: string[] }> {
  const { result, queries } = await recordQueries(work)
  return { result, statements: queries.map(query => query.sql) }
}
