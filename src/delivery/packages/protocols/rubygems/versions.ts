/** Versions of gems, and platforms that they are for (RubyGems' documentation of `Gem::Version` and `Gem::Platform`). Pure. */

/** Numbers and words between dots, a number first. */
export const VERSION = /^[0-9]{1,100}(\.[0-9A-Za-z]{1,100}){0,40}$/

/** The platform of gems that run everywhere. */
export const ANYWHERE = 'ruby'

/** A name begins with a letter: what stands before it in the name of a file is the version. */
export const PLATFORM = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/

/** Whether a version comes before its release: it has a letter. */
export const isPrerelease = (version: string): boolean => /[A-Za-z]/.test(version)

/** Orders versions: numbers by value, words before numbers, and what is missing as zero. */
export function compareGemVersions(one: string, other: string): number {
  const [parts, others] = [partsOf(one), partsOf(other)]
  for (let at = 0; at < Math.max(parts.length, others.length); at++) {
    const difference = compareParts(parts[at] ?? '0', others[at] ?? '0')
    if (difference !== 0) return difference
  }
  return 0
}

/** The numbers and words of a version: `1.0.rc1` has `1`, `0`, `rc`, `1`. */
function partsOf(version: string): string[] {
  const parts = version.match(/\d+|[A-Za-z]+/g) ?? []
  // Zeros at the end count for nothing, neither before a pre-release nor in it.
  const word = parts.findIndex(part => !isNumber(part))
  const [numbers, prerelease] = word < 0 ? [parts, []] : [parts.slice(0, word), parts.slice(word)]
  return [...withoutZeros(numbers), ...withoutZeros(prerelease)]
}

const withoutZeros = (parts: readonly string[]) => parts.slice(0, parts.findLastIndex(part => !/^0+$/.test(part)) + 1)

const isNumber = (part: string) => /^\d/.test(part)

function compareParts(one: string, other: string): number {
  if (!isNumber(one) || !isNumber(other)) return isNumber(one) ? 1 : isNumber(other) ? -1 : Number(one > other) - Number(one < other)
  const difference = BigInt(one) - BigInt(other)
  return Number(difference > 0n) - Number(difference < 0n)
}

/** A platform in its parts, as RubyGems has them. */
export interface Platform {
  readonly cpu: string | null
  readonly os: string
  readonly version: string | null
}

/** How names of operating systems are read: the pattern, its name, and whether a version may follow it. */
const systems: readonly (readonly [RegExp, string])[] = [
  [/aix(\d+)?/, 'aix'],
  [/cygwin/, 'cygwin'],
  [/darwin(\d+)?/, 'darwin'],
  [/^macruby$/, 'macruby'],
  [/freebsd(\d+)?/, 'freebsd'],
  [/^jruby$/, 'java'],
  [/^java([\d.]+)?/, 'java'],
  [/^dalvik(\d+)?$/, 'dalvik'],
  [/^dotnet([\d.]+)?/, 'dotnet'],
  [/linux-?((?!gnu)\w+)?/, 'linux'],
  [/mingw32/, 'mingw32'],
  [/mingw-?(\w+)?/, 'mingw'],
  [/mswin32(?:_(\d+))?/, 'mswin32'],
  [/mswin64(?:_(\d+))?/, 'mswin64'],
  [/netbsdelf/, 'netbsdelf'],
  [/openbsd(\d+\.\d+)?/, 'openbsd'],
  [/solaris(\d+\.\d+)?/, 'solaris'],
]

/** The parts of a platform. */
export function parsePlatform(text: string): Platform {
  const parts = text.split('-')
  // The name of an ABI belongs to the system before it: `x86-linux-musl`.
  if (parts.length > 2 && !/\d/.test(parts.at(-1) ?? '')) parts.splice(-2, 2, parts.slice(-2).join('-'))
  const [first = '', second, third] = parts
  if (second === undefined) {
    const system = systemOf(first)
    // The only system without a processor in its name that has a known one.
    return { cpu: system.os === 'mswin32' ? 'x86' : null, ...system }
  }
  const cpu = /i\d86/.test(first) ? 'x86' : first
  if (third !== undefined && parts.length === 3 && /^\d+(\.\d+)?$/.test(third)) return { cpu, os: second, version: third }
  return { cpu, ...systemOf(second) }
}

function systemOf(text: string): Pick<Platform, 'os' | 'version'> {
  for (const [pattern, os] of systems) {
    const found = pattern.exec(text)
    if (found) return { os, version: found[1] ?? null }
  }
  return { os: 'unknown', version: null }
}
