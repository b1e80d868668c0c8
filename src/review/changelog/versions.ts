/** Versions in the order of semantic versioning, as tags and titles of changelogs name them. */

/** A version by its parts. */
export interface Version {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint]
  /** `rc1.2` of `1.0.0-rc1.2`; undefined for a release. */
  readonly pre: string | undefined
}

/** How tags are read unless a project says otherwise: `v1.2.3` or `1.2.3`. */
export const TAG_PATTERN =
  '^v?(?P<major>0|[1-9]\\d*)\\.(?P<minor>0|[1-9]\\d*)\\.(?P<patch>0|[1-9]\\d*)(?:-(?P<pre>[0-9A-Za-z.-]+))?(?:\\+(?P<meta>[0-9A-Za-z.-]+))?$'

const VERSION = /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/

/** A text as a version; undefined where it is none. */
export function versionOf(text: string): Version | undefined {
  const match = text.length <= 255 ? VERSION.exec(text) : null
  if (!match) return undefined
  const [, major, minor, patch, pre] = match as unknown as [string, string, string, string, string | undefined]
  return { numbers: [BigInt(major), BigInt(minor), BigInt(patch)], pre }
}

/** Negative where `a` comes before `b`. */
export function compareVersions(a: Version, b: Version): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] as bigint
    if (number !== other) return number < other ? -1 : 1
  }
  if (a.pre === undefined || b.pre === undefined) return a.pre === b.pre ? 0 : a.pre === undefined ? 1 : -1
  return comparePre(a.pre.split('.'), b.pre.split('.'))
}

/** Numbers before words, fewer parts before more. */
function comparePre(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    if (part === other) continue
    const [isNumber, isOtherNumber] = [/^\d+$/.test(part), /^\d+$/.test(other)]
    if (isNumber && isOtherNumber) return BigInt(part) < BigInt(other) ? -1 : 1
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
    return part < other ? -1 : 1
  }
  return a.length === b.length ? 0 : -1
}
