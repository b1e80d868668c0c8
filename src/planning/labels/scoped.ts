/**
 * Scoped labels (`priority::high`), which exclude each other: an item has at most one of each scope (public documentation
 * of scoped labels at 14.0, premium). Pure.
 */
import { type Tier, tierCovers } from '../../platform/kernel/declaration/types.ts'

/** The part before the last `::` of a name: `a::b` of `a::b::c`; undefined for a label without a scope. */
export const scopeOf = (name: string): string | undefined => name.match(/^(.+)::.+$/s)?.[1]

/** The names, keeping only the last one of each scope. Scopes have no meaning on tier `free`. */
export function oneOfEachScope(names: readonly string[], tier: Tier): readonly string[] {
  if (!tierCovers(tier, 'premium')) return names
  const last = new Map(names.map((name, index) => [scopeOf(name), index]))
  return names.filter((name, index) => scopeOf(name) === undefined || last.get(scopeOf(name)) === index)
}
