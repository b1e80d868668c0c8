/** `!reference`: a value of another place of the file, after includes and `extends`. */
import { limits } from '../limits.ts'
import { ConfigRefused, isList, isMap, Reference, type YamlMap, type YamlValue } from './values.ts'

/**
 * The file with every `!reference` replaced by what it names.
 * @throws ConfigRefused
 */
export function dereferenced(file: YamlMap): YamlMap {
  const known = new Map<string, YamlValue>()
  const clean = new Map<YamlValue, boolean>()

  /** Is there a reference in it, at any depth? Each shared value is looked at once. */
  const hasReference = (value: YamlValue): boolean => {
    if (value instanceof Reference) return true
    if (!isMap(value) && !isList(value)) return false
    const before = clean.get(value)
    if (before !== undefined) return before
    const found = isMap(value) ? value.values().some(hasReference) : value.some(hasReference)
    clean.set(value, found)
    return found
  }

  const resolve = (value: YamlValue, above: readonly Reference[]): YamlValue => {
    if (!hasReference(value)) return value
    if (value instanceof Reference) return follow(value, above)
    if (isList(value)) return value.map(item => resolve(item, above))
    return new Map([...(value as YamlMap)].map(([key, below]) => [key, resolve(below, above)]))
  }

  const follow = (reference: Reference, above: readonly Reference[]): YamlValue => {
    const { text } = reference
    const before = known.get(text)
    if (before !== undefined) return before
    if (above.some(other => other.text === text)) throw new ConfigRefused(`${text} is part of a circular chain`)
    if (above.length >= limits.referenceDepth) throw new ConfigRefused(`${text} is nested too deeply in other references`)
    const target = reference.path.reduce<YamlValue | undefined>((place, key) => (isMap(place) ? place.get(key) : undefined), file)
    if (target === undefined) throw new ConfigRefused(`${text} could not be found`)
    const value = resolve(target, [...above, reference])
    known.set(text, value)
    return value
  }

  return resolve(file, []) as YamlMap
}
