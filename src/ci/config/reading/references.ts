/** `!reference`: a value from another place of the file, resolved after includes and `extends`. */
import { limits } from '../limits.ts'
import { ConfigRefused, isList, isMap, isReference, type Reference, type YamlMap, type YamlValue } from './values.ts'

/** A reference as users write it. */
const textOf = ({ reference }: Reference): string => `!reference [${reference.map(part => JSON.stringify(part)).join(', ')}]`

/**
 * The file with every `!reference` replaced by its value. In slices.
 * @throws ConfigRefused
 */
export function* dereferenced(file: YamlMap): Generator<undefined, YamlMap, void> {
  const known = new Map<string, YamlValue>()
  const clean = new Map<YamlValue, boolean>()

  /** Does a value contain a reference, at any depth? Each shared value is visited one time. */
  const hasReference = (value: YamlValue): boolean => {
    if (isReference(value)) return true
    if (!isMap(value) && !isList(value)) return false
    const before = clean.get(value)
    if (before !== undefined) return before
    const found = isMap(value) ? value.values().some(hasReference) : value.some(hasReference)
    clean.set(value, found)
    return found
  }

  const resolve = (value: YamlValue, above: readonly string[]): YamlValue => {
    if (!hasReference(value)) return value
    if (isReference(value)) return follow(value, above)
    if (isList(value)) return value.map(item => resolve(item, above))
    return new Map([...(value as YamlMap)].map(([key, below]) => [key, resolve(below, above)]))
  }

  const follow = (reference: Reference, above: readonly string[]): YamlValue => {
    const text = textOf(reference)
    const before = known.get(text)
    if (before !== undefined) return before
    if (above.includes(text)) throw new ConfigRefused(`${text} is part of a circular chain`)
    if (above.length >= limits.referenceDepth) throw new ConfigRefused(`${text} is nested too deeply in other references`)
    const target = reference.reference.reduce<YamlValue | undefined>((place, key) => (isMap(place) ? place.get(key) : undefined), file)
    if (target === undefined) throw new ConfigRefused(`${text} could not be found`)
    const value = resolve(target, [...above, text])
    known.set(text, value)
    return value
  }

  const whole = new Map<string, YamlValue>()
  for (const [name, entry] of file) {
    whole.set(name, resolve(entry, []))
    yield
  }
  return whole
}
