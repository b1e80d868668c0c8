/** The patterns of push rules: RE2, so that no text takes longer than its length. Those of messages begin in multiline mode. */
import { RE2JS } from 're2js'

/** Recently compiled patterns. */
const known = new Map<string, RE2JS | undefined>()
const KEPT = 500

/** The pattern; undefined where the text is none. */
export function compiled(source: string, isMultiline = false): RE2JS | undefined {
  const key = `${isMultiline ? 'm' : ' '}${source}`
  if (known.has(key)) return known.get(key)
  let pattern: RE2JS | undefined
  try {
    pattern = RE2JS.compile(source, isMultiline ? RE2JS.MULTILINE : 0)
  } catch {
    pattern = undefined
  }
  known.set(key, pattern)
  if (known.size > KEPT) known.delete(known.keys().next().value as string)
  return pattern
}

/** Is the pattern found in the text? Of no pattern, and of one that is none, undefined. */
export function isFound(source: string | null, text: string, isMultiline = false): boolean | undefined {
  if (source === null || source === '') return undefined
  return compiled(source, isMultiline)?.matcher(text).find()
}
