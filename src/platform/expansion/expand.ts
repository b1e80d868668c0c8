/** Variable references in texts: `$KEY`, `${KEY}` and `%KEY%`; `$$` is a dollar sign. References inside values are expanded too. Pure. */

/** A variable that texts may refer to. */
export interface Expandable {
  readonly key: string
  readonly value: string
  /** The value is not expanded. */
  readonly raw?: boolean | undefined
}

export interface ExpandOptions {
  /** What replaces a reference to an unknown variable: an empty text, or the reference itself, for a later expansion. Default: `blank`. */
  readonly missing?: 'blank' | 'keep'
}

/**
 * Limit in characters, and in references followed. Values that refer to each other grow fast; beyond this limit references stay as they
 * are.
 */
export const MAX_EXPANDED = 1_000_000

/** Longest chain of values that refer to each other. */
export const MAX_DEPTH = 100

const REFERENCE = /\$\$|\$([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|%([A-Za-z_][A-Za-z0-9_]*)%/g

/** Variables by key; of several with one key the last wins. */
export const lookUp = (variables: Iterable<Expandable>): ReadonlyMap<string, Expandable> =>
  new Map([...variables].map(variable => [variable.key, variable]))

/** One variable per key: the last one, in the order of the first occurrences. */
export function strongest<V extends { readonly key: string }>(weakestFirst: readonly V[]): V[] {
  const variables = new Map<string, V>()
  for (const variable of weakestFirst) variables.set(variable.key, variable)
  return [...variables.values()]
}

/**
 * The text with its references replaced. A reference to a variable that is already being expanded (a cycle) stays as it is. So does `%KEY%`
 * of an unknown variable, which is more often part of a URL than a reference. With `missing: 'keep'` the text will be expanded once more:
 * `$$` stays, and a dollar sign of a raw value is doubled.
 */
export function expand(
  text: string,
  variables: ReadonlyMap<string, Expandable> | Iterable<Expandable>,
  { missing = 'blank' }: ExpandOptions = {},
): string {
  if (!text.includes('$') && !text.includes('%')) return text
  const known = variables instanceof Map ? (variables as ReadonlyMap<string, Expandable>) : lookUp(variables as Iterable<Expandable>)
  const done = new Map<string, string>()
  const inside = new Set<string>()
  let room = MAX_EXPANDED

  const valueIn = ({ key, value, raw }: Expandable): string => {
    if (raw) return missing === 'keep' ? value.replaceAll('$', '$$$$') : value
    if (!(value.includes('$') || value.includes('%'))) return value
    const before = done.get(key)
    if (before !== undefined) return before
    inside.add(key)
    const expanded = replaced(value)
    inside.delete(key)
    // In a nested expansion a cycle that started further out may have cut the value short.
    if (inside.size === 0) done.set(key, expanded)
    return expanded
  }
  const replaced = (from: string): string =>
    from.replace(REFERENCE, (reference: string, plain?: string, braced?: string, percent?: string) => {
      const key = plain ?? braced ?? percent
      if (key === undefined) return missing === 'keep' ? reference : '$'
      const variable = known.get(key)
      if (!variable) return missing === 'keep' || percent !== undefined ? reference : ''
      if (inside.has(key) || inside.size >= MAX_DEPTH || room <= 0) return reference
      room -= 1
      const value = valueIn(variable)
      room -= value.length
      return value
    })
  return replaced(text)
}

/** The keys that a text refers to, each once, in order. */
export function referencesIn(text: string): string[] {
  const keys = [...text.matchAll(REFERENCE)].flatMap(([, plain, braced, percent]) => plain ?? braced ?? percent ?? [])
  return [...new Set(keys)]
}
