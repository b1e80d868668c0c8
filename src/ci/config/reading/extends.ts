/** `extends`: jobs that inherit from others. Maps are merged key by key, lists and scalars are replaced. */
import { limits } from '../limits.ts'
import { type Budget, ConfigRefused, deepMerge, isList, isMap, type YamlMap, type YamlValue } from './values.ts'

/**
 * The file with each job merged over the jobs that it extends. In slices.
 * @throws ConfigRefused
 */
export function* extended(file: YamlMap, budget: Budget): Generator<undefined, YamlMap, void> {
  const done = new Map<string, { readonly entry: YamlMap; readonly depth: number }>()

  const resolve = (name: string, entry: YamlMap, above: readonly string[]): { readonly entry: YamlMap; readonly depth: number } => {
    const known = done.get(name)
    if (known) return known
    if (above.includes(name)) throw new ConfigRefused(`${above[0]}: circular dependency detected in \`extends\``)
    // Refused on the way down: a chain of thousands would not fit on the stack.
    if (above.length >= limits.extendsDepth) throw new ConfigRefused(`${above[0]}: nesting too deep in \`extends\``)
    const bases = basesOf(name, entry, file).map(base => resolve(base, file.get(base) as YamlMap, [...above, name]))
    const depth = 1 + Math.max(0, ...bases.map(base => base.depth))
    if (depth > limits.extendsDepth) throw new ConfigRefused(`${above[0] ?? name}: nesting too deep in \`extends\``)
    const merged = [...bases.map(base => base.entry), entry].reduce((base, over) => deepMerge(base, over, budget))
    const found = { entry: merged, depth }
    done.set(name, found)
    return found
  }

  const whole = new Map<string, YamlValue>()
  for (const [name, entry] of file) {
    whole.set(name, isMap(entry) && entry.has('extends') ? resolve(name, entry, []).entry : entry)
    yield
  }
  return whole
}

function basesOf(name: string, entry: YamlMap, file: YamlMap): readonly string[] {
  if (!entry.has('extends')) return []
  const value = entry.get('extends') as YamlValue
  const bases = isList(value) ? value : value === null ? [] : [value]
  if (!bases.every(base => typeof base === 'string')) throw new ConfigRefused(`${name}: extends should be a name, or a list of names`)
  const unknown = bases.filter(base => !file.has(base))
  if (unknown.length > 0) throw new ConfigRefused(`${name}: unknown keys in \`extends\` (${unknown.join(', ')})`)
  const odd = bases.filter(base => !isMap(file.get(base)))
  if (odd.length > 0) throw new ConfigRefused(`${name}: invalid base hashes in \`extends\` (${odd.join(', ')})`)
  return bases
}
