/**
 * The statements that a piece of work runs: tests hold requests to a fixed number of them (house rules, query budget),
 * and the bench runs the very same ones without Ingot.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery, LogEvent } from 'kysely'

const recorder = new AsyncLocalStorage<CompiledQuery[]>()

/** Kysely's `log`: records the statement for whoever is recording; costs a lookup otherwise. */
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
