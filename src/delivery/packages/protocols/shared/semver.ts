/** Versions of semantic versioning (semver.org 2.0.0), as several package managers have them. Pure. */

/** A version in its parts. */
export interface SemanticVersion {
  readonly numbers: readonly [number, number, number]
  /** Identifiers of the pre-release; none for a release. */
  readonly prerelease: readonly string[]
  /** What stands after the plus sign. */
  readonly build: string | undefined
}

const VERSION = /^v?(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})\.(0|[1-9]\d{0,14})(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/

/** The parts of a version, with or without a `v` before it; undefined for what is none. */
export function parseVersion(text: string): SemanticVersion | undefined {
  const [, major, minor, patch, prerelease, build] = VERSION.exec(text) ?? []
  if (major === undefined || text.length > 255) return undefined
  const identifiers = prerelease?.split('.') ?? []
  if (identifiers.some(part => part === '' || /^0\d+$/.test(part)) || build?.split('.').includes('')) return undefined
  return { numbers: [Number(major), Number(minor), Number(patch)], prerelease: identifiers, build }
}

/** Orders versions by precedence: numbers by value, a release after its pre-releases. */
export function compareVersions(one: SemanticVersion, other: SemanticVersion): number {
  for (const at of [0, 1, 2] as const) {
    const difference = one.numbers[at] - other.numbers[at]
    if (difference !== 0) return difference
  }
  return comparePrereleases(one.prerelease, other.prerelease)
}

function comparePrereleases(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return other.length - one.length
  for (const [at, part] of one.entries()) {
    const against = other[at]
    if (against === undefined) return 1
    const difference = compareIdentifiers(part, against)
    if (difference !== 0) return difference
  }
  return one.length - other.length
}

const isNumber = (text: string) => /^\d+$/.test(text)

function compareIdentifiers(one: string, other: string): number {
  if (isNumber(one) && isNumber(other)) return one.length - other.length || (one < other ? -1 : Number(one > other))
  if (isNumber(one) !== isNumber(other)) return isNumber(one) ? -1 : 1
  return one < other ? -1 : Number(one > other)
}
