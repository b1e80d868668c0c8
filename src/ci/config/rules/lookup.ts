/** The variables that rules and names refer to. Their values decide which jobs and files there are; no message repeats a value. */
import type { SubjectVariable } from '../plan.ts'
import type { Lookup } from './expression.ts'

/** The values of variables by name; of duplicates the last counts. */
export function lookupAmong(variables: readonly SubjectVariable[]): Lookup {
  const known = new Map(variables.map(({ key, value }) => [key, value]))
  return name => known.get(name)?.reveal()
}
