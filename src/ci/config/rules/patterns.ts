/** Regular expressions as CI files write them, `/text/flags`; matched in linear time. */
import { RE2JS } from 're2js'
import { compiledPattern, isPattern as isSource } from '../../../platform/patterns/patterns.ts'

const flagsOf: Readonly<Record<string, number>> = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL }

const written = /^\/(.*)\/([imsU]*)$/s

/** Does it look like a regular expression, valid or not? */
export const looksLikePattern = (text: string): boolean => written.test(text)

/** What is between the slashes, and the flags; undefined where it does not look like an expression. */
function partsOf(text: string): readonly [source: string, flags: number] | undefined {
  const [, source, flags] = written.exec(text) ?? []
  if (source === undefined) return undefined
  return [withEnds(source.replaceAll('\\/', '/')), [...(flags ?? '')].reduce((all, flag) => all | (flagsOf[flag] ?? 0), 0)]
}

/** The expression of a text between slashes; undefined if it is none, cannot be compiled, or is too large. */
export function patternOf(text: string): RE2JS | undefined {
  const parts = partsOf(text)
  return parts && compiledPattern(...parts)
}

/** Is the text between slashes an expression? An invalid one is an error of the CI file, which the caller reports. */
export function isPattern(text: string): boolean {
  const parts = partsOf(text)
  return parts !== undefined && isSource(...parts)
}

/** RE2 lacks `\Z` (the end, or before a final line break), which patterns for branch names often contain. */
const withEnds = (source: string): string => source.replace(/\\(.)/gs, (whole, letter) => (letter === 'Z' ? '(?:\\n?\\z)' : whole))
