/** Regular expressions as CI files write them, `/text/flags`: matched in linear time, whatever they are. */
import { RE2JS } from 're2js'

const flagsOf: Readonly<Record<string, number>> = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL }

const written = /^\/(.*)\/([imsU]*)$/s

/** What was compiled last. */
const known = new Map<string, RE2JS | undefined>()
const KEPT = 500

/** Is it written as a regular expression, good or not? */
export const looksLikePattern = (text: string): boolean => written.test(text)

/** The expression of a text between slashes; undefined where it is none, or not one that can be matched. */
export function patternOf(text: string): RE2JS | undefined {
  if (known.has(text)) return known.get(text)
  const [, source, flags] = written.exec(text) ?? []
  const pattern = source === undefined ? undefined : compiled(source.replaceAll('\\/', '/'), flags ?? '')
  known.set(text, pattern)
  if (known.size > KEPT) known.delete(known.keys().next().value as string)
  return pattern
}

/** `\Z`, the end or a line's end before it, is what this engine has no letter for, and what names of branches are often written with. */
const withEnds = (source: string): string => source.replace(/\\(.)/gs, (whole, letter) => (letter === 'Z' ? '(?:\\n?\\z)' : whole))

function compiled(source: string, flags: string): RE2JS | undefined {
  try {
    return RE2JS.compile(
      withEnds(source),
      [...flags].reduce((all, flag) => all | (flagsOf[flag] ?? 0), 0),
    )
  } catch {
    // What cannot be compiled is an error of the CI file, which its readers name.
    return undefined
  }
}

/** Is the expression found anywhere in the text? */
export const isFoundIn = (pattern: RE2JS, text: string): boolean => pattern.matcher(text).find()
