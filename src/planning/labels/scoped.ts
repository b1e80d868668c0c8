/**
 * Scoped labels (`priority::high`), which exclude each other: a thing has one of each scope at most (public documentation
 * of scoped labels at 14.0, premium). Pure.
 */
import { type Tier, tierCovers } from '../../platform/kernel/types.ts'

/** What stands before the last `::` of a name: `a::b` of `a::b::c`; undefined for a label without a scope. */
export const scopeOf = (name: string): string | undefined => name.match(/^(.+)::.+$/s)?.[1]

/** The names without those whose scope another one has that comes later. Scopes mean nothing on tier `free`. */
export function oneOfEachScope(names: readonly string[], tier: Tier): readonly string[] {
  if (!tierCovers(tier, 'premium')) return names
  const last = new Map(names.map((name, index) => [scopeOf(name), index]))
  return names.filter((name, index) => scopeOf(name) === undefined || last.get(scopeOf(name)) === index)
}
