/** Regular expressions as CI files write them, `/text/flags`; matched in linear time. */
import { RE2JS } from 're2js'

const flagsOf: Readonly<Record<string, number>> = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL }

const written = /^\/(.*)\/([imsU]*)$/s

/** Cache of recently compiled expressions. */
const known = new Map<string, RE2JS | undefined>()
const KEPT = 500

/** Does it look like a regular expression, valid or not? */
export const looksLikePattern = (text: string): boolean => written.test(text)

/** The expression of a text between slashes; undefined if it is none or cannot be compiled. */
export function patternOf(text: string): RE2JS | undefined {
  if (known.has(text)) return known.get(text)
  const [, source, flags] = written.exec(text) ?? []
  const pattern = source === undefined ? undefined : compiled(source.replaceAll('\\/', '/'), flags ?? '')
  known.set(text, pattern)
  if (known.size > KEPT) known.delete(known.keys().next().value as string)
  return pattern
}

/** RE2 lacks `\Z` (the end, or before a final line break), which patterns for branch names often contain. */
const withEnds = (source: string): string => source.replace(/\\(.)/gs, (whole, letter) => (letter === 'Z' ? '(?:\\n?\\z)' : whole))

function compiled(source: string, flags: string): RE2JS | undefined {
  try {
    return RE2JS.compile(
      withEnds(source),
      [...flags].reduce((all, flag) => all | (flagsOf[flag] ?? 0), 0),
    )
  } catch {
    // An expression that cannot be compiled is an error of the CI file; the caller reports it.
    return undefined
  }
}

/** Does the expression match anywhere in the text? */
export const isFoundIn = (pattern: RE2JS, text: string): boolean => pattern.matcher(text).find()
