/** Versions as NuGet has them: two to four numbers, and what semantic versioning puts after them (NuGet's documentation, "Package versioning"). Pure. */
import { compareVersions, parseVersion, type SemanticVersion } from '../shared/semver.ts'

const VERSION = /^(\d{1,10})\.(\d{1,10})(?:\.(\d{1,10})(?:\.(\d{1,10}))?)?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

interface Parts {
  /** Three or four, without zeros before them; a fourth that is zero is left out. */
  readonly numbers: readonly number[]
  /** With its hyphen; empty for a release. */
  readonly prerelease: string
}

function partsOf(text: string): Parts | undefined {
  if (text.length > 64) return undefined
  const [whole, major, minor, patch = '0', revision = '0', prerelease = ''] = VERSION.exec(text) ?? []
  if (whole === undefined) return undefined
  const numbers = [major, minor, patch, revision].map(Number)
  return { numbers: numbers[3] === 0 ? numbers.slice(0, 3) : numbers, prerelease: prerelease.toLowerCase() }
}

/**
 * The form in which clients compare versions and ask for them: in lower case, without zeros that say nothing and without build metadata.
 * @returns undefined for what is no version
 */
export function normalizedVersion(text: string): string | undefined {
  const parts = partsOf(text)
  return parts && `${parts.numbers.join('.')}${parts.prerelease}`
}

const semanticOf = ({ numbers, prerelease }: Parts): SemanticVersion | undefined =>
  parseVersion(`${numbers.slice(0, 3).join('.')}${prerelease}`)

/** Orders versions by precedence: numbers by value, a release after its pre-releases. What is no version comes first. */
export function compareNugetVersions(one: string, other: string): number {
  const [first, second] = [partsOf(one), partsOf(other)]
  if (!first || !second) return Number(first !== undefined) - Number(second !== undefined)
  for (const at of [0, 1, 2, 3]) {
    const difference = (first.numbers[at] ?? 0) - (second.numbers[at] ?? 0)
    if (difference !== 0) return difference
  }
  const [before, after] = [semanticOf(first), semanticOf(second)]
  return before && after
    ? compareVersions(before, after)
    : first.prerelease < second.prerelease
      ? -1
      : Number(first.prerelease > second.prerelease)
}
